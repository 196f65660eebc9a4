/**
 * Runs the tests: `npm test [-- path-or-part-of-one … --flags-of-node-test …]`. Starts a throw-away PostgreSQL
 * when its programs are installed, so that everything that touches a database is tested on both engines. Fails when a test
 * names a row that does not exist, and when all tests ran and a row was not proved; when all ran, the page about
 * coverage is written. Of all tests, the few files that failed run once more, alone; `--strict` leaves that out.
 */
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { EVIDENCE_VARIABLE } from '@symbolon/testkit/evidence/evidence-rows';
import { RUN_FOLDER_VARIABLE } from '@symbolon/testkit/platform/made-once';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { buildWeb } from './build-web.ts';
import { declaredSections, problemsOf, readEvidence } from './checks/evidence.ts';
import { groupTests } from './checks/test-groups.ts';
import { TestRuns } from './checks/test-runs.ts';
import { writeCoverage } from './coverage.ts';

const PATTERNS = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
];

/** The runner's flags whose value may follow as an argument of its own: it is not a part of a path. */
const FLAGS_WITH_VALUE = [
  '--import',
  '--test-concurrency',
  '--test-name-pattern',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-shard',
  '--test-skip-pattern',
  '--test-timeout',
];

const MEMORY = '/dev/shm';
/** What all tests write takes less than half of it. */
const ROOM_BYTES = 6 * 2 ** 30;

/** Flags that leave tests out. */
const SELECTING = /^--test-(name-pattern|skip-pattern|only|shard)/;
const STRICT = '--strict';

const flags: string[] = [];
const parts: string[] = [];
for (const argument of process.argv.slice(2)) {
  const isValue = FLAGS_WITH_VALUE.includes(flags.at(-1) ?? '');
  if (argument === STRICT) continue;
  if (isValue || argument.startsWith('-')) flags.push(argument);
  else parts.push(relative('.', argument));
}
const files = globSync(PATTERNS, { exclude: (name) => name.includes('node_modules') })
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(
    parts.length === 0 ? 'There are no test files.' : `No test file matches ${parts.join(', ')}.`,
  );
  process.exit(2);
}

const environment: NodeJS.ProcessEnv = { ...process.env };
const runFolder = makeRunFolder();
process.on('exit', () => rmSync(runFolder, { recursive: true, force: true }));
environment.TMPDIR = process.env.TMPDIR = runFolder;
environment[RUN_FOLDER_VARIABLE] = join(runFolder, 'shared');
mkdirSync(environment[RUN_FOLDER_VARIABLE]);
// Each file of tests is a process that loads the whole platform: it is compiled once, not hundreds of times.
environment.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');
// Once here, and not by several files at a time.
await buildWeb();
const postgres = environment.SYMBOLON_TEST_DATABASE_URL === undefined ? await startPostgres() : undefined;
if (postgres !== undefined) environment.SYMBOLON_TEST_DATABASE_URL = postgres.url;
if (environment.SYMBOLON_TEST_DATABASE_URL === undefined) {
  console.error('PostgreSQL not found: tests on it are skipped');
  if (process.env.CI === 'true') process.exit(1);
}

const evidenceFolder = mkdtempSync(join(runFolder, 'evidence-'));
environment[EVIDENCE_VARIABLE] = evidenceFolder;

// One more than there are cores: some suites wait for much of their time.
const defaults = [`--test-concurrency=${availableParallelism() + 1}`, '--test-timeout=600000'];
const asks = (flag: string) => flags.some((asked) => asked === flag || asked.startsWith(`${flag}=`));
if (!asks('--test-reporter')) defaults.push('--test-reporter=spec');
if (!asks('--test-reporter-destination')) defaults.push('--test-reporter-destination=stdout');
const runs = new TestRuns({
  flags: [...defaults, ...flags],
  environment,
  folder: runFolder,
  onRepeat: (failed) => console.error(`\nFailed, and run once more alone: ${failed.join(', ')}\n`),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runs.stop(signal));
const repeats = parts.length === 0 && !process.argv.includes(STRICT);
const { code, unsteady } = await runs.run(groupTests(files, runFolder), repeats);
await postgres?.stop();
const evidence = readEvidence(evidenceFolder);
process.exitCode = code;
// What a broken run did not prove says nothing.
if (code === 0) {
  const isWhole = parts.length === 0 && !flags.some((flag) => SELECTING.test(flag));
  const declared = await declaredSections();
  const problems = problemsOf(declared, evidence, isWhole);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  if (isWhole) writeCoverage(declared, evidence);
}
for (const [file, failures] of unsteady) {
  console.error(`\nunsteady: ${file} failed among the others and passed alone\n${failures.join('\n')}`);
}

/**
 * Where everything that tests write goes: into memory where there is room, unless the caller names a folder of temporary
 * files. Databases wait for each commit to be on the disk, which takes longer than most tests.
 */
function makeRunFolder(): string {
  const isRoomy = () => {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  };
  const inMemory = process.env.TMPDIR === undefined && existsSync(MEMORY) && isRoomy();
  const folder = mkdtempSync(join(inMemory ? MEMORY : tmpdir(), 'symbolon-tests-'));
  // Programs that run as other users, such as PostgreSQL, have folders of their own inside.
  chmodSync(folder, 0o711);
  return folder;
}
