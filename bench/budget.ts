import { readFile, writeFile } from 'node:fs/promises';
import { parsedArguments } from '../scripts/usage.ts';
import { type Budget, GROWTH_MOST, judge, Scales, type Verdict } from './support/budget.ts';
import { figure, markdownTable } from './support/report.ts';
import { rounds } from './support/setting.ts';
import { median } from './support/stats.ts';
import { watch } from './support/watched.ts';

/*
 * npm run budget [-- --update | --slower whoami=20]
 *
 * The processor time of everyday calls, as so many bare answers of node:http in the same run, compared with budget.json: fails when a
 * call has grown by more than a part of it.
 *
 *   --update  writes what was measured
 *   --slower  makes a call slower by so many per cent first: it must fail then
 */
const ROUNDS = rounds(9);
/** Whoever seems to have grown is weighed again so often, and all rounds count. */
const MORE_ROUNDS = rounds(14);
/** What other programs have of the cores when the machine is not the budget's own. */
const BUSY = 0.25;
const FILE = new URL('budget.json', import.meta.url);

const { values: options } = parsedArguments(
  'npm run budget [-- --update] [--slower NAME=PERCENT] [--small]',
  {
    options: {
      update: { type: 'boolean', default: false },
      slower: { type: 'string' },
      small: { type: 'boolean' },
    },
  },
);
const budget = JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}')) as Budget;
await using scales = await Scales.open();
const seen = watch();
if (options.slower !== undefined) {
  const [name = '', percent = ''] = options.slower.split('=');
  for (let round = 0; round < 3; round++) await scales.round([name]);
  const { micros = [] } = scales.weighed.find((call) => call.name === name) ?? {};
  const more = (median(micros) * Number(percent)) / 100;
  await scales.slowDown(name, more);
  for (const call of scales.weighed) call.ratios.length = 0;
  console.log(`${name} takes ${figure(more)} µs more from now on.`);
}
for (let round = 0; round < ROUNDS; round++) await scales.round();
let isBusy = seen().others > BUSY;
let verdicts = judge(budget, scales.measured(), isBusy);
const doubtful = verdicts.filter(({ grown }) => grown).map(({ name }) => name);
if (doubtful.length > 0 && !options.update) {
  for (let round = 0; round < MORE_ROUNDS; round++) await scales.round(doubtful);
  isBusy = seen().others > BUSY;
  verdicts = judge(budget, scales.measured(), isBusy);
}
if (isBusy)
  console.log('Other programs use this machine: each call is compared with the growth of the middle one.');
console.log(tableOf(verdicts));
if (options.update) {
  const written = Object.fromEntries(
    verdicts.map(({ name, measured }) => [name, Number(measured.toFixed(2))]),
  );
  await writeFile(FILE, `${JSON.stringify(written, null, 2)}\n`);
} else if (options.small !== true) {
  for (const { name, growth } of verdicts.filter(({ grown }) => grown)) {
    const by =
      growth === undefined ? 'has no budget' : `costs ${figure(growth * 100, 0)} % more than its budget`;
    console.error(`${name} ${by}; ${GROWTH_MOST * 100} % are allowed.`);
    process.exitCode = 1;
  }
}

function tableOf(all: readonly Verdict[]): string {
  return markdownTable({
    head: ['call', 'CPU µs', 'bare answers', 'budget', 'growth'],
    rows: all.map(({ name, measured, budget: allowed, growth }) => [
      name,
      figure(median(scales.weighed.find((call) => call.name === name)?.micros ?? [])),
      figure(measured),
      allowed === undefined ? '–' : figure(allowed),
      growth === undefined ? '–' : `${figure(growth * 100, 0)} %`,
    ]),
  });
}
