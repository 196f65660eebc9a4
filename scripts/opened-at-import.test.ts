import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { someOf } from '@symbolon/testkit/thoroughness';
import { testFiles } from './tests/files.ts';

const ROOT = join(import.meta.dirname, '..');
const CHECK = join(import.meta.dirname, 'checks/opened-at-import.ts');

const check = (...files: string[]) => {
  const { SYMBOLON_TEST_DATABASE_URL: _, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [CHECK, ...files], {
    cwd: ROOT,
    encoding: 'utf8',
    env,
  });
  return { status, lines: stderr.split('\n').filter((line) => line.includes(' opens ')) };
};

test('no test file opens a server, a process, a timer or a folder as it is imported', () => {
  const { status, lines } = check(...someOf(testFiles(ROOT)));
  assert.deepEqual(lines, []);
  assert.equal(status, 0);
});

test('a file that opens something outside of its tests is named, with what it opens', (t) => {
  const { path: folder } = temporaryFolder(t);
  const file = (name: string, text: string) => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(path, `import { before, describe, test } from 'node:test';\n${text}`);
    return path;
  };
  const server = `(await import('node:net')).createServer().listen(0, '127.0.0.1')`;
  const { status, lines } = check(
    file('good', `before(async () => { ${server}; }); describe('a', () => { test('b', () => {}); });`),
    file('server', `${server};`),
    file('suite', `describe('a', () => { setInterval(() => {}, 1000); });`),
    file('skipped', `describe('a', { skip: true }, () => { setInterval(() => {}, 1000); });`),
  );
  assert.equal(status, 1);
  assert.deepEqual(
    lines.map((line) => line.replace(`${folder}/`, '')),
    [
      'server.test.mjs opens something as it is imported: TCPServerWrap',
      'suite.test.mjs opens something as it is imported: Timeout',
    ],
  );
});
