import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { OPERATOR } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { finish, restartedMoves } from './testing/moved.ts';

withRegions(
  'lists of a customer while a company moves here',
  ['eu', 'us'],
  (regions) => {
    test('follow what was done here, before the former home knows that the company has left', async () => {
      const eu = regions().region('eu');
      const us = regions().region('us');
      const company = await registerCompany(eu);
      const row = { slug: 'nick', label: 'Nick', type: 'text' };
      const ended = await createService(eu, company, [row]);
      const asking = await createService(eu, company, [row]);
      const person = await registerPerson(us);
      const field = await createField(us, person, { type: 'text', slug: 'nick', value: '0' });
      await regions().settle();
      const answers = { nick: { field, value: '0' } };
      const endedId = await connect(us, person, ended, answers);
      const askingId = await connect(us, person, asking, answers);
      const requested = `/api/services/${asking.id}/request-fields`;
      const { config_token } = await eu.must('GET', requested, { token: company.token });
      await eu.must('PUT', requested, {
        token: company.token,
        body: { config_token, request_fields: [row, { ...row, slug: 'more' }] },
      });
      await regions().settle();
      const { token } = person;
      const connections = async () =>
        (await us.must('GET', '/api/person/connections', { token })).connections.map(
          ({ connection_id }: { connection_id: string }) => connection_id,
        );
      const consents = async () => (await us.must('GET', '/api/person/consents', { token })).consents;

      const move = await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
        token: OPERATOR,
        body: { region: 'us' },
      });
      const { moveSource } = restartedMoves(eu, async (step) => {
        if (step === 'asked') throw new Error('The answer is lost.');
      });
      await moveSource.run();
      const moveOf = () => eu.must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
      assert.equal((await moveOf()).state, 'activating');

      assert.deepEqual(await connections(), [endedId, askingId], 'both regions have them');
      // To a third region each part says whether companies leave.
      const partOf = (asking: typeof eu, region: string) => {
        const { peers } = asking.context;
        assert.ok(peers);
        const actingFor = { kind: 'person', personId: person.id, epoch: 1 } as const;
        return peers.call({ region }, { method: 'GET', path: '/api/person/connections', actingFor });
      };
      const parts = [await partOf(us, 'eu'), await partOf(eu, 'us')];
      assert.deepEqual(
        parts.map(({ status, headers }) => [status, headers['x-symbolon-leaving']]),
        [
          [200, '1'],
          [200, undefined],
        ],
      );
      const [consent] = await consents();
      await us.must('DELETE', `/api/person/connections/${endedId}`, { token });
      await us.must('POST', `/api/person/consents/${consent.id}/decline`, { token, body: {} });
      assert.deepEqual(await connections(), [askingId]);
      assert.deepEqual(await consents(), []);

      await finish(regions(), restartedMoves(eu, async () => {}).moveSource, async () => {
        return (await moveOf()).state === 'done';
      });
      assert.deepEqual(await connections(), [askingId]);
      assert.deepEqual(await consents(), []);
    });
  },
  { SYMBOLON_LOG_LEVEL: 'silent' },
);
