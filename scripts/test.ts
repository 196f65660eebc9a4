/**
 * Runs the tests: `npm test [-- path-or-part-of-one … --flags-of-node-test …]`. Starts a throw-away PostgreSQL
 * when its programs are installed, so that everything that touches a database is tested on both engines.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { startPostgres } from '../test/support/postgres.ts';

const PATTERNS = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'];

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

const flags: string[] = [];
const parts: string[] = [];
for (const argument of process.argv.slice(2)) {
  const isValue = FLAGS_WITH_VALUE.includes(flags.at(-1) ?? '');
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
const postgres = environment.SYMBOLON_TEST_DATABASE_URL === undefined ? await startPostgres() : undefined;
if (postgres !== undefined) environment.SYMBOLON_TEST_DATABASE_URL = postgres.url;
if (environment.SYMBOLON_TEST_DATABASE_URL === undefined) {
  console.error('PostgreSQL not found: tests on it are skipped');
  if (process.env.CI === 'true') process.exit(1);
}

const defaults = [`--test-concurrency=${Math.max(2, availableParallelism())}`, '--test-timeout=300000'];
// A second reporter would write beside the one that was asked for.
if (!flags.some((flag) => flag.startsWith('--test-reporter'))) defaults.push('--test-reporter=spec');
const runner = spawn(process.execPath, ['--test', ...defaults, ...flags, ...files], {
  stdio: 'inherit',
  env: environment,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal));
const code = await new Promise<number>((resolve) => runner.once('exit', (status) => resolve(status ?? 1)));
await postgres?.stop();
process.exitCode = code;
