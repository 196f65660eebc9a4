import { fork } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parsedArguments } from '../scripts/usage.ts';
import { BENCHMARKS, ON_THEIR_OWN } from './benchmarks.ts';
import { machine } from './support/machine.ts';
import { figure, markdownTable, type Report, toMarkdown } from './support/report.ts';
import { limitOf, type Watched, watch } from './support/watched.ts';

/*
 * npm run bench [-- --small] [name …]
 *
 * `npm run bench` runs all of them and writes docs/benchmarks.md; `npm run bench token-route start` runs those named and prints
 * only; so does `npm run bench -- --small`, in the smallest setting, which shows that they run. They run one after the other, each in
 * a process of its own that has the machine for itself, and that is ended when its time is over. Those that have a command of
 * their own get what stands after their name: `npm run bench soak -- --minutes 30`.
 */
const PAGE = new URL('../docs/benchmarks.md', import.meta.url);
const [first = ''] = process.argv.slice(2);

interface Ran {
  readonly name: string;
  readonly report: Report | undefined;
  readonly watched: Watched;
}

if (Object.hasOwn(ON_THEIR_OWN, first)) {
  const alone = fork(new URL(`${first}.ts`, import.meta.url), process.argv.slice(3));
  alone.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else await runThose();

async function runThose(): Promise<void> {
  const { positionals: named, values } = parsedArguments('npm run bench [-- NAME…] [--small]', {
    options: { small: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = named.filter((name) => !Object.hasOwn(BENCHMARKS, name));
  if (unknown.length > 0) {
    const all = [...Object.keys(BENCHMARKS), ...Object.keys(ON_THEIR_OWN)];
    console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  const ran: Ran[] = [];
  for (const name of Object.keys(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const one = await run(name, values.small);
    ran.push(one);
    console.log(textOf(one));
  }
  console.log(durations(ran));
  if (ran.some(({ report }) => report === undefined)) process.exitCode = 1;
  if (named.length > 0 || values.small) return;
  await mkdir(new URL('./', PAGE), { recursive: true });
  await writeFile(PAGE, await pageOf(ran));
}

/** A benchmark in a process of its own. What fails or takes too long leaves no report, and the others run. */
async function run(name: string, small: boolean): Promise<Ran> {
  const seen = watch();
  const child = fork(new URL(`${name}.ts`, import.meta.url), small ? ['--small'] : [], { detached: true });
  // With the platforms that it started, which would run on.
  const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  process.once('SIGINT', kill);
  const late = setTimeout(kill, (BENCHMARKS[name]?.seconds ?? 0) * 1000);
  let report: Report | undefined;
  child.on('message', (message) => {
    report = message as Report;
  });
  await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  process.off('SIGINT', kill);
  clearTimeout(late);
  return { name, report, watched: seen() };
}

function textOf({ name, report, watched }: Ran): string {
  const command = `\`npm run bench ${name}\``;
  if (report === undefined) return `## ${name}\n\n${command} failed, or did not end in its time.\n`;
  const { seconds, cores, others, disk } = watched;
  const disks = disk === undefined ? '' : `, disk ${percent(disk)}`;
  const limit = report.limit ?? limitOf(watched);
  return `${toMarkdown(report)}\n${command}: ${figure(seconds, 0)} s. Limit: ${limit} (cores ${percent(cores)} busy${disks}; other programs ${percent(others)} of the cores).\n`;
}

function durations(ran: readonly Ran[]): string {
  const total = ran.reduce((sum, { watched }) => sum + watched.seconds, 0);
  const table = markdownTable({
    head: ['benchmark', 'seconds', 'at most', 'cores busy', 'by others', 'limit'],
    rows: ran.map(({ name, report, watched }) => [
      name,
      figure(watched.seconds, 0),
      BENCHMARKS[name]?.seconds ?? '',
      percent(watched.cores),
      percent(watched.others),
      report === undefined ? 'NO RESULT' : (report.limit ?? limitOf(watched)),
    ]),
  });
  return `${table}\n\nAll together: ${figure(total / 60, 1)} minutes.`;
}

async function pageOf(ran: readonly Ran[]): Promise<string> {
  const { cpu, cores, memoryGb, node, os } = machine();
  const versions = Object.entries({ V8: process.versions.v8, OpenSSL: process.versions.openssl })
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  const date = new Date().toISOString().slice(0, 10);
  return [
    '# Benchmarks',
    `Written by \`npm run bench\` on ${date}. Machine: ${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node} (${versions}), ${os}. All on the embedded SQLite where nothing else is said, over real HTTP, rate limits off, logs as in service; servers, clients and load generator in processes of their own on the one machine. Figures of one table belong together; between days and machines compare ratios.`,
    durations(ran),
    ...ran.map(textOf),
    ...(await Promise.all(Object.entries(ON_THEIR_OWN).map(([name, page]) => ownPage(name, page)))),
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()
    .concat('\n');
}

/** What a benchmark with a command of its own has written, without its tables: they are long. */
async function ownPage(name: string, page: string | undefined): Promise<string> {
  if (page === undefined) return '';
  const text = await readFile(new URL(page, import.meta.url), 'utf8').catch(() => undefined);
  const [title = '', how = ''] = text?.split('\n\n') ?? [];
  const tables = `[Its tables](../bench/${page}) are of \`npm run bench ${name}\`, a command of its own.`;
  return text === undefined ? '' : `#${title}\n\n${how}\n\n${tables}`;
}

function percent(part: number): string {
  return `${figure(part * 100, 0)} %`;
}
