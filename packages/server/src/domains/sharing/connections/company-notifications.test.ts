import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createServiceKey } from '@symbolon/crypto';
import { AccountEvent } from '@symbolon/protocol';
import {
  createService,
  registerCompany,
  type TestCompany,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import {
  connectCompany,
  createCustomer,
  publishShare,
  type TestCustomer,
} from '@symbolon/testkit/actors/customers';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertCompanyCustomers } from '@symbolon/testkit/platform/rows';
import { type Database, lock, type Writer } from '../../../db/database.ts';
import { JobWorker } from '../../operations/jobs/job-worker.ts';
import { accountEvent } from './account-events.ts';
import type { ConnectionRow } from './tables.ts';

const { connectionDeleted, connectionCreated, serviceKeyRotated, shareChanged } = AccountEvent;

onEachEngine('companies that a job tells of an act of a service', (platform) => {
  let provider: TestCompany;
  before(async () => {
    provider = await registerCompany(platform(), 'Provider');
  });
  const tell = () => platform().context.jobWorker.run();
  const publishLater = (service: TestService, value = 'nine to five') =>
    publishShare(platform(), service, value, 'later');
  async function replaceKey(service: TestService): Promise<void> {
    const key = await createServiceKey();
    await platform().must('PUT', `/api/services/${service.id}/key`, {
      token: provider.token,
      body: { public_key: key.publicKey, encrypted_private_key: key.encryptedPrivateKey },
    });
  }
  /** The events of a service on the account feeds of some companies, each with how its feed goes on. */
  async function heard(service: TestService): Promise<Map<string, string[]>> {
    const rows = await platform()
      .context.database.reader.selectFrom('changes')
      .select(['feed', 'event'])
      .where('service_id', '=', service.id)
      .where('feed', '!=', service.id)
      .orderBy('seq')
      .execute();
    return new Map(
      [...Map.groupBy(rows, (row) => row.feed)].map(([feed, events]) => [
        feed,
        events.map(({ event }) => event),
      ]),
    );
  }
  const heardBy = async (service: TestService, customer: TestCustomer) =>
    (await heard(service)).get(customer.company.id) ?? [];
  const clear = (service: TestService) =>
    platform().context.database.write(async (writer) => {
      await writer.deleteFrom('changes').where('service_id', '=', service.id).execute();
    });
  const leftOver = async () =>
    (await platform().context.database.reader.selectFrom('early_tellings').selectAll().execute()).length;
  async function connected() {
    const service = await createService(platform(), provider);
    const customer = await createCustomer(platform());
    const link = await connectCompany(platform(), customer, service);
    await clear(service);
    const disconnect = () =>
      platform().must('DELETE', `/api/company-connections/${link.id}/services/${link.linkId}`, {
        token: customer.token,
      });
    return { service, customer, link, disconnect };
  }
  const end = (row: ConnectionRow) =>
    platform().context.database.write(async (writer) => {
      await lock(platform().engine, writer, 'services', [row.service_id]);
      const found = await writer.selectFrom('connections').selectAll().where('id', '=', row.id).execute();
      await platform().context.connections.end(writer, found);
    });

  test('the answer does not wait for them', async () => {
    const { service, customer } = await connected();
    await publishLater(service);
    assert.deepEqual(await heardBy(service, customer), []);
    await tell();
    assert.deepEqual(await heardBy(service, customer), [shareChanged]);
    await tell();
    assert.deepEqual(await heardBy(service, customer), [shareChanged], 'no customer is notified twice');
  });

  test('a customer that leaves before its notification gets that first', async () => {
    const { service, customer, disconnect } = await connected();
    await publishLater(service);
    await replaceKey(service);
    await disconnect();
    const all = [shareChanged, serviceKeyRotated, connectionDeleted];
    assert.deepEqual(await heardBy(service, customer), all);
    await tell();
    assert.deepEqual(await heardBy(service, customer), all);
    assert.equal(await leftOver(), 0);
  });

  test('a customer that connects after the act gets no notification', async () => {
    const { service, customer } = await connected();
    await publishLater(service);
    // As if another process, whose clock is ahead, had made the last connection.
    await platform().context.database.write(async (writer) => {
      const job = await writer
        .selectFrom('jobs')
        .selectAll()
        .where('service_id', '=', service.id)
        .executeTakeFirstOrThrow();
      const state = JSON.stringify({ ...JSON.parse(job.state), through: 'ffffffff' });
      await writer.updateTable('jobs').set({ state }).where('id', '=', job.id).execute();
    });
    const young = await createCustomer(platform());
    const link = await connectCompany(platform(), young, service);
    await tell();
    assert.deepEqual(await heardBy(service, customer), [shareChanged]);
    assert.deepEqual(await heardBy(service, young), [connectionCreated]);
    assert.equal(await leftOver(), 0);
    // Left and come back, it is a customer as any other.
    await platform().must('DELETE', `/api/company-connections/${link.id}`, { token: young.token });
    await connectCompany(platform(), young, service);
    await publishShare(platform(), service, 'always');
    assert.deepEqual(await heardBy(service, young), [connectionCreated, shareChanged]);
  });

  test('an event that another act raises comes after what is owed, and the job does not tell it again', async () => {
    const { service, customer, link } = await connected();
    await replaceKey(service);
    // No act of today raises any other event for a connection that stays: one is made up.
    await platform().context.database.write(async (writer) => {
      await lock(platform().engine, writer, 'services', [service.id]);
      const row = { id: link.linkId, group_id: link.id, customer_id: customer.company.id };
      const codes = { id: service.id, share_code: service.code, company_code: provider.code };
      await platform().context.outbox.raise(
        writer,
        [],
        [accountEvent(shareChanged, codes, row, customer.company.code)],
      );
    });
    assert.deepEqual(await heardBy(service, customer), [serviceKeyRotated, shareChanged]);
    assert.equal(await leftOver(), 1);
    await tell();
    assert.deepEqual(await heardBy(service, customer), [serviceKeyRotated, shareChanged]);
    assert.equal(await leftOver(), 0);
  });

  test('an event for the customer that was notified last adds nothing', async () => {
    const { service, customer, link } = await connected();
    await replaceKey(service);
    await platform().context.database.write(async (writer) => {
      const job = await writer
        .selectFrom('jobs')
        .selectAll()
        .where('service_id', '=', service.id)
        .where('finished_at', 'is', null)
        .executeTakeFirstOrThrow();
      const state = JSON.stringify({ ...JSON.parse(job.state), after: link.linkId });
      await writer.updateTable('jobs').set({ state }).where('id', '=', job.id).execute();
    });
    const row = { id: link.linkId, group_id: link.id, customer_id: customer.company.id };
    const codes = { id: service.id, share_code: service.code, company_code: provider.code };
    await platform().context.database.write(async (writer) => {
      await lock(platform().engine, writer, 'services', [service.id]);
      const event = accountEvent(shareChanged, codes, row, customer.company.code);
      await platform().context.outbox.raise(writer, [], [event]);
    });
    assert.deepEqual(await heardBy(service, customer), [shareChanged]);
    assert.equal(await leftOver(), 0);
    await tell();
    assert.deepEqual(await heardBy(service, customer), [shareChanged]);
  });

  test('an event keeps the time of its act and the codes of then', async () => {
    const { service, customer } = await connected();
    const at = platform().clock.now();
    await publishLater(service);
    platform().clock.advance(60_000);
    await platform().must('PUT', `/api/services/${service.id}/share-code`, {
      token: provider.token,
      body: { share_code: 'NEWCODE' },
    });
    await tell();
    const row = await platform()
      .context.database.reader.selectFrom('changes')
      .selectAll()
      .where('feed', '=', customer.company.id)
      .executeTakeFirstOrThrow();
    assert.equal(row.at, at);
    assert.equal(JSON.parse(row.payload).service_share_code, service.code);
  });

  test('the latest of several acts counts for who has not drained the others', async () => {
    const service = await createService(platform(), provider);
    await insertCompanyCustomers(platform(), service, 40);
    for (const value of ['one', 'two', 'three']) await publishLater(service, value);
    await tell();
    const feeds = await heard(service);
    assert.equal(feeds.size, 40);
    for (const events of feeds.values()) assert.deepEqual(events, [shareChanged]);
  });

  test('a worker that ends between two steps leaves whole steps, and the next one goes on', async () => {
    const service = await createService(platform(), provider);
    await insertCompanyCustomers(platform(), service, 100);
    await replaceKey(service);
    const { context } = platform();
    let writes = 0;
    const dying: Database = {
      ...context.database,
      async write<T>(work: (writer: Writer) => Promise<T>) {
        return context.database.write(async (writer) => {
          const result = await work(writer);
          // The second step does all its work, and is killed before its commit.
          if (++writes > 1) throw new Error('killed');
          return result;
        });
      },
    };
    const log = { ...context.log, error() {} } as unknown as typeof context.log;
    await new JobWorker({ ...context, database: dying, log }).run();
    const some = await heard(service);
    const job = await context.database.reader
      .selectFrom('jobs')
      .selectAll()
      .where('service_id', '=', service.id)
      .executeTakeFirstOrThrow();
    assert.ok(some.size > 0 && some.size < 100);
    assert.deepEqual([job.done, job.total, job.finished_at], [some.size, 100, null]);
    await tell();
    const all = await heard(service);
    assert.equal(all.size, 100);
    for (const events of all.values()) assert.deepEqual(events, [serviceKeyRotated]);
  });

  test('two workers and customers that leave meanwhile: each is notified once, before the end', async () => {
    const service = await createService(platform(), provider);
    const rows = await insertCompanyCustomers(platform(), service, 150);
    await replaceKey(service);
    await publishLater(service);
    const { context } = platform();
    const leaving = rows.filter((_, index) => index % 3 === 0);
    await Promise.all([
      context.jobWorker.run(),
      new JobWorker(context).run(),
      (async () => {
        // From the end, so that they meet the job on its way.
        for (const row of leaving.toReversed()) await end(row);
      })(),
    ]);
    await tell();
    const feeds = await heard(service);
    assert.equal(feeds.size, rows.length);
    for (const row of rows) {
      const ends = leaving.includes(row) ? [connectionDeleted] : [];
      assert.deepEqual(feeds.get(row.customer_id), [serviceKeyRotated, shareChanged, ...ends]);
    }
    assert.equal(await leftOver(), 0);
  });

  test('a service that is deleted meanwhile still tells what it owes, then its end', async () => {
    const { service, customer } = await connected();
    await replaceKey(service);
    await platform().must('DELETE', `/api/services/${service.id}?confirm=true`, { token: provider.token });
    await tell();
    assert.deepEqual(await heardBy(service, customer), [serviceKeyRotated, connectionDeleted]);
  });
});
