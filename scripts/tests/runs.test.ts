import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { groupTests } from './groups.ts';
import { TestRuns } from './runs.ts';

const GOOD = `import { test } from 'node:test'; test('good', () => {});`;
const BAD = `import { describe, test } from 'node:test';
  describe('a suite', () => test('bad', () => { throw new Error('bad in ' + import.meta.url); }));`;
/** Passes in the second process that runs it. */
const UNSTEADY = `import { existsSync, writeFileSync } from 'node:fs';
  import { describe, test } from 'node:test';
  describe('a suite', () => test('now and then', () => {
    const mark = new URL('ran-' + import.meta.url.split('/').at(-1), import.meta.url);
    if (existsSync(mark)) return;
    writeFileSync(mark, '');
    throw new Error('too slow');
  }));`;
/** Ends without a word before its tests. */
const ENDS = `import { test } from 'node:test'; test('good', () => {}); process.exit(7);`;
/** Its tests pass, and what it opened keeps the process. */
const HANGS = `import { createServer } from 'node:net';
  import { test } from 'node:test';
  createServer().listen(0);
  test('good', () => {});`;
/** Blocks its thread for ever. */
const BLOCKS = `import { test } from 'node:test';
  test('good', () => {});
  test('waits', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`;

/** Runs files of these texts by the runner. @param silentMostMs after which it ends what says nothing */
async function outcomeOf(t: TestContext, texts: Readonly<Record<string, string>>, silentMostMs?: number) {
  const root = mkdtempSync(join(tmpdir(), 'symbolon-runs-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const flags = ['--test-reporter=spec', `--test-reporter-destination=${join(root, 'said.txt')}`];
  const quick = silentMostMs === undefined ? {} : { silentMostMs, lookMs: silentMostMs / 4 };
  const runs = new TestRuns({ flags, environment, folder: root, root, output: 'ignore', ...quick });
  const { code, failed, hung } = await runs.run(groupTests(Object.keys(texts), root, root));
  return { isGood: code === 0, failed: Object.fromEntries(failed), hung };
}

const DOMAINS = 'packages/server/src/domains/';

test('a file that fails once fails the run, and is named with what was wrong', async (t) => {
  const texts = { 'good.test.mjs': GOOD, 'unsteady.test.mjs': UNSTEADY, 'ends.test.mjs': ENDS };
  const { isGood, failed } = await outcomeOf(t, texts);
  assert.deepEqual([isGood, Object.keys(failed).sort()], [false, ['ends.test.mjs', 'unsteady.test.mjs']]);
  assert.match(failed['unsteady.test.mjs']?.join() ?? '', /^now and then: Error: too slow/);
  assert.deepEqual(await outcomeOf(t, { 'good.test.mjs': GOOD }), { isGood: true, failed: {}, hung: [] });
});

test('of files that share a process the one that failed is named', async (t) => {
  const texts = { good: GOOD, bad: BAD };
  const files = Object.entries(texts).map(([name, text]) => [`${DOMAINS}${name}.test.ts`, text]);
  const { isGood, failed } = await outcomeOf(t, Object.fromEntries(files));
  assert.deepEqual([isGood, Object.keys(failed)], [false, [`${DOMAINS}bad.test.ts`]]);
});

for (const [what, text] of Object.entries({
  'is kept by what it opened': HANGS,
  'blocks its thread': BLOCKS,
})) {
  test(`a file that ${what} is ended and named`, async (t) => {
    const texts = { 'good.test.mjs': GOOD, 'hangs.test.mjs': text };
    const { isGood, hung } = await outcomeOf(t, texts, 2_000);
    assert.deepEqual([isGood, hung], [false, ['hangs.test.mjs']]);
  });
}
