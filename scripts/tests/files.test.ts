import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { chooseFiles } from './files.ts';
import { readOptions } from './options.ts';

const FLOWS = 'packages/server/src/domains/flows/runs';
const SHARING = 'packages/server/src/domains/sharing/slots';
const TEXTS: Readonly<Record<string, string>> = {
  'packages/testkit/package.json': '{"exports":{"./*":"./src/*.ts"}}',
  'packages/testkit/src/platform.ts': `import '../../server/src/context.ts';`,
  'packages/testkit/src/tools.ts': '',
  'packages/testkit/src/judges.ts': `import { spawnSync } from 'node:child_process';\nimport './tools.ts';`,
  'packages/server/src/context.ts': `import './domains/flows/runs/runs.ts';\nimport './domains/sharing/slots/slots.ts';`,
  [`${FLOWS}/runs.ts`]: `import { slots } from '../../sharing/slots/slots.ts';`,
  [`${FLOWS}/runs.test.ts`]: `import { platform } from '@symbolon/testkit/platform';`,
  [`${SHARING}/slots.ts`]: `import { spawn } from 'node:child_process';`,
  [`${SHARING}/slots.test.ts`]: `import { platform } from '@symbolon/testkit/platform';`,
  [`${SHARING}/judged.test.ts`]: `import '@symbolon/testkit/judges';`,
  'test/chaos/sqlite.test.ts': '',
  'test/system/whole.test.ts': `import { platform } from '@symbolon/testkit/platform';`,
};

/** A repository of these files, committed. */
function repository(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'symbolon-files-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [file, text] of Object.entries(TEXTS)) write(file, text);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init');
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-m', 'All');
  const chosen = (...given: string[]) =>
    chooseFiles(readOptions(given, {}), root).map((file) => file.split('/').at(-1));
  return { write, chosen };
}

test('sizes: what starts programs is not quick, what repeats at length is not usual', (t) => {
  const { chosen } = repository(t);
  assert.deepEqual(chosen('--quick'), ['runs.test.ts', 'slots.test.ts']);
  assert.deepEqual(chosen(), ['runs.test.ts', 'judged.test.ts', 'slots.test.ts', 'whole.test.ts']);
  assert.deepEqual(chosen('--all').length, 5);
  assert.deepEqual(chosen('--bare'), ['judged.test.ts']);
  assert.deepEqual(chosen('chaos'), ['sqlite.test.ts']);
});

test('a change reaches the tests beside what imports it, and those of the whole', (t) => {
  const { write, chosen } = repository(t);
  assert.deepEqual(chosen('--changed'), []);
  write(`${FLOWS}/runs.ts`, `// changed\n${TEXTS[`${FLOWS}/runs.ts`]}`);
  assert.deepEqual(chosen('--changed'), ['runs.test.ts', 'whole.test.ts']);
  write(`${SHARING}/slots.ts`, '// changed');
  assert.deepEqual(chosen('--changed'), ['runs.test.ts', 'judged.test.ts', 'slots.test.ts', 'whole.test.ts']);
  write('scripts/tests/new.ts', '');
  assert.equal(chosen('--changed', '--all').length, 5);
});
