import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from './postgres.ts';

test('answers, and leaves neither process nor directory behind', async (t) => {
  const postgres = await startOrSkip(t);
  if (postgres === undefined) return;
  const { directory, pid } = await whereabouts(postgres.url).finally(() => postgres.stop());
  assert.equal(isRunning(pid), false);
  assert.equal(existsSync(directory), false);
});

test('keeps what was committed over a crash and a restart', async (t) => {
  const postgres = await startOrSkip(t, { durable: true });
  if (postgres === undefined) return;
  try {
    const client = await connect(postgres.url);
    await client.query('create table kept as select 42 as answer');
    const broken = new Promise<void>((resolve) => client.once('end', resolve));
    await postgres.kill();
    await broken;
    await assert.rejects(connect(postgres.url), { code: 'ECONNREFUSED' });

    await postgres.restart();
    const again = await connect(postgres.url);
    assert.deepEqual((await again.query('select answer from kept')).rows, [{ answer: 42 }]);
    await again.end();
  } finally {
    await postgres.stop();
  }
});

for (const signal of ['SIGINT', 'SIGKILL'] as const) {
  test(`ends with the process that started it (${signal})`, async (t) => {
    const script = `
      import { startPostgres } from ${JSON.stringify(import.meta.resolve('./postgres.ts'))};
      console.log((await startPostgres())?.url ?? 'none');`;
    const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [url] = await once(createInterface({ input: starter.stdout }), 'line');
    if (url === 'none') return missing(t);
    const { directory } = await whereabouts(url);
    starter.kill(signal);
    // Whoever tidies up holds this pipe until it is done.
    await once(starter.stderr.resume(), 'end');
    await assert.rejects(connect(url), { code: 'ECONNREFUSED' });
    assert.equal(existsSync(directory), false);
  });
}

async function startOrSkip(t: TestContext, options: { durable?: boolean } = {}) {
  const postgres = await startPostgres(options);
  if (postgres === undefined) missing(t);
  return postgres;
}

function missing(t: TestContext) {
  if (process.env.CI === 'true') assert.fail('PostgreSQL not found');
  t.skip('PostgreSQL not found');
}

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // a connection that the server breaks; what matters shows in the assertions
  await client.connect();
  return client;
}

/** The server's directory and its process, asked of itself. */
async function whereabouts(url: string) {
  const client = await connect(url);
  const { rows } = await client.query("select 1 as one, current_setting('data_directory') as data");
  await client.end();
  assert.equal(rows[0].one, 1);
  const data: string = rows[0].data;
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  return { directory: dirname(data), pid: Number(lines[0]) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
