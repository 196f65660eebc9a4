import { readFile, writeFile } from 'node:fs/promises';
import { noArguments } from '../scripts/usage.ts';
import type { Costs } from './costs.ts';
import { FINDINGS } from './support/plan/findings.ts';
import { INPUTS } from './support/plan/inputs.ts';
import { type Checked, check, type Measured, plan, type Region } from './support/plan/reckon.ts';
import { figure, markdownTable } from './support/report.ts';

/*
 * npm run bench plan
 *
 * What a region needs for so many people, reckoned from the measured costs (results/costs, by `npm run bench costs`) and checked against
 * the measured sizes (results/scale, by `npm run bench scale`). Writes docs/scale.md.
 */
const SIZES = [1e6, 1e7, 1e8];
/** Below it the code of a call is not compiled. */
const WARM = 200;
const PAGE = new URL('../docs/scale.md', import.meta.url);

if (import.meta.main) {
  noArguments('npm run bench plan');
  const read = async (path: string) =>
    JSON.parse(await readFile(new URL(`results/${path}.json`, import.meta.url), 'utf8'));
  const costs = (await read('costs/postgres')) as Costs;
  const measured = await Promise.all(
    ['1k', '100k', '1M'].map(async (size) => (await read(`scale/postgres-${size}`)) as Measured),
  );
  const checked = check(measured);
  const regions = SIZES.map((people) => plan(people, costs.acts, checked.bytesOfConnection));
  const page = pageOf(costs, checked, regions);
  await writeFile(PAGE, page);
  console.log(page);
}

function pageOf(costs: Costs, checked: Checked, regions: readonly Region[]): string {
  const { habits, backend, primary, prices } = INPUTS;
  const list = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  const many = (people: number) => `${figure(people / 1e6, 0)} million`;
  const rows: [string, (region: Region) => string][] = [
    ['acts a second at the peak', ({ acts }) => figure(acts, 0)],
    ['cores of the platform', ({ platformCores }) => figure(platformCores, 0)],
    ['cores of front doors', ({ frontDoorCores }) => figure(frontDoorCores, 0)],
    ['cores of the primaries', ({ databaseCores }) => figure(databaseCores, 0)],
    ['transactions a second', ({ commits }) => figure(commits, 0)],
    ['write-ahead log, MB/s', ({ walMb }) => figure(walMb)],
    ['disk of one copy at the start, TB', ({ stateTb }) => figure(stateTb)],
    ['disk of one copy, a year more, TB', ({ yearTb }) => figure(yearTb)],
    ['ends first', ({ first }) => first],
    ['regions, or partitions of one', ({ primaries }) => figure(primaries, 0)],
    ['a month', ({ month }) => figure(month, 0)],
    ['of it for a million people', ({ month, people }) => figure(month / (people / 1e6), 0)],
  ];
  return `${[
    '# How far one region goes',
    `Written by \`npm run bench plan\` from what calls cost (${costs.machine}, PostgreSQL, ${costs.at.slice(0, 10)}) and from the inputs in \`bench/support/plan/inputs.ts\`. It is arithmetic: what was measured is named, everything else is an assumption that a reader may change.`,
    '## What one of each costs',
    'CPU in microseconds, of the platform and of PostgreSQL; rows written; transactions, those that only read too; bytes of the write-ahead log and of the database. A connect is with the end of the connection; a drain has 100 changes; a run of a flow has three steps; a sign-in is the page, the approval, the exchange and userinfo.',
    `Each was done ${costs.times} times.${costs.times < WARM ? ' That is too few for compiled code, on a machine that others used too: CPU is several times too high here, and with it cores and prices. Rows, transactions and bytes depend less on it; what the platform does in the background is in them.' : ''}`,
    markdownTable({
      head: ['act', 'platform', 'PostgreSQL', 'rows', 'transactions', 'log', 'database'],
      rows: Object.entries(costs.acts).map(([name, cost]) => [
        name,
        ...[
          cost.platformCpu,
          cost.databaseCpu,
          cost.rows,
          cost.commits,
          cost.walBytes,
          cost.databaseBytes,
        ].map((value) => figure(value, value < 10 ? 1 : 0)),
      ]),
    }),
    '## What is assumed',
    `A person in a day: ${list(habits)}; ${INPUTS.connectionsOfPerson} connections each. A company for ${figure(INPUTS.peopleOfCompany, 0)} people, whose backend does in a day: ${list(backend)}, and reads its whole list once a week. An edit reaches each connection once. The peak is ${INPUTS.peak} times the mean, and ${INPUTS.usable * 100} % of a resource is used then. One PostgreSQL server: ${list(primary)}; ${INPUTS.copies} copies. Prices a month: ${list(prices)}.`,
    '## What is needed',
    markdownTable({
      head: ['', ...regions.map(({ people }) => many(people))],
      rows: rows.map(([name, of]) => [name, ...regions.map(of)]),
    }),
    '## Does a call cost the same at any size',
    `The plan takes the cost of a call as the same for a small and a large service. The measured points at 1,000, 100,000 and 1,000,000 connections of one service say where that holds. A connection takes ${figure(checked.bytesOfConnection, 0)} bytes with its answers; the size at 1,000,000 is foretold from that at 100,000 to ${figure(checked.sizeError * 100, 1)} %.`,
    markdownTable({
      head: ['on PostgreSQL, ms', ...checked.sizes.map((size) => figure(size, 0)), 'growth', ''],
      rows: checked.operations.map(({ name, ms, growth, holds }) => [
        name,
        ...ms.map((value) => figure(value, 1)),
        `${figure(growth, 1)} ×`,
        holds ? 'flat' : 'GROWS',
      ]),
    }),
    FINDINGS,
  ].join('\n\n')}\n`;
}
