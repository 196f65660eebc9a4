/**
 * Runs the tests: `npm test [-- path-or-part-of-one …] [-- --flags of node --test]`. Starts a throw-away PostgreSQL when
 * its programs are installed, so that everything that touches a database is tested on both engines.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { startPostgres } from '../test/support/postgres.ts';

const PATTERNS = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'];

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'));
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const files = globSync(PATTERNS, { exclude: (name) => name.includes('node_modules') })
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part.replace(/^\.\//, ''))))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches ${parts.join(', ')}.`);
  process.exit(2);
}

const environment: NodeJS.ProcessEnv = { ...process.env };
const postgres = environment.SYMBOLON_TEST_DATABASE_URL === undefined ? await startPostgres() : undefined;
if (postgres !== undefined) environment.SYMBOLON_TEST_DATABASE_URL = postgres.url;
if (environment.SYMBOLON_TEST_DATABASE_URL === undefined) {
  console.error('PostgreSQL not found: tests on it are skipped.');
  if (process.env.CI === 'true') process.exit(1);
}

const concurrency = `--test-concurrency=${Math.max(2, availableParallelism())}`;
const runner = spawn(process.execPath, ['--test', concurrency, '--test-timeout=300000', ...flags, ...files], {
  stdio: 'inherit',
  env: environment,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal));
const code = await new Promise<number>((resolve) => runner.once('exit', (status) => resolve(status ?? 1)));
await postgres?.stop();
process.exitCode = code;
