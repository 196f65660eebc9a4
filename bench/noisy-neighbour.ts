import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { tokenForm } from './support/actors.ts';
import { Calls } from './support/calls.ts';
import { type LargeWorld, seedLarge } from './support/large.ts';
import { deleteService, publish, replaceKey, row, settled } from './support/large-acts.ts';
import { machine } from './support/machine.ts';
import type { LoopDelay } from './support/platform.ts';
import { figure, markdownTable } from './support/report.ts';
import { type Latencies, SmallNeighbour } from './support/small-neighbour.ts';
import { type Engine, Stack } from './support/stack.ts';

/*
 * node bench/noisy-neighbour.ts --sizes 100k --engines sqlite,postgres [--out folder] [--source checkout]
 *
 * The calls of a small service while nothing else happens, and while a large one on the same platform publishes, replaces
 * its key, drains, is synchronised, and is deleted.
 */
const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100k' },
    engines: { type: 'string', default: 'sqlite,postgres' },
    out: { type: 'string', default: join(import.meta.dirname, 'results', 'noisy-neighbour') },
    source: { type: 'string' },
  },
});

const SIZES: Readonly<Record<string, number>> = { '1k': 1e3, '10k': 1e4, '100k': 1e5, '1M': 1e6 };
/** Short acts are repeated for so long, so that there are calls beside them. */
const PHASE_MS = 8_000;
const RATIO_MOST = 3;
const LOOP_MS_MOST = 50;

interface Phase {
  readonly name: string;
  /** The longest answer to the large service. */
  readonly answeredMs: number;
  readonly lastedMs: number;
  /** The longest delay of the event loop, and the most processor time in one of its turns. */
  readonly loop: LoopDelay;
  readonly small: Readonly<Record<string, Latencies>>;
}

interface Run {
  readonly engine: Engine;
  readonly size: string;
  readonly at: string;
  readonly machine: string;
  readonly phases: readonly Phase[];
}

async function measure(engine: Engine, size: string): Promise<Run> {
  await using stack = await Stack.create(engine);
  const source = options.source === undefined ? undefined : resolve(options.source);
  const world = await seedLarge(stack, SIZES[size] ?? Number(size), source);
  await stack.start(source);
  const calls = new Calls(stack.platform.url);
  const large = new Calls(stack.platform.url);
  const small = await SmallNeighbour.create(stack.platform, calls);
  const token = async () =>
    (
      await large.must<{ access_token: string }>({
        method: 'POST',
        path: '/oauth2/token',
        form: tokenForm(world.service),
      })
    ).body.access_token;
  const dataToken = await token();
  const pause = () => new Promise<number>((done) => setTimeout(() => done(Number.NaN), 100));
  const acts: Record<string, () => Promise<number>> = {
    // The first seconds of a process are not those of a quiet one.
    'warming up': pause,
    quiet: pause,
    // One more, one less: a list with a hundred open questions a connection would be another thing to measure.
    'publishes a row': () =>
      publish(large, world, (rows) =>
        rows.length > world.service.rows.length ? rows.slice(0, -1) : [...rows, row('one_more')],
      ),
    'removes an answered row': () => removeFirst(large, world),
    'replaces its key': () => replaceKey(large, world),
    drains: drain(large, dataToken),
    synchronises: synchronise(large, dataToken),
    'is deleted': () => deleteService(large, world),
  };
  const phases: Phase[] = [];
  try {
    for (const [name, act] of Object.entries(acts)) {
      await stack.platform.loopDelay();
      const from = performance.now();
      const answers: number[] = [];
      const work = async () => {
        do {
          answers.push(await act());
          await settled(large, world);
        } while (performance.now() - from < PHASE_MS && name !== 'is deleted' && !once.has(name));
        // What is left of the phase is quiet; a short act has its calls within it.
        while (performance.now() - from < PHASE_MS / 4) await pause();
      };
      const taken = await small.during(work());
      const lastedMs = performance.now() - from;
      phases.push({
        name,
        answeredMs: Math.max(...answers),
        lastedMs,
        loop: await stack.platform.loopDelay(),
        small: taken,
      });
      const p99 = Object.entries(taken).map(
        ([kind, { p99, refused }]) =>
          `${kind} ${p99.toFixed(1)}${Object.keys(refused).length > 0 ? ` ${JSON.stringify(refused)}` : ''}`,
      );
      console.error(
        `  ${name}: ${answers.length} × ${phases.at(-1)?.answeredMs.toFixed(0)} ms, lasted ${lastedMs.toFixed(0)} ms, loop ${phases.at(-1)?.loop.ms.toFixed(0)} ms, turn ${phases.at(-1)?.loop.cpuMs.toFixed(0)} ms; p99 ${p99.join(', ')}`,
      );
    }
  } finally {
    await calls.close();
    await large.close();
  }
  return {
    engine,
    size,
    at: new Date().toISOString(),
    machine: `${machine().cpu}, ${machine().cores} cores, Node ${machine().node}`,
    phases: phases.filter(({ name }) => name !== 'warming up'),
  };
}

