import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataToken } from './support/actors.ts';
import { Calls } from './support/calls.ts';
import { type KeptRun, measureAndKeep, nameOf } from './support/kept-runs.ts';
import { dataFolder } from './support/platform.ts';
import { type Reading, Readings } from './support/readings.ts';
import { figure, markdownTable } from './support/report.ts';
import {
  backup,
  drains,
  lastActs,
  operatorOperations,
  personOperations,
  readOperations,
  type Scene,
  serviceActs,
} from './support/scale-operations.ts';
import type { Stack } from './support/stack.ts';

/*
 * node bench/scale.ts --sizes 10k,100k,1M --engines sqlite,postgres [--seed-with checkout] …
 *
 * What each operation costs on a platform with a service of so many connections.
 */
interface Run extends KeptRun {
  readonly size: number;
  readonly migrated: boolean;
  readonly readings: Readonly<Record<string, Reading>>;
  /** What is no duration: bytes. */
  readonly bytes: Readonly<Record<string, number>>;
}

export const scale = () =>
  measureAndKeep<Run>('scale', {
    sizes: '10k,100k,1M',
    page,
    async measure({ stack, world, source, seedWith, keep }) {
      console.error(`  seeded in ${figure(world.seededMs / 1000)} s`);
      const bytes: Record<string, number> = { database: await bytesOf(stack) };
      const readings: Record<string, Reading> = {};
      if (seedWith !== source) {
        readings['first start, with migrations'] = {
          ms: await stack.start(source),
          loopMs: Number.NaN,
          turnMs: Number.NaN,
        };
        await stack.stopPlatform();
      }
      readings.start = { ms: await stack.start(source), loopMs: Number.NaN, turnMs: Number.NaN };
      console.error(`  start: ${figure(readings.start.ms)} ms`);

      const calls = new Calls(stack.platform.url);
      const scene: Scene = { stack, world, calls, readings: new Readings(stack.platform) };
      const steps: readonly (() => Promise<void>)[] = [
        () => readOperations(scene),
        async () => {
          bytes['resident after reads'] = (await stack.platform.usage()).rss;
        },
        () => personOperations(scene),
        () => operatorOperations(scene),
        () => serviceActs(scene),
        async () => (stack.engine === 'postgres' ? twoProcesses(scene, source) : undefined),
        () => backupAndRestore(scene, bytes, source),
        () => lastActs(scene),
        async () => {
          bytes['resident, at most'] = (await stack.platform.usage()).peakRss;
        },
      ];
      const migrated = seedWith !== source;
      try {
        for (const step of steps) {
          await step();
          // What was measured so far is kept: a large run takes hours and may be interrupted.
          await keep({ size: world.size, migrated, readings: { ...readings, ...scene.readings.all }, bytes });
        }
      } finally {
        await calls.close();
      }
    },
  });

if (import.meta.main) console.log(await scale());

async function bytesOf(stack: Stack): Promise<number> {
  await using sql = await stack.sql();
  return await sql.size();
}

/** How long the changes that are left take to drain by two consumers, at one process and at two: milliseconds for 1,000. */
async function twoProcesses(scene: Scene, source: string | undefined): Promise<void> {
  const { stack, calls, readings, world } = scene;
  const token = await dataToken(calls, world.service);
  const ROUNDS = 4;
  const another = await stack.another(source);
  const elsewhere = new Calls(another.url);
  try {
    for (const [name, second] of [
      ['1,000 changes by 2 drains, one process', calls],
      ['1,000 changes by 2 drains, two processes', elsewhere],
    ] as const) {
      await readings.take(name, ROUNDS, async () => {
        const from = performance.now();
        await Promise.all([drains({ calls }, token)(), drains({ calls: second }, token)()]);
        return performance.now() - from;
      });
    }
  } finally {
    await elsewhere.close();
    await another.stop();
  }
}

