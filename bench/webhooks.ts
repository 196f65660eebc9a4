import { DatabaseSync } from 'node:sqlite';
import { createService, registerCompany, sealed, type TestService } from '@symbolon/testkit/actors/actors';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import pg from 'pg';
import { databasePath } from '../packages/server/src/db/database-path.ts';
import { type BenchPerson, connectPerson, editOf, row } from './support/actors.ts';
import { Child } from './support/child.ts';
import { dataFolder, Platform } from './support/platform.ts';
import { atLeast, atMost, type Benchmark, figure, runAlone } from './support/report.ts';
import { rounds, sized } from './support/setting.ts';
import { median, pairedRatio, quantile } from './support/stats.ts';

const ROUNDS = rounds(3);
const EVENTS = sized(20_000, 100);
/** Sent before on either side and not counted: both start again each round, and run code that is not compiled yet. */
const WARM_UP = sized(5_000, 0);
/** Beside pg-boss, which starts again as well. */
const EVENTS_POSTGRES = sized(10_000, 50);
const COUNTS = sized([1, 100, 1000], [1]);
const PARKED = Number(process.env.BENCH_PARKED ?? sized(1_000_000, 50));
const FEW_PARKED = sized(1000, 20);
const REPLAYED = sized(50_000, 30);
const MOST_OF_SERVICE = 20;
const PERSONS = sized(20, 2);

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
  const scene = await setTheScene(await start(folder.path), sink.ready);
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
      const platform = await start(folder.path);
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

  const few = await replayPeak(folder.path, scene, sink, FEW_PARKED, FEW_PARKED);
  const many = await replayPeak(folder.path, scene, sink, PARKED, REPLAYED);
  rows.push([
    `peak memory, replaying of ${figure(FEW_PARKED, 0)} / of ${figure(PARKED, 0)} parked, MB`,
    `${figure(few)} / ${figure(many)}`,
    '',
    '',
  ]);
  bars.push(atMost('memory with all parked, of that with few', many / few, 1.5));

  const postgres = await startPostgres();
  if (postgres !== undefined) {
    await using other = await dataFolder();
    const environment = { DATABASE_URL: postgres.url };
    const there = await setTheScene(await start(other.path, environment), sink.ready);
    for (const count of COUNTS.slice(0, 2)) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < Math.min(3, ROUNDS); round++) {
        await seedPostgres(postgres.url, there.webhooks.slice(0, count), EVENTS_POSTGRES);
        const arrived = expect(sink, EVENTS_POSTGRES);
        const platform = await start(other.path, environment);
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
  /** The first service has one webhook, so that an edit there is one request. */
  readonly service: TestService;
}

function start(dataDir: string, environment: Record<string, string> = {}): Promise<Platform> {
  return Platform.start(dataDir, {
    SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true',
    ...environment,
  });
}

/** A company with enough services for a thousand webhooks, made through the API of a platform that then stops. */
async function setTheScene(platform: Platform, sinkUrl: string): Promise<Scene> {
  const company = await registerCompany(platform);
  const first = await createService(platform, company, [row('note')]);
  const webhooks: Scene['webhooks'][number][] = [];
  const add = async ({ id: serviceId }: TestService) => {
    const call = { token: company.token, body: { url: `${sinkUrl}/hook` } };
    const { id } = await platform.must('POST', `/api/services/${serviceId}/webhooks`, call);
    webhooks.push({ id, companyId: company.id, serviceId });
  };
  await add(first);
  const most = Math.max(...COUNTS);
  while (webhooks.length < most) {
    const service = await createService(platform, company);
    for (let index = 0; index < MOST_OF_SERVICE && webhooks.length < most; index++) await add(service);
  }
  await platform.stop();
  return { webhooks, service: first };
}

/** Arrivals at the sink: `count` of them, after as many as warm up. */
function expect(sink: Child<string>, count: number, { warmUp = 0, remember = false } = {}) {
  return sink.ask<{ rate: number; remembered: [string, number][] }>({ expect: count, warmUp, remember });
}

const COLUMNS =
  'id, company_id, service_id, webhook_id, customer_id, customer_type, share_code, event, payload, at';

/** Queues events past the API; the platform is not running. */
function seedSqlite(dataDir: string, webhooks: Scene['webhooks'], total: number): void {
  const database = new DatabaseSync(databasePath(dataDir));
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
  const platform = await start(dataDir);
  const value = await sealed('a note');
  const persons: BenchPerson[] = [];
  while (persons.length < PERSONS) persons.push(await connectPerson(platform, scene.service, 'note'));
  await expect(sink, PERSONS);
  const acknowledged = new Map<string, number[]>(persons.map(({ id }) => [id, []]));
  let begun = 0;
  let started = 0;
  const worker = async (person: BenchPerson, edits: number) => {
    const times = acknowledged.get(person.id);
    while (begun < edits) {
      const due = started + (begun++ / perSecond) * 1000;
      const early = due - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const { method, path, ...call } = editOf(person, value, [person]);
      await platform.must(method, path, call);
      times?.push(performance.timeOrigin + performance.now());
    }
  };
  const editAll = async (edits: number) => {
    begun = 0;
    started = performance.now();
    await Promise.all(persons.map((person) => worker(person, edits)));
  };
  // A platform that has just started compiles as it goes.
  const edits = Math.min(sized(2000, 10), Math.round(perSecond * 5));
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
  const platform = await start(dataDir);
  await arrived;
  const { peakRss } = await platform.usage();
  await platform.kill();
  const database = new DatabaseSync(databasePath(dataDir));
  database.exec('delete from webhook_events; vacuum');
  database.close();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await expect(sink, 0);
  return peakRss / 1e6;
}

if (import.meta.main) await runAlone(webhooks);
