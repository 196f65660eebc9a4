import { DatabaseSync } from 'node:sqlite';
import { createServiceKey, generateKeyPair, sealValue, serializeWrapper } from '@symbolon/crypto';
import { personAccount, portalAccount } from '@symbolon/testkit/actors/accounts';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import pg from 'pg';
import { Child } from './support/child.ts';
import { dataFolder } from './support/platform.ts';
import { atLeast, atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { databaseFile } from './support/seed.ts';
import { median, pairedRatio, quantile } from './support/stats.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const EVENTS = 40_000;
/** Sent before on either side and not counted: both start anew each round, and run code that is not compiled yet. */
const WARM_UP = 10_000;
/** Beside pg-boss, which starts anew as well. */
const EVENTS_POSTGRES = 10_000;
const COUNTS = [1, 100, 1000] as const;
const PARKED = Number(process.env.BENCH_PARKED ?? 1_000_000);
const MOST_OF_SERVICE = 20;
const PERSONS = 20;

/** What an event without a value weighs on the wire. */
const BODY = JSON.stringify({
  id: '01a1fd50-7c16-7679-a339-6261f412765f',
  event: 'connection_created',
  person_user_id: '01a1fd50-7865-7298-afa6-576c917ecb45',
  share_code: 'WP97Y6',
  at: '2026-11-21T08:54:32.726Z',
  customer_type: 'person',
});

/** Webhooks against a loopback sink, beside a bare loop that sends the same. */
export const webhooks: Benchmark = async () => {
  const sink = await Child.start<string>('sink.ts');
  const rows: (string | number)[][] = [];
  const bars = [];

  await using folder = await dataFolder();
  const scene = await setTheScene(folder.path, {}, sink.ready);
  let single = 0;
  for (const count of COUNTS) {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const loop = await Child.start<null>('webhook-loop.ts', [sink.ready]);
      const sent = loop.ask({ targets: count, total: WARM_UP + EVENTS, body: BODY });
      bare.push((await expect(sink, EVENTS, { warmUp: WARM_UP })).rate);
      await sent;
      await loop.stop();
      seedSqlite(folder.path, scene.webhooks.slice(0, count), WARM_UP + EVENTS);
      const arrived = expect(sink, EVENTS, { warmUp: WARM_UP });
      const platform = await Child.start<string>('platform.ts', [], { env: platformOn(folder.path, {}) });
      ours.push((await arrived).rate);
      await platform.stop();
    }
    if (count === 1) single = median(ours);
    rows.push([
      `${count} webhooks, SQLite`,
      figure(median(ours)),
      figure(median(bare)),
      figure(pairedRatio(ours, bare), 2),
    ]);
    bars.push(atLeast(`of a bare loop, ${count} webhooks`, pairedRatio(ours, bare), 0.6));
  }

  const latencies = await latency(folder.path, scene, sink, single / 10);
  rows.push([
    `edit acknowledged → request at the sink, ms, p50 / p99`,
    `${figure(quantile(latencies, 0.5))} / ${figure(quantile(latencies, 0.99))}`,
    '',
    '',
  ]);
  bars.push(atMost('p99 from edit to request, at a tenth of the load', quantile(latencies, 0.99), 50, ' ms'));

  const few = await replayPeak(folder.path, scene, sink, 1000, 1000);
  const many = await replayPeak(folder.path, scene, sink, PARKED, 50_000);
  rows.push([
    `peak memory, replaying of 1,000 / of ${PARKED.toLocaleString('en-US')} parked, MB`,
    `${figure(few)} / ${figure(many)}`,
    '',
    '',
  ]);
  bars.push(atMost('memory with all parked, of that with few', many / few, 1.5));

  const postgres = await startPostgres();
  if (postgres !== undefined) {
    await using other = await dataFolder();
    const environment = { DATABASE_URL: postgres.url };
    const there = await setTheScene(other.path, environment, sink.ready);
    for (const count of [1, 100] as const) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < Math.min(3, ROUNDS); round++) {
        await seedPostgres(postgres.url, there.webhooks.slice(0, count), EVENTS_POSTGRES);
        const arrived = expect(sink, EVENTS_POSTGRES);
        const platform = await Child.start<string>('platform.ts', [], {
          env: platformOn(other.path, environment),
        });
        ours.push((await arrived).rate);
        await platform.stop();
        const boss = await Child.start<null>('boss-loop.ts', [postgres.url, sink.ready]);
        const done = expect(sink, EVENTS_POSTGRES);
        await boss.ask({ targets: count, total: EVENTS_POSTGRES, body: BODY });
        theirs.push((await done).rate);
        await boss.kill();
      }
      rows.push([
        `${count} webhooks, PostgreSQL, beside pg-boss`,
        figure(median(ours)),
        figure(median(theirs)),
        figure(pairedRatio(ours, theirs), 2),
      ]);
      bars.push(atLeast(`of pg-boss, ${count} webhooks`, pairedRatio(ours, theirs), 1));
    }
    await postgres.stop();
  }
  await sink.stop();
  return {
    title: 'Webhooks',
    how: `${figure(EVENTS)} queued events of ${BODY.length} bytes after ${figure(WARM_UP)} that warm either side up, HMAC, one POST in flight a webhook, sender and sink in processes of their own; first to last arrival at the sink, ${ROUNDS} interleaved rounds, medians. Beside it a bare undici loop with as many targets; on PostgreSQL ${figure(EVENTS_POSTGRES)} events and no warm-up, beside pg-boss with as many workers (at most 20).`,
    table: { head: ['what', 'Symbolon events/s', 'other side events/s', 'ratio'], rows },
    bars,
  };
};