async function backupAndRestore(
  scene: Scene,
  bytes: Record<string, number>,
  source: string | undefined,
): Promise<void> {
  await using folder = await dataFolder();
  await using place = await scene.stack.emptyPlace();
  const file = join(folder.path, 'symbolon.backup');
  bytes.backup = await backup(scene, file);
  const program = join(source ?? join(import.meta.dirname, '..'), 'packages/cli/src/main.ts');
  await scene.readings.take('restore', 1, async () => {
    const from = performance.now();
    await promisify(execFile)(process.execPath, [program, 'admin', 'restore', file, '--force'], {
      env: { ...process.env, ...place.environment },
    });
    return performance.now() - from;
  });
  await rm(file, { force: true });
}

/** One column for each size and, at the end, how much the largest costs of the smallest. */
function page(runs: readonly Run[]): string {
  const engines = [...new Set(runs.map(({ engine }) => engine))].sort().reverse();
  const columns = engines.flatMap((engine) => {
    const of = runs.filter((run) => run.engine === engine).sort((a, b) => a.size - b.size);
    return [...of.map((run) => ({ engine, run })), { engine, growth: [of[0], of.at(-1)] as const }];
  });
  const headOf = (column: (typeof columns)[number]) => {
    const { engine } = column;
    const short = engine === 'sqlite' ? 'SQLite' : 'PostgreSQL';
    return 'run' in column && column.run ? `${short} ${nameOf(column.run.size)}` : 'growth';
  };
  const table = (names: readonly string[], valueIn: (run: Run, name: string) => number | undefined) =>
    markdownTable({
      head: ['', ...columns.map(headOf)],
      rows: names.map((name) => [
        name,
        ...columns.map((column) => {
          if ('run' in column && column.run) return shown(valueIn(column.run, name));
          const [few, many] = 'growth' in column && column.growth ? column.growth : [];
          const [least, most] = [few, many].map((run) =>
            run === undefined ? undefined : valueIn(run, name),
          );
          return least === undefined || most === undefined ? '' : shown(most / least);
        }),
      ]),
    });
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.readings)))];
  const some = (part: keyof Reading) =>
    names.filter((name) =>
      runs.some(
        (run) => run.readings[name]?.[part] !== undefined && !Number.isNaN(run.readings[name]?.[part]),
      ),
    );
  const memory = [...new Set(runs.flatMap((run) => Object.keys(run.bytes)))];
  return [
    '# At scale',
    `One service with N connections of five answers each (440 characters sealed), N / 10 of its customers companies, N / 10 people with twenty fields, N undrained changes and N parked events of a webhook, beside fifty companies with ten services each. One process, over HTTP, rate limits off; database, platform and client share the machine (${runs[0]?.machine}). Written by \`node bench/scale.ts\`; the latest run is of ${runs
      .map(({ at }) => at)
      .sort()
      .at(-1)
      ?.slice(0, 10)}. Growth is the largest size by the smallest.`,
    '## Answered, median ms',
    table(names, (run, name) => run.readings[name]?.ms),
    '## Until all that an act leaves to the worker is done, ms',
    table(some('doneMs'), (run, name) => run.readings[name]?.doneMs),
    '## Longest delay of the event loop meanwhile, ms',
    table(some('loopMs'), (run, name) => run.readings[name]?.loopMs),
    '## Of it, the most processor time in one turn of the event loop, ms',
    'What other programs on the machine take is in the delay, and not in this.',
    table(some('turnMs'), (run, name) => run.readings[name]?.turnMs),
    '## Memory and disk, MB',
    table(memory, (run, name) => (run.bytes[name] === undefined ? undefined : run.bytes[name] / 1e6)),
    '## Database, bytes of a connection with its answers and its part of the rest',
    table(['bytes'], (run) => (run.bytes.database ?? 0) / run.size),
  ].join('\n\n');
}

function shown(value: number | undefined): string {
  if (value === undefined) return '';
  return Number.isNaN(value) ? '–' : figure(value, value < 10 ? 1 : 0);
}
