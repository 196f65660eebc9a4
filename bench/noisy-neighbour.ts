import { dataToken, FIVE_ROWS, row } from './support/actors.ts';
import { Calls } from './support/calls.ts';
import { type KeptRun, measureAndKeep, nameOf, sizeOf } from './support/kept-runs.ts';
import { deleteService, publish, replaceKey, settled } from './support/large-acts.ts';
import type { LoopDelay } from './support/platform.ts';
import { figure, markdownTable } from './support/report.ts';
import { sized } from './support/setting.ts';
import { type Latencies, SmallNeighbour } from './support/small-neighbour.ts';

/*
 * node bench/noisy-neighbour.ts --sizes 100k --engines sqlite,postgres …
 *
 * The calls of a small service while nothing else happens, and while a large one on the same platform publishes, replaces
 * its key, drains, is synchronised, and is deleted.
 */
/** Short acts are repeated for so long, so that there are calls beside them. */
const PHASE_MS = sized(8_000, 100);
const RATIO_MOST = 3;
const LOOP_MS_MOST = 50;

/** Acts that cannot be repeated. */
const ONCE = new Set(['removes an answered row', 'is deleted']);

interface Phase {
  readonly name: string;
  /** The longest answer to the large service. */
  readonly answeredMs: number;
  readonly lastedMs: number;
  /** The longest delay of the event loop, and the most processor time in one of its turns. */
  readonly loop: LoopDelay;
  readonly small: Readonly<Record<string, Latencies>>;
}

interface Run extends KeptRun {
  readonly size: string;
  readonly phases: readonly Phase[];
}

export const noisyNeighbour = () =>
  measureAndKeep<Run>('noisy-neighbour', {
    sizes: '100k',
    page,
    async measure({ stack, world, source, keep }) {
      await stack.start(source);
      const calls = new Calls(stack.platform.url);
      const large = new Calls(stack.platform.url);
      const small = await SmallNeighbour.create(calls);
      const token = await dataToken(large, world.service);
      const pause = () => new Promise<number>((done) => setTimeout(() => done(Number.NaN), 100));
      let rows = FIVE_ROWS;
      const acts: Record<string, () => Promise<number>> = {
        // The first seconds of a process are not those of a quiet one.
        'warming up': pause,
        quiet: pause,
        // One more, one less: a list with a hundred open questions a connection would be another thing to measure.
        'publishes a row': () => {
          rows = rows.length > FIVE_ROWS.length ? FIVE_ROWS : [...FIVE_ROWS, row('one_more')];
          return publish(large, world, rows);
        },
        'removes an answered row': () => publish(large, world, rows.slice(1)),
        'replaces its key': () => replaceKey(large, world),
        drains: walk(large, { token, path: 'changes?limit=500&after=', member: 'id' }),
        synchronises: walk(large, { token, path: 'connections?limit=500&after=', member: 'connection_id' }),
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
            } while (performance.now() - from < PHASE_MS && !ONCE.has(name));
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
      await keep({ size: nameOf(world.size), phases: phases.filter(({ name }) => name !== 'warming up') });
    },
  });

if (import.meta.main) console.log(await noisyNeighbour());

/** Reads page after page, each after the last id of the one before. */
function walk(calls: Calls, { token, path, member }: { token: string; path: string; member: string }) {
  let last = '';
  return async () => {
    const { text, ms } = await calls.send({ method: 'GET', path: `/api/company-data/${path}${last}`, token });
    // Not parsed: that would delay the calls of the small service, which this process times.
    last = lastOf(text, member) ?? '';
    return ms;
  };
}

function lastOf(text: string, member: string): string | undefined {
  const key = `"${member}":"`;
  const at = text.lastIndexOf(key);
  return at < 0 ? undefined : text.slice(at + key.length, text.indexOf('"', at + key.length));
}

function page(runs: readonly Run[]): string {
  const sorted = runs.toSorted((a, b) => b.engine.localeCompare(a.engine) || sizeOf(a) - sizeOf(b));
  const parts = [
    '# A small service beside a large one',
    `The 99th percentile of a small service's calls, each kind twenty times a second, counted from when a call was due; while nothing else happens, and while a service with so many connections on the same platform does something. One process, over HTTP; database, platform and clients share the machine (${runs[0]?.machine}). Written by \`node bench/noisy-neighbour.ts\`.`,
  ];
  for (const { engine, size, phases, at } of sorted) {
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
