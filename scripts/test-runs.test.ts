import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { groupTests } from './checks/test-groups.ts';
import { TestRuns } from './checks/test-runs.ts';

const GOOD = `import { test } from 'node:test'; test('good', () => {});`;
const BAD = `import { describe, test } from 'node:test';
  describe('a suite', () => test('bad', () => { throw new Error('bad in ' + import.meta.url); }));`;
/** Fails in the first process that runs it. */
const UNSTEADY = `import { existsSync, writeFileSync } from 'node:fs';
  import { describe, test } from 'node:test';
  describe('a suite', () => test('now and then', () => {
    const mark = new URL('ran-' + import.meta.url.split('/').at(-1), import.meta.url);
    if (existsSync(mark)) return;
    writeFileSync(mark, '');
    throw new Error('too slow');
  }));`;
/** Ends without a word before its tests. */
const ENDS = `import { existsSync, writeFileSync } from 'node:fs';
  import { test } from 'node:test';
  const mark = new URL('ended', import.meta.url);
  test('good', () => {});
  if (!existsSync(mark)) { writeFileSync(mark, ''); process.exit(7); }`;

/** Runs files of these texts by the runner. */
async function outcomeOf(t: TestContext, texts: Readonly<Record<string, string>>, repeats = true) {
  const root = mkdtempSync(join(tmpdir(), 'symbolon-runs-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const flags = ['--test-reporter=spec', `--test-reporter-destination=${join(root, 'said.txt')}`];
  const runs = new TestRuns({ flags, environment, folder: root, root, output: 'ignore' });
  const { code, unsteady } = await runs.run(groupTests(Object.keys(texts), root, root), repeats);
  return { isGood: code === 0, unsteady: Object.fromEntries(unsteady) };
}

const DOMAINS = 'packages/server/src/domains/';

test('what fails twice is a failure, what fails once passes and is named', async (t) => {
  const texts = { 'good.test.mjs': GOOD, 'unsteady.test.mjs': UNSTEADY, 'ends.test.mjs': ENDS };
  const { isGood, unsteady } = await outcomeOf(t, texts);
  assert.deepEqual([isGood, Object.keys(unsteady).sort()], [true, ['ends.test.mjs', 'unsteady.test.mjs']]);
  assert.match(unsteady['unsteady.test.mjs']?.join() ?? '', /^now and then: Error: too slow/);
  const bad = await outcomeOf(t, { ...texts, 'bad.test.mjs': BAD });
  assert.deepEqual([bad.isGood, Object.keys(bad.unsteady).length], [false, 2]);
});

test('of files that share a process the one that failed runs again', async (t) => {
  const texts = { good: GOOD, unsteady: UNSTEADY, bad: BAD };
  const files = Object.entries(texts).map(([name, text]) => [`${DOMAINS}${name}.test.ts`, text]);
  const { isGood, unsteady } = await outcomeOf(t, Object.fromEntries(files));
  assert.deepEqual([isGood, Object.keys(unsteady)], [false, [`${DOMAINS}unsteady.test.ts`]]);
});

test('nothing runs again where that is not asked for, nor more than five files', async (t) => {
  const failure = { isGood: false, unsteady: {} };
  assert.deepEqual(await outcomeOf(t, { 'unsteady.test.mjs': UNSTEADY }, false), failure);
  const names = Array.from({ length: 6 }, (_, index) => `unsteady-${index}.test.mjs`);
  const texts = Object.fromEntries(names.map((name) => [name, UNSTEADY]));
  assert.deepEqual(await outcomeOf(t, texts), failure);
});
