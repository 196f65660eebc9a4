/**
 * Runs the tests: `npm test [-- --quick | --all | --bare] [--changed] [--shard=1/4] [part-of-a-path …] [--flags-of-node-test …]`;
 * docs/testing.md says what each is for. Starts a throw-away PostgreSQL and a browser for all files when they are installed.
 * Fails when a test fails, once is enough; when a test names a row that does not exist; and when all tests ran and a row was not
 * proved.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BROWSER_VARIABLE, startBrowserServer } from '@symbolon/testkit/browser/chromium';
import { EVIDENCE_VARIABLE } from '@symbolon/testkit/evidence/evidence-rows';
import { ENGINES_VARIABLE } from '@symbolon/testkit/platform/engines';
import { RUN_FOLDER_VARIABLE } from '@symbolon/testkit/platform/made-once';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { SIZE_VARIABLE } from '@symbolon/testkit/thoroughness';
import { buildSite } from './build-site.ts';
import { buildWeb } from './build-web.ts';
import { declaredSections, problemsOf, readEvidence } from './checks/evidence.ts';
import { REPORTS, writeCoverage } from './coverage.ts';
import { ACCOUNTS_VARIABLE, childrenSeconds } from './tests/account.ts';
import { bareEnvironment } from './tests/bare.ts';
import { chooseFiles } from './tests/files.ts';
import { groupTests } from './tests/groups.ts';
import { readOptions, type TestOptions } from './tests/options.ts';
import { readCosts, reportLines, skippedLines } from './tests/report.ts';
import { TestRuns } from './tests/runs.ts';

const MEMORY = '/dev/shm';
/** What all tests write takes less than half of it. */
const ROOM_BYTES = 6 * 2 ** 30;
/** Where the evidence of a shard goes, for whoever merges it. */
const EVIDENCE_OUT = join(REPORTS, 'evidence');
const ACCOUNT = fileURLToPath(new URL('./tests/account.ts', import.meta.url));
/** A last bound for a test that works for ever; what stands still ends much earlier. */
const TEST_MOST_MS = 1_200_000;

const options = orUsage(() => readOptions(process.argv.slice(2), process.env));
const { size, shard } = options;
const files = chooseFiles(options, process.cwd());
if (files.length === 0) {
  const { parts, changed } = options;
  if (parts.length > 0) console.error(`No test file matches ${parts.join(', ')}.`);
  else console.error(changed === undefined ? 'There are no test files.' : 'The change reaches no test.');
  process.exit(changed === undefined ? 2 : 0);
}

const runFolder = makeRunFolder();
process.on('exit', () => rmSync(runFolder, { recursive: true, force: true }));
process.env.TMPDIR = runFolder;
const folderFor = (name: string) => {
  const folder = join(runFolder, name);
  mkdirSync(folder);
  return folder;
};
const evidenceFolder = folderFor('evidence');
const accounts = folderFor('accounts');
const shared: NodeJS.ProcessEnv = {
  ...process.env,
  [RUN_FOLDER_VARIABLE]: folderFor('shared'),
  [EVIDENCE_VARIABLE]: evidenceFolder,
  [ACCOUNTS_VARIABLE]: accounts,
  [SIZE_VARIABLE]: size,
  // Each process of tests loads the whole platform: it is compiled once, not a hundred times.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? resolve('node_modules/.cache/compiled'),
  ...(options.headed && { SYMBOLON_TEST_HEADED: '1' }),
  ...(options.engine === undefined
    ? size === 'all' && { [ENGINES_VARIABLE]: 'both' }
    : { [ENGINES_VARIABLE]: options.engine }),
};
const environment = size === 'bare' ? bareEnvironment(shared, runFolder) : shared;

// Once here, and not by several files at a time.
await buildWeb();
await buildSite();
const postgres = needsPostgres(options) ? await startPostgres() : undefined;
if (postgres !== undefined) environment.SYMBOLON_TEST_DATABASE_URL = postgres.url;
if (needsPostgres(options) && environment.SYMBOLON_TEST_DATABASE_URL === undefined) {
  console.error('PostgreSQL not found: tests on it are skipped');
  if (process.env.CI === 'true') process.exit(1);
}

const needsBrowser = size !== 'bare' && files.some((file) => file.startsWith('test/browser/'));
const browser = needsBrowser ? await startBrowserServer() : undefined;
if (browser !== undefined) environment[BROWSER_VARIABLE] = browser.url;

// Two more than there are cores: many suites wait for much of their time.
const defaults = [`--test-concurrency=${availableParallelism() + 2}`, `--test-timeout=${TEST_MOST_MS}`];
const asks = (flag: string) => options.flags.some((asked) => asked === flag || asked.startsWith(`${flag}=`));
if (!asks('--test-reporter')) defaults.push('--test-reporter=spec');
if (!asks('--test-reporter-destination')) defaults.push('--test-reporter-destination=stdout');
const runs = new TestRuns({
  flags: [...defaults, `--import=${ACCOUNT}`, ...options.flags],
  environment,
  folder: runFolder,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runs.stop(signal));

const groups = groupTests(files, runFolder);
const chosen = shard === undefined ? groups : groups.filter((_, at) => at % shard.count === shard.index - 1);
const { code, failed, hung, log } = await runs.run(chosen);
const took = async (stop: Promise<void> | undefined) => {
  const begun = childrenSeconds();
  await stop;
  return childrenSeconds() - begun;
};
const services = { Chromium: await took(browser?.stop()), PostgreSQL: await took(postgres?.stop()) };
process.exitCode = code;

const costs = readCosts(accounts);
for (const line of [...skippedLines(log), ...reportLines(costs, services)]) console.error(line);
for (const [file, failures] of failed) console.error(`\nfailed: ${file}\n${failures.join('\n')}`);
for (const file of hung) console.error(`\nnever ended: ${file}`);
await judgeEvidence(code === 0);

/** What a broken run did not prove says nothing. */
async function judgeEvidence(isGreen: boolean): Promise<void> {
  if (shard !== undefined) {
    rmSync(EVIDENCE_OUT, { recursive: true, force: true });
    cpSync(evidenceFolder, EVIDENCE_OUT, { recursive: true });
  }
  if (!isGreen || size === 'bare') return;
  const isWhole =
    (size === 'usual' || size === 'all') &&
    options.parts.length === 0 &&
    options.changed === undefined &&
    shard === undefined &&
    !options.isSelecting;
  const evidence = readEvidence(evidenceFolder);
  const declared = await declaredSections();
  const problems = problemsOf(declared, evidence, isWhole);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  if (isWhole) writeCoverage(declared, evidence);
}

function needsPostgres({ size: asked, engine }: TestOptions): boolean {
  return (
    asked !== 'quick' &&
    asked !== 'bare' &&
    engine !== 'sqlite' &&
    process.env.SYMBOLON_TEST_DATABASE_URL === undefined
  );
}

function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
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
