import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parsedArguments } from '../scripts/usage.ts';
import { Calls, type TimedCall } from './support/calls.ts';
import { Child } from './support/child.ts';
import { type Act, openDay } from './support/day.ts';
import { machine } from './support/machine.ts';
import { type Counters, metered } from './support/metered.ts';
import { statOf } from './support/process-usage.ts';
import { rounds, sized, warmUps } from './support/setting.ts';
import type { Sql } from './support/sql.ts';
import { type Engine, Stack } from './support/stack.ts';

/*
 * npm run bench costs [-- --engines sqlite,postgres]
 *
 * What each thing that companies and people do costs: processor time of the platform and of PostgreSQL, rows written, commits, bytes
 * of the write-ahead log and of the database. `bench/plan.ts` reckons with what this writes.
 */
const CUSTOMERS = sized(48, 2);
/** More would wait for the lock of the one service until they are refused, where PostgreSQL is slow. */
const CONNECTIONS = 4;
const WARM_UP = warmUps(2);
/** Acts, in rounds of as many as there are customers. */
const ROUNDS = rounds(6);
/** After so long a session of PostgreSQL has told what it did. */
const TELLING_MS = sized(1_500, 50);

/** What one of something costs. CPU in microseconds, the rest in rows, commits and bytes. */
export interface Cost {
  readonly platformCpu: number;
  readonly databaseCpu: number;
  readonly rows: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly databaseBytes: number;
}

export interface Costs {
  readonly engine: Engine;
  readonly at: string;
  readonly machine: string;
  /** How often each act was done. */
  readonly times: number;
  readonly acts: Readonly<Record<string, Cost>>;
}

export async function costs(engine: Engine): Promise<Costs> {
  await using stack = await Stack.create(engine);
  await stack.start();
  await using sql = await stack.sql();
  const { platform } = stack;
  const calls = new Calls(platform.url, CONNECTIONS);
  const send = (all: readonly TimedCall[]) =>
    Promise.all(
      all.map(async (call) => {
        const { status, text } = await calls.send(call);
        if (status > 299) throw new Error(`${call.method} ${call.path}: ${status} ${text}`);
        return text;
      }),
    );
  const nothing = async () => ({});
  const read = async (): Promise<Counters> => {
    if (engine === 'postgres') await pause(TELLING_MS);
    const { cpuMicros: platformCpu } = await platform.usage();
    return { platformCpu, ...(await databaseCounters(sql)) };
  };
  try {
    const day = await openDay(platform, sql, CUSTOMERS);
    const acts: Record<string, Cost> = {};
    const measure = async (name: string, work: (count: number) => Promise<unknown>, act?: Act, part = 1) => {
      const count = Math.max(1, Math.round(CUSTOMERS * part));
      for (let round = 0; round < WARM_UP; round++) {
        await act?.prepare?.(count);
        await work(count);
      }
      await act?.prepare?.(count * ROUNDS);
      const before = await read();
      for (let round = 0; round < ROUNDS; round++) await work(count);
      const after = await read();
      const each = (counter: keyof Cost) =>
        Math.max(0, ((after[counter] ?? 0) - (before[counter] ?? 0)) / (count * ROUNDS));
      console.error(`  ${name}`);
      acts[name] = {
        platformCpu: each('platformCpu'),
        databaseCpu: each('databaseCpu'),
        rows: each('rows'),
        commits: each('commits'),
        walBytes: each('walBytes'),
        databaseBytes: each('databaseBytes'),
      };
    };
    for (const [name, act] of Object.entries(day.acts)) {
      // The exchange is a part of the sign-in.
      if (name === 'code exchange') continue;
      const steps = { steps: act.steps };
      await measure(name, (count) => metered(steps, count, send, nothing), act, name === 'drain' ? 0.25 : 1);
    }
    const sink = await Child.start<string>('sink.ts');
    const { id, company } = day.service;
    const body = { url: `${sink.ready}/hook` };
    await platform.must('POST', `/api/services/${id}/webhooks`, { token: company.token, body });
    await measure('edit with a delivery', async (count) => {
      const arrived = sink.ask({ expect: count });
      await metered(day.acts.edit, count, send, nothing);
      await arrived;
    });
    await sink.stop();
    const { cpu, cores, node } = machine();
    const times = CUSTOMERS * ROUNDS;
    const on = `${cpu}, ${cores} cores, Node ${node}`;
    return { engine, at: new Date().toISOString(), machine: on, times, acts };
  } finally {
    await calls.close();
  }
}

/** Without the sessions' own part these would be those of the whole server: nobody else uses it. */
async function databaseCounters(sql: Sql): Promise<Counters> {
  if (sql.engine === 'sqlite') return { databaseBytes: await sql.size() };
  const [told] = await sql.all<Record<string, string | number>>(
    `select pg_backend_pid() as pid, xact_commit as commits, tup_inserted + tup_updated + tup_deleted as rows,
            pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal, pg_database_size(datname) as bytes
     from pg_stat_database where datname = current_database()`,
  );
  return {
    databaseCpu: serverMicros(Number(told?.pid)),
    rows: Number(told?.rows),
    commits: Number(told?.commits),
    walBytes: Number(told?.wal),
    databaseBytes: Number(told?.bytes),
  };
}

/** The processor time of PostgreSQL: of the parent of a session, all its other children, and those that ended. */
function serverMicros(session: number): number {
  const parent = statOf(session).parent;
  let seconds = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = statOf(Number(name));
      if (Number(name) === parent) seconds += stat.ownSeconds + stat.endedSeconds;
      else if (stat.parent === parent) seconds += stat.ownSeconds;
    } catch {
      // It has ended meanwhile.
    }
  }
  return seconds * 1e6;
}

if (import.meta.main) {
  const { values } = parsedArguments('npm run bench costs [-- --engines LIST] [--small]', {
    options: { engines: { type: 'string', default: 'sqlite,postgres' }, small: { type: 'boolean' } },
  });
  const folder = join(import.meta.dirname, 'results', 'costs');
  await mkdir(folder, { recursive: true });
  for (const engine of values.engines.split(',') as Engine[]) {
    const measured = await costs(engine);
    console.table(measured.acts);
    if (values.small !== true)
      await writeFile(join(folder, `${engine}.json`), `${JSON.stringify(measured, null, 1)}\n`);
  }
}
