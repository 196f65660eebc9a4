import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Calls } from './support/calls.ts';
import { seedLarge } from './support/large.ts';
import { machine } from './support/machine.ts';
import { dataFolder } from './support/platform.ts';
import { type Reading, Readings } from './support/readings.ts';
import { figure, markdownTable } from './support/report.ts';
import {
  backup,
  dataTokenOf,
  drains,
  lastActs,
  operatorOperations,
  personOperations,
  readOperations,
  type Scene,
  serviceActs,
} from './support/scale-operations.ts';
import { type Engine, Stack } from './support/stack.ts';

/*
 * node bench/scale.ts --sizes 10k,100k,1M --engines sqlite,postgres
 *
 * What each operation costs on a platform with a service of so many connections. Every run of an engine and a size is kept
 * in the folder of the results, so that the large ones can be made one by one; scale.md is written from all that are there.
 *
 * --out       folder of the results
 * --source    a checkout of another version, which is measured instead of this one
 * --seed-with a checkout of an older version that makes the database: the first start then migrates it
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10k,100k,1M' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    out: { type: 'string', default: join(import.meta.dirname, 'results', 'scale') },
    source: { type: 'string' },
    'seed-with': { type: 'string' },
  },
});

interface Run {
  readonly engine: Engine;
  readonly size: number;
  readonly at: string;
  readonly machine: string;
  readonly migrated: boolean;
  readonly readings: Readonly<Record<string, Reading>>;
  /** What is no duration: bytes. */
  readonly bytes: Readonly<Record<string, number>>;
}

const SIZES: Readonly<Record<string, number>> = { '1k': 1e3, '10k': 1e4, '100k': 1e5, '1M': 1e6 };
const nameOf = (size: number) =>
  Object.entries(SIZES).find(([, value]) => value === size)?.[0] ?? String(size);

async function measure(engine: Engine, size: number): Promise<void> {
  await using stack = await Stack.create(engine);
  const source = options.source === undefined ? undefined : resolve(options.source);
  const seedWith = options['seed-with'] === undefined ? source : resolve(options['seed-with']);
  console.error(`${engine}, ${nameOf(size)}`);
  const world = await seedLarge(stack, size, seedWith);
  console.error(`  seeded in ${figure(world.seededMs / 1000)} s`);
  const bytes: Record<string, number> = { database: await sizeOf(stack) };
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
    async () => (engine === 'postgres' ? twoProcesses(scene, source) : undefined),
    () => backupAndRestore(scene, bytes, source),
    () => lastActs(scene),
    async () => {
      bytes['resident, at most'] = (await stack.platform.usage()).peakRss;
    },
  ];
  const migrated = seedWith !== source;
  const { cpu, cores, node } = machine();
  try {
    for (const step of steps) {
      await step();
      // What was measured so far is kept: the end of a large run is hours away, or somebody's patience.
      await keep({
        engine,
        size,
        at: new Date().toISOString(),
        machine: `${cpu}, ${cores} cores, Node ${node}`,
        migrated,
        readings: { ...readings, ...scene.readings.all },
        bytes,
      });
    }
  } finally {
    await calls.close();
  }
}

async function keep(run: Run): Promise<void> {
  await writeFile(
    join(options.out, `${run.engine}-${nameOf(run.size)}.json`),
    `${JSON.stringify(run, null, 1)}\n`,
  );
}

async function sizeOf(stack: Stack): Promise<number> {
  await using sql = await stack.sql();
  return await sql.size();
}

/** How long the changes that are left take to drain by two consumers, at one process and at two: milliseconds for 1,000. */
async function twoProcesses(scene: Scene, source: string | undefined): Promise<void> {
  const { stack, calls, readings } = scene;
  const token = await dataTokenOf(scene);
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

const shown = (value: number | undefined) =>
  value === undefined ? '' : Number.isNaN(value) ? '–' : figure(value, value < 10 ? 1 : 0);

await mkdir(options.out, { recursive: true });
const list = (text: string) => text.split(',').map((part) => part.trim());
for (const size of list(options.sizes)) {
  for (const engine of list(options.engines) as Engine[]) {
    await measure(engine, SIZES[size] ?? Number(size));
  }
}
const files = (await readdir(options.out)).filter((name) => name.endsWith('.json'));
const runs = await Promise.all(
  files.map(
    async (name) =>
      JSON.parse(await readFile(join(options.out, name), 'utf8'), (_, value) => value ?? Number.NaN) as Run,
  ),
);
await writeFile(`${options.out}.md`, `${page(runs)}\n`);
console.log(page(runs));
