import { writeFile } from 'node:fs/promises';
import { parsedArguments } from '../scripts/usage.ts';
import { machine } from './support/machine.ts';
import { atMost, type Bar, figure, type Report, toMarkdown } from './support/report.ts';
import { SMALL, sized } from './support/setting.ts';
import { Soak, type Soaked, type Window } from './support/soak.ts';
import type { Engine } from './support/stack.ts';
import { median } from './support/stats.ts';

/*
 * npm run bench soak [-- --minutes 30 --engines sqlite,postgres]
 *
 * A mixed day at 60 % of what the platform can do: edits, drains, webhooks, sign-ins, second factors, messages, documents, flows; one
 * process on the embedded database, two on PostgreSQL. Memory and the 99th percentile must stay flat, and nothing be lost.
 */
const SHARE = 0.6;
const WINDOWS = sized(12, 3);
/** The first windows compile code and fill caches. */
const SETTLED = Math.floor(WINDOWS / 3);
const MEMORY_MOST = 1.15;
const LATENCY_MOST = 1.5;
const PAGE = new URL('results/soak.md', import.meta.url);

export async function soak(engine: Engine, minutes: number): Promise<Soaked> {
  await using run = await Soak.open(engine);
  const capacity = await run.capacity();
  const rate = capacity * SHARE;
  const windows: Window[] = [];
  while (windows.length < WINDOWS) {
    windows.push(await run.window((minutes * 60) / WINDOWS, rate));
    const { acts, p99, rss } = windows.at(-1) as Window;
    const memory = rss.map((bytes) => figure(bytes / 1e6, 0)).join(' + ');
    console.error(
      `  ${engine} ${windows.length}/${WINDOWS}: ${acts} acts, p99 ${figure(p99)} ms, ${memory} MB`,
    );
  }
  return { engine, capacity, rate, windows, ...(await run.verdict()) };
}

export function reportOf({ engine, capacity, rate, windows, edits, failures, lost }: Soaked): Report {
  const settled = windows.slice(SETTLED);
  const half = Math.floor(settled.length / 2);
  const growth = (of: (window: Window) => number) =>
    median(settled.slice(-half).map(of)) / median(settled.slice(0, half).map(of));
  const memory = ({ rss }: Window) => rss.reduce((sum, bytes) => sum + bytes, 0);
  const none = (what: string, count: number): Bar => ({
    what,
    measured: String(count),
    bar: '0',
    met: count === 0,
  });
  return {
    title: engine === 'sqlite' ? 'SQLite, one process' : 'PostgreSQL, two processes',
    how: `${figure(rate, 0)} acts a second of ${figure(capacity, 0)} possible; ${figure(edits, 0)} edits. Acts count from when they were due. The bars compare the two halves of the time after the first third.${failures.length > 0 ? ` First failure: ${failures[0]}` : ''}`,
    table: {
      head: ['part', 'acts', 'p50 ms', 'p99 ms', 'memory MB'],
      rows: windows.map((window, index) => [
        index + 1,
        figure(window.acts, 0),
        figure(window.p50),
        figure(window.p99),
        window.rss.map((bytes) => figure(bytes / 1e6, 0)).join(' + '),
      ]),
    },
    bars: [
      atMost('memory, later by earlier', growth(memory), MEMORY_MOST),
      atMost(
        'p99, later by earlier',
        growth(({ p99 }) => p99),
        LATENCY_MOST,
      ),
      none('acts that failed', failures.length),
      none("last edits that are not in the company's list", lost.list),
      none('last edits that the feed did not give', lost.feed),
      none('last edits that the webhook did not bring', lost.webhook),
    ],
  };
}

if (import.meta.main) {
  const { values } = parsedArguments('npm run bench soak [-- --minutes NUMBER] [--engines LIST] [--small]', {
    options: {
      minutes: { type: 'string', default: SMALL ? '0.05' : '30' },
      engines: { type: 'string', default: 'sqlite,postgres' },
      small: { type: 'boolean' },
    },
  });
  const { cpu, cores, node } = machine();
  const date = new Date().toISOString().slice(0, 10);
  const parts = [
    '# A mixed day',
    `${values.minutes} minutes at ${SHARE * 100} % of what is possible: edits, drains, webhooks, sign-ins, second factors, messages, documents and flows. Platform, database and clients share the machine (${cpu}, ${cores} cores, Node ${node}). Written by \`npm run bench soak\` on ${date}.`,
  ];
  for (const engine of values.engines.split(',') as Engine[]) {
    const report = reportOf(await soak(engine, Number(values.minutes)));
    if (report.bars.some(({ met }) => !met)) process.exitCode = 1;
    parts.push(toMarkdown(report));
    console.log(toMarkdown(report));
  }
  if (!SMALL) await writeFile(PAGE, `${parts.join('\n\n').trimEnd()}\n`);
}
