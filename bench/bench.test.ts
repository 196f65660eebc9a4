import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { skip as withoutBrowser } from '@symbolon/testkit/browser/chromium';
import { without } from '@symbolon/testkit/tools';
import { BENCHMARKS } from './benchmarks.ts';

/*
 * Each benchmark runs for a moment in its smallest setting: that it starts, measures and prints. What it measures says nothing here.
 */
process.argv.push('--small');

const { toMarkdown } = await import('./support/report.ts');
const { Child } = await import('./support/child.ts');

after(() => Child.killAll());

/** Why a benchmark is skipped. */
const missing: Readonly<Record<string, string | false>> = {
  'token-route': without('nginx'),
  'sdk-sync': without('openssl'),
  'consent-page': withoutBrowser,
};

for (const [name, load] of Object.entries(BENCHMARKS)) {
  test(`the benchmark ${name} measures`, { skip: missing[name] ?? false }, async () => {
    const benchmark = await load();
    const report = await benchmark();
    assert.ok(report.table.rows.length > 0);
    assert.doesNotMatch(toMarkdown(report), /NaN|undefined|Infinity/);
  });
}

for (const name of ['scale', 'noisy-neighbour']) {
  test(`the benchmark ${name} measures`, async () => {
    const command = [join(import.meta.dirname, `${name}.ts`), '--small', '--engines', 'sqlite'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command);
    assert.match(stdout, /^\| .*SQLite|^## SQLite/m);
    // What fails is written down instead of a number.
    assert.doesNotMatch(stderr, /Error/);
  });
}