interface Scene {
  readonly webhooks: readonly { id: string; companyId: string; serviceId: string }[];
  readonly service: { id: string; companyCode: string; code: string; rowId: string };
}

function platformOn(dataDir: string, environment: Record<string, string>): Record<string, string> {
  return {
    SYMBOLON_PORT: '0',
    SYMBOLON_DATA_DIR: dataDir,
    SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    SYMBOLON_RATE_TOKEN: '0',
    SYMBOLON_RATE_DEFAULT: '0',
    ...environment,
  };
}

/** A company with enough services for a thousand webhooks, made through the API. */
async function setTheScene(
  dataDir: string,
  environment: Record<string, string>,
  sinkUrl: string,
): Promise<Scene> {
  const platform = await Child.start<string>('platform.ts', [], { env: platformOn(dataDir, environment) });
  const call = callerOf(platform.ready);
  const keys = await generateKeyPair();
  const wrapped = (await createServiceKey()).encryptedPrivateKey;
  const { token, company } = await call('POST', '/api/portal/register', undefined, {
    email: `bench-${crypto.randomUUID()}@example.com`,
    account: portalAccount(keys.publicKey, 'Bench'),
  });
  const webhooks = [];
  let first: Scene['service'] | undefined;
  // The first service has one webhook, so that an edit there is one request.
  while (webhooks.length < Math.max(...COUNTS)) {
    const service = await call('POST', '/api/services', token, {
      name: 'Bench',
      admin_email: 'admin@example.com',
      public_key: keys.publicKey,
      encrypted_private_key: wrapped,
    });
    for (
      let index = 0;
      index < (first === undefined ? 1 : MOST_OF_SERVICE) && webhooks.length < Math.max(...COUNTS);
      index++
    ) {
      const { id } = await call('POST', `/api/services/${service.id}/webhooks`, token, {
        url: `${sinkUrl}/hook`,
      });
      webhooks.push({ id, companyId: company.company_user_id, serviceId: service.id });
    }
    if (first === undefined) {
      const path = `/api/services/${service.id}/request-fields`;
      const { config_token } = await call('GET', path, token);
      const published = await call('PUT', path, token, {
        config_token,
        request_fields: [{ slug: 'note', label: 'Note', type: 'text' }],
      });
      first = {
        id: service.id,
        companyCode: company.company_code,
        code: service.share_code,
        rowId: published.request_fields[0].id,
      };
    }
  }
  await platform.stop();
  if (first === undefined) throw new Error('There is no service.');
  return { webhooks, service: first };
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers freely
type Answer = any;

function callerOf(
  url: string,
): (method: string, path: string, token?: string, json?: unknown) => Promise<Answer> {
  return async (method, path, token, json) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

/** Arrivals at the sink: `count` of them, after as many as warm up. */
function expect(sink: Child<string>, count: number, { warmUp = 0, remember = false } = {}) {
  return sink.ask<{ rate: number; remembered: [string, number][] }>({ expect: count, warmUp, remember });
}

const COLUMNS =
  'id, company_id, service_id, webhook_id, customer_id, customer_type, share_code, event, payload, at';

/** Queues events past the API; the platform is not running. */
function seedSqlite(dataDir: string, webhooks: Scene['webhooks'], total: number): void {
  const database = new DatabaseSync(databaseFile(dataDir));
  database.exec('pragma synchronous = off; begin');
  const insert = database.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < :each)
     insert into webhook_events (${COLUMNS})
     select lower(hex(randomblob(16))), :company, :service, :webhook, 'person', 'person', 'WP97Y6', 'connection_created', '{}', :at from n`,
  );
  for (const { id, companyId, serviceId } of webhooks) {
    insert.run({
      each: Math.ceil(total / webhooks.length),
      company: companyId,
      service: serviceId,
      webhook: id,
      at: Date.now(),
    });
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
}

async function seedPostgres(url: string, webhooks: Scene['webhooks'], total: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const { id, companyId, serviceId } of webhooks) {
    await client.query(
      `insert into webhook_events (${COLUMNS})
       select gen_random_uuid()::text, $1, $2, $3, 'person', 'person', 'WP97Y6', 'connection_created', '{}', $4::bigint
       from generate_series(1, $5::int)`,
      [companyId, serviceId, id, Date.now(), Math.ceil(total / webhooks.length)],
    );
  }
  await client.query('analyze webhook_events');
  await client.end();
}

/** Milliseconds from the answer to an edit to the request at the sink, at `perSecond` edits, on a platform that is warm. */
async function latency(
  dataDir: string,
  scene: Scene,
  sink: Child<string>,
  perSecond: number,
): Promise<number[]> {
  const platform = await Child.start<string>('platform.ts', [], { env: platformOn(dataDir, {}) });
  const call = callerOf(platform.ready);
  const keys = await generateKeyPair();
  const value = serializeWrapper(await sealValue('a note', keys.publicKey));
  const persons: { id: string; token: string; field: string; connection: string }[] = [];
  for (let index = 0; index < PERSONS; index++) {
    const session = await call('POST', '/api/person/register', undefined, {
      email: `person-${crypto.randomUUID()}@example.com`,
      account: personAccount(keys.publicKey),
    });
    const token: string = session.access_token;
    const field = await call('POST', '/api/person/fields', token, {
      type: 'text',
      slug: 'note',
      label: 'Note',
      value,
    });
    const connection = await call('POST', '/api/person/connections', token, {
      company_code: scene.service.companyCode,
      service_code: scene.service.code,
      decisions: [{ request_field_id: scene.service.rowId, kind: 'live', field_id: field.id, value }],
    });
    persons.push({
      id: session.person.person_user_id,
      token,
      field: field.id,
      connection: connection.connection_id,
    });
  }
  await expect(sink, PERSONS);
  const acknowledged = new Map<string, number[]>(persons.map(({ id }) => [id, []]));
  let begun = 0;
  let started = 0;
  const worker = async (person: (typeof persons)[number], edits: number) => {
    const times = acknowledged.get(person.id);
    while (begun < edits) {
      const due = started + (begun++ / perSecond) * 1000;
      const early = due - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      await call('PUT', `/api/person/fields/${person.field}`, person.token, {
        value,
        copies: [{ connection_id: person.connection, request_field_id: scene.service.rowId, value }],
      });
      times?.push(performance.timeOrigin + performance.now());
    }
  };
  const editAll = async (edits: number) => {
    begun = 0;
    started = performance.now();
    await Promise.all(persons.map((person) => worker(person, edits)));
  };
  // A platform that has just started compiles as it goes.
  const edits = Math.min(2000, Math.round(perSecond * 5));
  const warm = expect(sink, edits, { remember: true });
  await editAll(edits);
  await warm;
  for (const times of acknowledged.values()) times.length = 0;
  const arrived = expect(sink, edits);
  await editAll(edits);
  const { remembered } = await arrived;
  await platform.stop();
  const taken = new Map<string, number>();
  return remembered.map(([person, at]) => {
    const index = taken.get(person) ?? 0;
    taken.set(person, index + 1);
    return Math.max(0, at - (acknowledged.get(person)?.[index] ?? at));
  });
}

/** Peak memory in MB of a platform that replays some of what is parked. */
async function replayPeak(
  dataDir: string,
  scene: Scene,
  sink: Child<string>,
  parked: number,
  replayed: number,
): Promise<number> {
  seedSqlite(dataDir, scene.webhooks.slice(0, 1), parked);
  const arrived = expect(sink, replayed);
  const platform = await Child.start<string>('platform.ts', [], { env: platformOn(dataDir, {}) });
  await arrived;
  const { peakRss } = await platform.usage();
  await platform.kill();
  const database = new DatabaseSync(databaseFile(dataDir));
  database.exec('delete from webhook_events; vacuum');
  database.close();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await expect(sink, 0);
  return peakRss / 1e6;
}

if (import.meta.main) await runAlone(webhooks);