/** Acts that cannot be repeated. */
const once = new Set(['removes an answered row']);

function removeFirst(calls: Calls, world: LargeWorld): Promise<number> {
  return publish(calls, world, (rows) => rows.slice(1));
}

function drain(calls: Calls, token: string): () => Promise<number> {
  let last = '';
  return async () => {
    const { text, ms } = await calls.send({
      method: 'GET',
      path: `/api/company-data/changes?limit=500&after=${last}`,
      token,
    });
    // Not parsed: that would delay the calls of the small service, which this process times.
    last = lastOf(text, 'id') ?? '';
    return ms;
  };
}

function synchronise(calls: Calls, token: string): () => Promise<number> {
  let last = '';
  return async () => {
    const { text, ms } = await calls.send({
      method: 'GET',
      path: `/api/company-data/connections?limit=500${last === '' ? '' : `&after=${last}`}`,
      token,
    });
    last = lastOf(text, 'connection_id') ?? '';
    return ms;
  };
}

function lastOf(text: string, member: string): string | undefined {
  const key = `"${member}":"`;
  const at = text.lastIndexOf(key);
  return at < 0 ? undefined : text.slice(at + key.length, text.indexOf('"', at + key.length));
}

function page(runs: readonly Run[]): string {
  const parts = [
    '# A small service beside a large one',
    `The 99th percentile of a small service's calls, each kind twenty times a second, counted from when a call was due; while nothing else happens, and while a service with so many connections on the same platform does something. One process, over HTTP; database, platform and clients share the machine (${runs[0]?.machine}). Written by \`node bench/noisy-neighbour.ts\`.`,
  ];
  for (const { engine, size, phases, at } of runs) {
    const [quiet] = phases;
    const kinds = Object.keys(quiet?.small ?? {});
    const rows = phases.map(({ name, answeredMs, lastedMs, loop, small }) => [
      name,
      Number.isNaN(answeredMs) ? '' : figure(answeredMs, 0),
      figure(lastedMs / 1000, 1),
      `${figure(loop.ms, 0)}${loop.ms > LOOP_MS_MOST ? ' MISSED' : ''}`,
      figure(loop.cpuMs, 0),
      ...kinds.map((kind) => {
        const { p99 = Number.NaN, refused = {} } = small[kind] ?? {};
        const ratio = p99 / (quiet?.small[kind]?.p99 ?? Number.NaN);
        const refusals = Object.entries(refused).map(([status, count]) => `, ${count} × ${status}`);
        return `${figure(p99)} (${figure(ratio, 1)}×${ratio > RATIO_MOST ? ' MISSED' : ''}${refusals.join('')})`;
      }),
    ]);
    parts.push(
      `## ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, ${size} connections`,
      `Bars: at most ${RATIO_MOST} × quiet, at most ${LOOP_MS_MOST} ms of delay on the event loop. Beside the delay stands the most processor time that one turn of the loop took, in which other programs on the machine have no part. Measured ${at.slice(0, 10)}.`,
      markdownTable({
        head: [
          'the large service',
          'answered at most, ms',
          'lasted, s',
          'loop, ms',
          'a turn, CPU ms',
          ...kinds.map((kind) => `${kind}, p99 ms`),
        ],
        rows,
      }),
    );
  }
  return parts.join('\n\n');
}

await mkdir(options.out, { recursive: true });
const list = (text: string) => text.split(',').map((part) => part.trim());
for (const size of list(options.sizes)) {
  for (const engine of list(options.engines) as Engine[]) {
    console.error(`${engine}, ${size}`);
    const run = await measure(engine, size);
    await writeFile(join(options.out, `${engine}-${size}.json`), `${JSON.stringify(run, null, 1)}\n`);
  }
}
const files = (await readdir(options.out)).filter((name) => name.endsWith('.json'));
const runs = await Promise.all(
  files.map(
    async (name) =>
      JSON.parse(await readFile(join(options.out, name), 'utf8'), (_, value) => value ?? Number.NaN) as Run,
  ),
);
const text = page(
  runs.sort((a, b) => b.engine.localeCompare(a.engine) || (SIZES[a.size] ?? 0) - (SIZES[b.size] ?? 0)),
);
await writeFile(`${options.out}.md`, `${text}\n`);
console.log(text);
