import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import {
  createDataClient,
  createService,
  registerCompany,
  registerPerson,
  sealed,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';

const HOUR = 60 * 60 * 1000;

withRegions('files of a company that moves', ['eu', 'us'], (regions) => {
  test('the files that people gave move along, and the region that the company left keeps none', async (t) => {
    const eu = regions().region('eu');
    const us = regions().region('us');
    const company = await registerCompany(eu);
    const service = await createService(eu, company, [{ slug: 'photo', label: 'Photo', type: 'photo' }]);
    const client = await createDataClient(eu, service);
    const person = await registerPerson(eu);
    const value = await sealed(JSON.stringify({ full: 'data:image/png;base64,AQID' }));
    const { upload_id } = await eu.must('POST', '/api/person/files', {
      token: person.token,
      body: { value },
    });
    const { connection_id } = await eu.must('POST', '/api/person/connections', {
      token: person.token,
      body: {
        company_code: company.code,
        service_code: service.code,
        decisions: [{ request_field_id: service.rows.photo, kind: 'one_time', upload_id }],
      },
    });
    await regions().settle();
    const move = await eu.must('POST', `/api/admin/companies/${company.id}/moves`, {
      token: OPERATOR,
      body: { region: 'us' },
    });
    const other = await sealed('of a company that stays');
    await eu.must('POST', '/api/person/files', { token: person.token, body: { value: other } });
    const take = (id: string, content: string) =>
      us.context.peers.call(
        { region: 'eu' },
        { method: 'GET', path: `/internal/moves/${id}/blobs/${hash('sha256', content, 'hex')}` },
      );
    assert.equal((await take(move.id, value)).status, 200);
    assert.equal((await take(move.id, other)).status, 404, 'it is not of the company');
    assert.equal((await take(company.id, value)).status, 404, 'there is no such move');
    const errors = t.mock.method(us.context.log, 'error');
    await eu.context.companyMoves.moveSource.run();
    assert.deepEqual(errors.mock.calls, [], 'a file that is still to come does not count as missing');
    const { state } = await eu.must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
    assert.equal(state, 'switched');
    const token = await tokenFor(us, client.clientId, client.clientSecret);
    const path = `/api/company-data/connections/${connection_id}/slots/${service.rows.photo}/file`;
    regions().clock.advance(HOUR / 2);
    await us.context.blobs.sweep();
    const answer = await us.call('GET', path, { token });
    assert.deepEqual([answer.status, answer.body.value === value], [200, true], answer.text.slice(0, 200));

    await eu.context.companyMoves.moveSource.run();
    regions().clock.advance(HOUR / 2);
    await eu.context.blobs.sweep();
    const left = async (platform: TestPlatform) =>
      platform.context.database.reader
        .selectFrom('blobs')
        .select('refs')
        .where('hash', '=', hash('sha256', value, 'hex'))
        .execute();
    assert.deepEqual(
      (await left(us)).map(({ refs }) => Number(refs)),
      [1],
    );
    assert.deepEqual(await left(eu), []);
  });

  test('a company that still arrives does not leave, and only the attempt that is under way brings anything', async () => {
    const eu = regions().region('eu');
    const { id: company_id } = await registerCompany(eu);
    const { companyMoves, database } = eu.context;
    const id = company_id.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    await database.write((writer) =>
      writer
        .insertInto('company_arrivals')
        .values({
          id,
          company_id,
          from_region: 'us',
          state: 'staging',
          attempt: 2,
          created_at: 1,
          updated_at: 1,
        })
        .execute(),
    );
    const refused = await eu.call('POST', `/api/admin/companies/${company_id}/moves`, {
      token: OPERATOR,
      body: { region: 'us' },
    });
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'moves.under_way']);
    const stage = (attempt: number) => companyMoves.moveTarget.stage(id, { attempt, chunks: [] });
    assert.equal((await stage(1)).refused, 'That attempt was given up.');
    assert.deepEqual(await stage(2), { state: 'staging' });
  });

  test('a region announces only companies that come from itself', async () => {
    const { id: company_id } = await registerCompany(regions().region('eu'));
    const announce = async (from: string) => {
      const body = { company_id, from, tables: {}, types: [], keys: [] };
      const path = `/internal/moves/${company_id}/prepare`;
      const { peers } = regions().region('us').context;
      return (await peers.call({ region: 'eu' }, { method: 'POST', path, body })).status;
    };
    assert.deepEqual([await announce('eu'), await announce('us')], [403, 200]);
  });

  test('the sessions of a company that left go when they have expired', async () => {
    const { context, clock } = regions().region('eu');
    const { database, domain } = context;
    const { id: company_id } = await registerCompany(regions().region('eu'));
    const expires_at = clock.now() + HOUR;
    const token_hash = hash('sha256', company_id, 'hex');
    await database.write((writer) =>
      writer.insertInto('departed_sessions').values({ token_hash, company_id, expires_at }).execute(),
    );
    const left = async () => {
      await domain.sweeps
        .find(({ name }) => name === 'sessions of departed companies')
        ?.run(new AbortController().signal);
      const rows = database.reader.selectFrom('departed_sessions').select('token_hash');
      return (await rows.where('company_id', '=', company_id).execute()).length;
    };
    clock.advance(HOUR - 1);
    assert.equal(await left(), 1);
    clock.advance(1);
    assert.equal(await left(), 0);
  });
});
