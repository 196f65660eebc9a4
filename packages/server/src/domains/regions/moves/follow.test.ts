import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { eventNames, forgetEvents } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { laneOf } from '../messages/message-queue.ts';
import { finish } from './testing/moved.ts';

/*
 * A company moves from eu to us while a person changes a field that its slots follow. The message about the change may have
 * reached the old region, the new one, or neither when the company is frozen.
 */
withRegions('a field that changes while the company moves', ['eu', 'us', 'ap'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');

  for (const home of ['eu', 'us', 'ap'] as const) {
    for (const heard of ['neither', 'the old home', 'the new home'] as const) {
      for (const change of ['value', 'private', 'deleted'] as const) {
        // The person's home knows its own change at once.
        if (home === 'eu' && heard !== 'the old home') continue;
        if (home === 'us' && heard !== 'the new home') continue;
        test(`the slot follows a change (${change}) of a person at home in ${home} that had reached ${heard}`, async () => {
          const at = regions().region(home);
          const company = await registerCompany(eu());
          const service = await createService(eu(), company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
          const person = await registerPerson(at);
          const field = await createField(at, person, { type: 'text', slug: 'nick', value: 'v1' });
          await regions().settle();
          const connectionId = await connect(eu(), person, service, { nick: { field, value: 'v1' } });
          await regions().settle();
          await forgetEvents(eu());

          const { token } = person;
          const path = `/api/person/fields/${field}`;
          if (change === 'deleted') await at.must('DELETE', path, { token });
          else if (change === 'private') await at.must('PUT', path, { token, body: { private: true } });
          else {
            const { slots } = await at.must('GET', `${path}/slots`, { token });
            assert.equal(slots.length, 1);
            const { connection_id, request_field_id } = slots[0];
            const copies = [{ connection_id, request_field_id, value: await sealed('v2') }];
            await at.must('PUT', path, { token, body: { value: await sealed('v2'), copies } });
          }
          if (home !== 'eu' && heard === 'the old home') await tell(at, person.id, 'eu');
          if (home !== 'us' && heard === 'the new home') await tell(at, person.id, 'us');

          const move = await eu().must('POST', `/api/admin/companies/${company.id}/moves`, {
            token: OPERATOR,
            body: { region: 'us' },
          });
          const { companyMoves } = eu().context;
          assert.ok(companyMoves);
          await finish(regions(), companyMoves.moveSource, async () => {
            const { state } = await eu().must('GET', `/api/admin/moves/${move.id}`, { token: OPERATOR });
            return state === 'done';
          });
          await regions().settle();

          const slot = await us()
            .context.database.reader.selectFrom('slot_values')
            .selectAll()
            .where('connection_id', '=', connectionId)
            .executeTakeFirst();
          const events = await eventNames(us(), service.id);
          if (change === 'deleted') {
            assert.equal(slot, undefined);
            assert.deepEqual(events, ['field_deleted nick']);
            return;
          }
          assert.ok(slot);
          assert.equal(await service.open(slot.value ?? ''), change === 'value' ? 'v2' : 'v1');
          assert.equal(slot.private, change === 'private' ? 1 : 0);
          assert.deepEqual(events, change === 'value' ? ['field_updated nick'] : []);
          // The person's home sends the next value to the slot.
          const { slots } = await at.must('GET', `${path}/slots`, { token: await freshToken(at, person) });
          assert.equal(slots.length, 1);
          assert.equal(slot.registration === null, home === 'us');
        });
      }
    }
  }

  /** Delivers one region's messages about a person to another. */
  async function tell(from: TestPlatform, subject: string, to: string): Promise<void> {
    const { messageSender } = from.context;
    assert.ok(messageSender);
    while (((await messageSender.sendBatch(to, laneOf(subject)))?.arrived ?? 0) > 0);
  }

  async function freshToken(at: TestPlatform, person: { email: string; loginSecret: string }) {
    const { access_token } = await at.must('POST', '/api/person/login', {
      body: { email: person.email, login_secret: person.loginSecret },
    });
    return access_token as string;
  }
});
