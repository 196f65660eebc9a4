import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServiceKey } from '@symbolon/crypto';
import { AccountEvent } from '@symbolon/protocol';
import { createService, registerCompany } from '@symbolon/testkit/actors/actors';
import { connectCompany, createCustomer } from '@symbolon/testkit/actors/customers';
import { OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import { writesPaused } from '../../../db/paused-writes.ts';
import { finish } from './testing/moved.ts';

/*
 * A company replaces the key of a service and moves before its customers were notified. One of them, who has heard of it already
 * because another act came first, must not hear it again.
 */
withRegions('what a company owes its customers when it moves', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');

  test('is delivered from the new home, to each customer once', async () => {
    const company = await registerCompany(eu());
    const service = await createService(eu(), company);
    const customers = [];
    for (const home of [eu(), eu(), us()]) {
      const customer = await createCustomer(home);
      await regions().settle();
      customers.push({ home, customer, link: await connectCompany(home, customer, service) });
    }
    await regions().settle();
    for (const { home, customer } of customers) await forget(home, customer.company.id);
    const kind = eu().context.jobs.kind('tell_companies');
    assert.ok(kind);
    // The old home never comes to it.
    kind.step = async () => {
      throw writesPaused();
    };
    const key = await createServiceKey();
    await eu().must('PUT', `/api/services/${service.id}/key`, {
      token: company.token,
      body: { public_key: key.publicKey, encrypted_private_key: key.encryptedPrivateKey },
    });
    const [first] = customers;
    assert.ok(first);
    // The customer leaves and comes back: it is notified early, and its new connection is not owed anything.
    const { token } = first.customer;
    await eu().must('DELETE', `/api/company-connections/${first.link.id}`, { token });
    await connectCompany(eu(), first.customer, service);
    await regions().settle();

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
    const { serviceKeyRotated: rotated, connectionCreated: created } = AccountEvent;
    const heard = await Promise.all(customers.map(({ home, customer }) => told(home, customer.company.id)));
    assert.deepEqual(heard, [[rotated, created], [rotated], [rotated]]);
    const { reader } = us().context.database;
    const { finished_at } = await reader.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
    assert.notEqual(finished_at, null);
  });
});

async function told(at: TestPlatform, companyId: string | undefined): Promise<string[]> {
  const rows = await at.context.database.reader
    .selectFrom('changes')
    .select('event')
    .where('feed', '=', companyId ?? '')
    .orderBy('seq')
    .execute();
  return rows.map(({ event }) => event);
}

async function forget(at: TestPlatform, companyId: string): Promise<void> {
  await at.context.database.write(async (writer) => {
    await writer.deleteFrom('changes').where('feed', '=', companyId).execute();
  });
}
