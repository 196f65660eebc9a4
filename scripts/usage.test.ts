import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderToReplace } from './usage.ts';

/** Of the benchmarks, and how those begin that have a command of their own. */
const BENCHMARKS = [
  ['flame.ts'],
  ['run.ts'],
  ...['scale', 'soak', 'costs', 'plan'].map((name) => ['run.ts', name]),
];

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], { encoding: 'utf8' });

const TAKE_NAMES = ['pack.ts', 'build.ts', 'build-site.ts', 'places.ts', 'coverage.ts', 'check-docs.ts'];
const TAKE_NOTHING = [
  ...['architecture-map.ts', 'build-web.ts', 'commands-page.ts', 'flow-packages.ts', 'flow-schema.ts'],
  ...['metrics-page.ts', 'password-lists.ts', 'readme-pictures.ts'],
];

for (const [script, ...named] of [
  ...[...TAKE_NAMES, ...TAKE_NOTHING].map((name) => [name] as const),
  ...BENCHMARKS.map(([name = '', ...rest]) => [`../bench/${name}`, ...rest] as const),
]) {
  test(`${[script, ...named].join(' ')} shows how it is called, refuses unknown flags, and does nothing then`, () => {
    const shown = run(script, ...named, '--help');
    assert.deepEqual([shown.status, shown.stderr], [0, '']);
    assert.match(shown.stdout, /^Usage: /);
    const refused = run(script, ...named, '--nonsense');
    assert.equal(refused.status, 2, refused.stderr);
    assert.match(refused.stderr, /'--nonsense'.*\nUsage: /);
    assert.ok(!existsSync('--help') && !existsSync('--nonsense'));
  });
}

test('a script that takes nothing refuses a name', () => {
  for (const script of TAKE_NOTHING) {
    const refused = run(script, 'nonsense');
    assert.equal(refused.status, 2, script);
    assert.match(refused.stderr, /Unexpected argument 'nonsense'\.\nUsage: /);
  }
});

test('a folder that holds something else is not built over, and is as it was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-built-'));
  writeFileSync(join(folder, 'thesis.txt'), 'years of work');
  const refused = run('build.ts', folder);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /holds something else: name an empty folder.*\nUsage: /);
  assert.deepEqual(readdirSync(folder), ['thesis.txt']);
  assert.equal(folderToReplace(join(folder, 'new'), 'mark', ''), join(folder, 'new'));
  writeFileSync(join(folder, 'mark'), '');
  assert.equal(folderToReplace(folder, 'mark', ''), folder, 'it was made by the script');
  rmSync(folder, { recursive: true });
});

test('packing refuses a package that does not exist, and makes no folder', () => {
  const folder = join(tmpdir(), `symbolon-unpacked-${process.pid}`);
  const refused = run('pack.ts', folder, 'slk');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /There is no package 'slk': protocol, .*\nUsage: /);
  assert.ok(!existsSync(folder));
});

test('no script takes positional arguments from the command line by itself', () => {
  const own = globSync(['*.ts', '../bench/*.ts'], { cwd: import.meta.dirname }).filter((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    return /\] = process\.argv\.slice\(2\)|process\.argv\[2\]/.test(text);
  });
  // They take flags alone, hand them on to npm or to a benchmark, or read them for all others.
  assert.deepEqual(own.sort(), ['../bench/run.ts', 'check.ts', 'publish.ts', 'usage.ts']);
});

test('check.ts refuses what it does not know', () => {
  assert.deepEqual([run('check.ts', '--quik').status, run('check.ts', '--help').status], [2, 2]);
});
