import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { personAccount } from '@symbolon/testkit/actors/accounts';
import {
  connect,
  createField,
  createService,
  registerPerson,
  sharedPublicKey,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import {
  type AskingService,
  ask,
  asked,
  cardsOf,
  createAskingService,
  enrol,
  poll,
} from '@symbolon/testkit/actors/second-factor';
import { codeFor, createApp, exchange } from '@symbolon/testkit/actors/sign-ins';
import { eventNames } from '@symbolon/testkit/platform/raised-events';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { PlatformError } from '../../../core/errors.ts';

withRegions('people who delete their accounts, in every region', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const settle = () => regions().settle();
  const deleteAccount = (person: TestPerson) =>
    eu().must('DELETE', '/api/person', { token: person.token, body: { login_secret: person.loginSecret } });

  describe('with a service in another region', () => {
    let service: AskingService;
    let person: TestPerson;
    before(async () => {
      service = await createAskingService(us());
      person = await registerPerson(eu());
      await settle();
    });

    test('every region ends what it has, and keeps no token alive', async () => {
      const rows = [{ slug: 'mail', label: 'Mail', type: 'email' }];
      const shop = await createService(us(), service.company, rows);
      const near = await createService(eu(), await createAskingService(eu()).then(({ company }) => company));
      await settle();
      const field = await createField(eu(), person, { type: 'email', slug: 'own', value: 'a@b.example' });
      await settle();
      await connect(us(), person, shop, { mail: { field, value: 'a@b.example' } });
      await connect(eu(), person, near);
      await enrol(us(), person, service);
      const { challenge_id } = await asked(us(), service, person);
      assert.equal((await cardsOf(eu(), person)).length, 1);
      const app = await createApp(us(), service.company);
      const code = await codeFor(us(), app, { personId: person.id });
      await settle();

      await deleteAccount(person);
      await settle();
      assert.deepEqual((await eventNames(us(), shop.id)).at(-1), 'connection_deleted');
      assert.deepEqual((await eventNames(eu(), near.id)).at(-1), 'connection_deleted');
      assert.deepEqual(await eventNames(us(), service.id), ['2fa_challenge_completed']);
      assert.equal((await poll(us(), service, challenge_id)).body.status, 'revoked');
      assert.equal((await ask(us(), service, person)).status, 404);
      assert.equal((await exchange(us(), app, code)).body.error, 'invalid_grant');
      for (const region of [eu(), us()]) {
        const answer = await region.call('GET', '/api/person/connections', { token: person.token });
        assert.equal(answer.status, 401, answer.text);
        const { reader } = region.context.database;
        for (const table of [
          'connections',
          'person_fields',
          'remote_slots',
          'two_factor_enrolments',
        ] as const) {
          const rowsLeft = await reader.selectFrom(table).selectAll().execute();
          assert.ok(!JSON.stringify(rowsLeft).includes(person.id), table);
        }
      }
    });

    test('the address may be registered in any region, the share code stays taken', async () => {
      const again = await registerPerson(us(), 'Ada', person.email);
      assert.notEqual(again.shareCode, person.shareCode);
      const { names } = us().context;
      assert.ok(await names.isTakenElsewhere({ kind: 'share_code', name: person.shareCode }));
    });

    test('the row goes a day later, in every region', async () => {
      for (const hours of [1, 24, 1]) {
        regions().clock.advance(hours * 60 * 60_000);
        await settle();
      }
      for (const region of [eu(), us()]) {
        const { reader } = region.context.database;
        for (const [table, column] of [
          ['persons', 'id'],
          ['person_deletions', 'person_id'],
        ] as const) {
          const left = await reader
            .selectFrom(table)
            .selectAll()
            .where(column as never, '=', person.id as never)
            .execute();
          assert.deepEqual(left, [], table);
        }
      }
    });
  });

  test('a region that asks the home for a deleted person learns nothing', async () => {
    const person = await registerPerson(eu());
    await settle();
    await deleteAccount(person);
    // The other region has not heard of it, and asks.
    assert.equal(await eu().context.personReplicas.sendAll('us', person.id), false);
    await settle();
    const found = await us()
      .context.database.reader.selectFrom('persons')
      .select('deleted_at')
      .where('id', '=', person.id)
      .executeTakeFirst();
    assert.ok(found?.deleted_at);
  });

  test('the address stays taken while the front door is away, and is free when it is back', async () => {
    const person = await registerPerson(eu());
    const { names } = eu().context;
    const release = names.release.bind(names);
    names.release = async () => {
      throw new PlatformError('region.unavailable');
    };
    try {
      await deleteAccount(person);
      await settle();
      const elsewhere = await us().call('POST', '/api/person/register', {
        body: { email: person.email, account: personAccount(await sharedPublicKey()) },
      });
      assert.equal(elsewhere.body.error_key, 'account.email_taken', elsewhere.text);
    } finally {
      names.release = release;
    }
    regions().clock.advance(5_000);
    await settle();
    await registerPerson(us(), 'Ada', person.email);
  });
});
