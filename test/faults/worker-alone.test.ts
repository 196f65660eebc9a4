import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunningCommand } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { type Postgres, startPostgres } from '@symbolon/testkit/servers/postgres';
import { findPostgres } from '@symbolon/testkit/tools';

const GONE = /"msg":"database unavailable: it does not answer"/g;
const BACK = /"msg":"database available again after \d+ s"/g;

/** Matches when the pattern has been printed so many times. */
const times = (pattern: RegExp, count: number) => new RegExp(`(?:[^]*?${pattern.source}){${count}}`);

test('a process with the role worker alone outlives restarts of PostgreSQL, and logs two lines for each', {
  skip: findPostgres() === undefined && 'PostgreSQL is not installed',
}, async (t) => {
  const postgres = (await startPostgres()) as Postgres;
  t.after(() => postgres.stop());
  const { path: folder } = temporaryFolder(t);
  const worker = new RunningCommand(['serve', '--data', folder], {
    env: {
      DATABASE_URL: postgres.url,
      SYMBOLON_SECRET: Buffer.alloc(32, 7).toString('base64'),
      SYMBOLON_ROLES: 'worker',
      // A process of another test may have the usual address.
      SYMBOLON_MANAGEMENT_ADDRESS: '127.0.0.1:0',
    },
  });
  await worker.line(/ works for local /);

  for (const [index, way] of (['halt', 'kill', 'halt'] as const).entries()) {
    await postgres[way]();
    await worker.line(times(GONE, index + 1));
    await postgres.restart();
    await worker.line(times(BACK, index + 1));
  }

  // It ends in order while the database is away, too: there is nothing more to say about that.
  await postgres.halt();
  await worker.line(times(GONE, 4));
  const { code, stdout, stderr } = await worker.end('SIGTERM');
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  const failures = stdout.split('\n').filter((line) => /"level":(40|50|60)/.test(line));
  assert.equal(failures.length, 4, failures.map((line) => line.slice(-200)).join('\n'));
  assert.equal(stdout.match(GONE)?.length, 4);
  assert.equal(stdout.match(BACK)?.length, 3);
});
