import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changedFiles } from '../checks/project-files.ts';
import { LONG } from './groups.ts';
import { ImportGraph } from './imports.ts';
import type { Size, TestOptions } from './options.ts';

const PATTERNS = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'bench/**/*.test.ts',
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** Files for `--all` alone: they repeat, at length and by chance, what other files prove once. */
const AT_LENGTH = /^(test\/chaos\/[^/]+\.test\.ts$|test\/faults\/webhooks\.test\.ts$)/;
/** What a test is made of, beside the product. */
const TEST_CODE = /\.test\.ts$|^(test|bench|scripts)\/|^packages\/testkit\/|\/testing\//;
/** What a quick run leaves out: modules that start programs or several platforms. */
const NOT_QUICK = [
  'node:child_process',
  'playwright-core',
  'packages/testkit/src/platform/process.ts',
  'packages/testkit/src/platform/regions.ts',
];
/** Tests beside the code; the others tell whole stories. */
const BESIDE_CODE = /^(packages|apps|scripts)\//;
const TOOLS = 'packages/testkit/src/tools.ts';
/** Composes the whole platform: a test that starts one proves something of its own folder. */
const COMPOSITION = /^packages\/(server\/src\/(context|serve|index)\.ts|server\/src\/roles\/|testkit\/)/;
/** Beyond imports: what every test depends on. */
const EVERYWHERE = /^(package(-lock)?\.json|tsconfig[^/]*\.json|scripts\/test\.ts|scripts\/tests\/)/;

/** @returns the test files that the options ask for, as paths from `root`, sorted */
export function chooseFiles(options: TestOptions, root: string): string[] {
  const graph = new ImportGraph(root);
  const { parts, size } = options;
  const changed = options.changed && new Set(changedFiles(root, options.changed.since));
  return testFiles(root)
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .filter((file) => parts.length > 0 || isOfSize(file, size, graph))
    .filter((file) => changed === undefined || isReached(file, changed, graph, root));
}

/** All test files of the project, as paths from `root`, sorted. */
export function testFiles(root: string): string[] {
  return globSync(PATTERNS, { cwd: root, exclude: (name) => name.includes('node_modules') }).sort();
}

function isOfSize(file: string, size: Size, graph: ImportGraph): boolean {
  if (size === 'all') return true;
  if (AT_LENGTH.test(file)) return false;
  if (size === 'usual') return true;
  // What a test itself starts: the product's own child processes are part of what it does.
  const own = graph.reach([file], (next) => TEST_CODE.test(next));
  if (size === 'bare') return own.has(TOOLS);
  return BESIDE_CODE.test(file) && !LONG.includes(file) && !NOT_QUICK.some((name) => own.has(name));
}

/**
 * Whether a change reaches a test by imports. A test that starts a platform would import everything: there what counts is
 * its own folder, what that imports, and the helpers of the test.
 */
function isReached(file: string, changed: ReadonlySet<string>, graph: ImportGraph, root: string): boolean {
  if ([...changed].some((path) => EVERYWHERE.test(path))) return true;
  const folder = dirname(file);
  const beside = globSync('*.ts', { cwd: join(root, folder) }).map((name) => `${folder}/${name}`);
  const isBeside = file.startsWith('packages/');
  const start = isBeside ? [file, ...beside.filter((name) => !name.endsWith('.test.ts'))] : [file];
  const reached = graph.reach(start, (next) => !isBeside || !COMPOSITION.test(next));
  return [...changed].some((path) => reached.has(path));
}
