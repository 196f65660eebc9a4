import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { quickSteps } from './check.ts';
import { changedFiles } from './checks/project-files.ts';

test('a quick check takes the steps that concern what changed', () => {
  const named = (...changed: string[]) => quickSteps(changed).map(({ name }) => name);
  const code = ['format', 'lint', 'types'];
  assert.deepEqual(named(), []);
  assert.deepEqual(named('README.md'), ['documents']);
  assert.deepEqual(named('packages/server/src/serve.ts'), [...code, 'documents']);
  for (const file of ['apps/web/src/main.ts', 'packages/protocol/src/errors.ts'])
    assert.deepEqual(named(file), [...code, 'types of the pages', 'documents']);
  // What used to import it is checked; itself it is not there to be read.
  assert.deepEqual(named('packages/server/src/gone.ts'), ['types', 'documents']);
});

test('what changed is what differs from the main branch, written down there or not', () => {
  using folder = temporaryFolder();
  const author = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com'];
  const git = (...args: string[]) =>
    execFileSync('git', [...author, ...args], { cwd: folder.path, stdio: 'ignore' });
  const write = (...names: string[]) => {
    for (const name of names) writeFileSync(folder.file(name), name);
  };
  const commit = () => {
    git('add', '.');
    git('commit', '-m', 'Change');
  };
  git('init', '-b', 'main');
  write('same', 'removed', '.gitignore');
  writeFileSync(folder.file('.gitignore'), 'ignored');
  commit();
  assert.deepEqual(changedFiles(folder.path), []);
  git('switch', '-c', 'branch');
  write('committed');
  commit();
  write('new', 'ignored');
  rmSync(folder.file('removed'));
  assert.deepEqual(changedFiles(folder.path), ['committed', 'new', 'removed']);
  git('branch', '-D', 'main');
  assert.deepEqual(changedFiles(folder.path), ['new', 'removed']);
});
