import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event } from '@symbolon/protocol';
import {
  createDataClient,
  createService,
  createWebhook,
  registerCompany,
  registerPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCompanyCustomers, insertCustomer } from '@symbolon/testkit/platform/rows';
import { sql } from 'kysely';
import { systemTimers } from '../../../core/timers.ts';
import { inSteps } from '../../../db/expired-rows.ts';
import { countOf, countsByKey, sumUp } from './store.ts';
import type { CountedTable } from './tables.ts';

/** What tells the counts of a table apart, as a query for what they must be. */
const KEYS: Record<CountedTable, string> = {
  changes: "''",
  webhook_events: 'webhook_id',
  connections: "''",
  company_customers: 'service_id',
  services: "''",
  clients: "''",
  webhooks: 'health',
  persons: "coalesce(region, '')",
  companies: "coalesce(region, '') || ' ' || level",
  audit_log: 'company_id',
  service_logs: 'service_id',
  operator_acts: "''",
  company_moves: "''",
  documents: "case when deleted_at is null then service_id || ' ' || status else '' end",
};
/** What is not all rows of the table of its name. */
const PARTS: Partial<Record<CountedTable, string>> = {
  company_customers: "connections where customer_type = 'company'",
};
const TABLES = Object.keys(KEYS) as CountedTable[];

onEachEngine('counts of rows', (platform) => {
  const agree = async (when: string) => {
    const { engine, reader, schema } = platform().context.database;
    for (const table of TABLES) {
      const { rows } = await sql<{ key: string; n: number }>`
        select ${sql.raw(KEYS[table])} as key, count(*) as n from ${sql.raw(PARTS[table] ?? table)} group by 1 order by 1
      `.execute(schema);
      const counted = [...(await countsByKey(engine, reader, table))].sort(([one], [other]) =>
        one < other ? -1 : 1,
      );
      const expected = rows
        .map((row): [string, number] => [row.key, Number(row.n)])
        .sort(([one], [other]) => (one < other ? -1 : 1));
      assert.deepEqual(counted, expected, `${table} ${when}`);
    }
  };
  const summedUp = async () => {
    const { database } = platform().context;
    if (database.engine === 'postgres') await inSteps({ database, timers: systemTimers }, sumUp);
  };
  const busyLife = async (on: TestPlatform) => {
    const company = await registerCompany(on);
    const service = await createService(on, company);
    await registerPerson(on);
    const webhook = await createWebhook(on, service, {
      url: 'https://receiver.example/hook',
      auth_type: 'none',
    });
    for (let n = 0; n < 3; n++)
      await raise(on, service, await insertCustomer(on, service), Event.connectionCreated);
    const companies = await insertCompanyCustomers(on, service, 3);
    const made = await createDataClient(on, service);
    const data = await tokenFor(on, made.clientId, made.clientSecret);
    for (const name of ['first', 'second', 'third'])
      await on.must('POST', '/api/company-data/documents', {
        token: data,
        body: { kind: 'document', name, payload_kind: 'json', value: {} },
      });
    return { company, service, webhook, companies };
  };

  test('they are what counting would give, as rows come, change and go', async () => {
    await agree('in an empty database');
    const { company, service, webhook, companies } = await busyLife(platform());
    const { database } = platform().context;
    await agree('after rows came');
    await summedUp();
    await agree('after they were summed up');
    const set = (table: 'webhooks' | 'companies' | 'documents' | 'persons', change: string) =>
      database.write(async (writer) => {
        await sql`update ${sql.table(table)} set ${sql.raw(change)}`.execute(writer);
      });
    await set('webhooks', "health = 'bad'");
    await set('companies', "level = 'pro'");
    await set('documents', "status = 'ended' where name = 'first'");
    await set('documents', "deleted_at = 1 where name = 'second'");
    await set('persons', "region = 'elsewhere'");
    await agree('after keys changed');
    await set('persons', 'region = null');
    await database.write(async (writer) => {
      const [first] = await writer
        .selectFrom('webhook_events')
        .select('seq')
        .orderBy('seq')
        .limit(1)
        .execute();
      await writer
        .deleteFrom('webhook_events')
        .where('seq', '=', first?.seq ?? 0)
        .execute();
      await writer.deleteFrom('changes').where('seq', '<', 0).execute();
    });
    await agree('after one row went, and none');
    await database.write(async (writer) => {
      const ids = companies.slice(1).map(({ id }) => id);
      await writer.deleteFrom('connections').where('id', 'in', ids).execute();
    });
    assert.equal(await countOf(database.engine, database.reader, 'company_customers', service.id), 1);
    await agree('after two companies went');
    await platform().must('DELETE', `/api/services/${service.id}/webhooks/${webhook.id}`, {
      token: company.token,
    });
    await summedUp();
    await agree('after many went');
    const { reader } = database;
    const kept = await reader
      .selectFrom('row_counts')
      .select('n')
      .where('kind', '=', 'webhook_events')
      .execute();
    assert.deepEqual(kept, [], 'a queue that is empty leaves no count');
  });

  test('a transaction that is undone counts nothing', async () => {
    const { database } = platform().context;
    const before = await countOf(database.engine, database.reader, 'operator_acts');
    const undone = new Error('undone');
    await assert.rejects(
      database.write(async (writer) => {
        await writer
          .insertInto('operator_acts')
          .values({ id: 'act', act: 'test', subject: null, details: '{}', source: '', at: 1 })
          .execute();
        assert.equal(await countOf(database.engine, writer, 'operator_acts'), before + 1);
        throw undone;
      }),
      undone,
    );
    assert.equal(await countOf(database.engine, database.reader, 'operator_acts'), before);
  });

  test('transactions that change the same count do not wait for each other, nor for the sum', async () => {
    const { database } = platform().context;
    if (database.engine === 'sqlite') return;
    const before = await countOf('postgres', database.reader, 'operator_acts');
    const act = (id: string) => ({ id, act: 'test', subject: null, details: '{}', source: '', at: 1 });
    // Each one is committed while the one around it is open.
    await database.write(async (outer) => {
      await outer
        .insertInto('operator_acts')
        .values([act('a'), act('b')])
        .execute();
      await database.write(async (inner) => {
        await inner.insertInto('operator_acts').values(act('c')).execute();
        await summedUp();
      });
      await summedUp();
      assert.equal(await countOf('postgres', database.reader, 'operator_acts'), before + 1);
    });
    assert.equal(await countOf('postgres', database.reader, 'operator_acts'), before + 3);
    await summedUp();
    assert.equal(await countOf('postgres', database.reader, 'operator_acts'), before + 3);
    const left = await database.reader.selectFrom('row_count_changes').select('n').execute();
    assert.deepEqual(left, []);
  });
});
