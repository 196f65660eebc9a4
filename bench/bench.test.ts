import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { skip as withoutBrowser } from '@symbolon/testkit/browser/chromium';
import '@symbolon/testkit/platform/cheap-passwords';
import { without } from '@symbolon/testkit/tools';
import { BENCHMARKS } from './benchmarks.ts';

/*
 * Each benchmark runs for a moment in its smallest setting, platforms and clients in this process: that it starts, measures and
 * prints. What it measures says nothing here.
 */
process.argv.push('--small', '--engines', 'sqlite');

const { toMarkdown } = await import('./support/report.ts');
const { Child } = await import('./support/child.ts');

after(() => Child.killAll());

/** Why a benchmark is skipped. */
const missing: Readonly<Record<string, string | false>> = {
  'token-route': without('nginx'),
  'sdk-sync': without('openssl'),
  'consent-page': withoutBrowser,
};

for (const [name, { load }] of Object.entries(BENCHMARKS)) {
  test(`the benchmark ${name} measures`, { skip: missing[name] ?? false }, async () => {
    const benchmark = await load();
    const report = await benchmark();
    assert.ok(report.table.rows.length > 0);
    assert.doesNotMatch(toMarkdown(report), /NaN|undefined|Infinity/);
  });
}

for (const [name, load] of [
  ['scale', async () => (await import('./scale.ts')).scale],
  ['noisy-neighbour', async () => (await import('./noisy-neighbour.ts')).noisyNeighbour],
] as const) {
  test(`the benchmark ${name} measures`, async () => {
    const told = mock.method(console, 'error', () => {});
    const page = await (await load())();
    told.mock.restore();
    assert.match(page, /^\| .*SQLite|^## SQLite/m);
    // What fails is written down instead of a number.
    for (const { arguments: said } of told.mock.calls) assert.doesNotMatch(said.join(' '), /Error/);
  });
}

test('the benchmark soak loses nothing', async () => {
  const told = mock.method(console, 'error', () => {});
  const { soak } = await import('./soak.ts');
  const { edits, failures, lost } = await soak('sqlite', 0.02);
  told.mock.restore();
  assert.ok(edits > 0);
  assert.deepEqual({ failures, lost }, { failures: [], lost: { list: 0, feed: 0, webhook: 0 } });
});

test('the benchmark costs measures', async () => {
  const { costs } = await import('./costs.ts');
  for (const [name, { platformCpu }] of Object.entries((await costs('sqlite')).acts))
    assert.ok(platformCpu > 0, name);
});

test('the budget of calls is measured', async () => {
  const { Scales } = await import('./support/budget.ts');
  await using scales = await Scales.open();
  await scales.round();
  for (const [name, ratio] of Object.entries(scales.measured())) assert.ok(ratio > 0, name);
});
