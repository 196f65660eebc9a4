import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createPostgresDatabase, engines } from '../testing/platform.ts';
import type { Database, Writer } from './database.ts';
import { openPostgres } from './postgres.ts';

const skip = !engines.includes('postgres') && 'PostgreSQL not found';

describe('a PostgreSQL that breaks connections', { skip }, () => {
  let database: Database;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createPostgresDatabase();
    drop = created.drop;
    database = openPostgres(created.url);
  });
  after(async () => {
    await database.stop();
    await drop();
  });

  const pidOf = async (writer: Writer): Promise<number> => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(writer);
    return rows[0]?.pid ?? 0;
  };
  const terminate = (pid: number) => sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.schema);

  test('fails the transaction whose connection it was, and nothing else', async () => {
    const broken = database.write(async (writer) => {
      // Between two statements nobody waits for an answer who could be told.
      await terminate(await pidOf(writer));
      await new Promise((resolve) => setImmediate(resolve));
      await pidOf(writer);
    });
    await assert.rejects(broken);
    assert.ok((await database.write(pidOf)) > 0);
  });

  test('is listened to again', async () => {
    const heard: string[] = [];
    let tell = () => {};
    await database.subscribe('test_channel', (payload) => {
      heard.push(payload);
      tell();
    });
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where query like 'listen %' and pid <> pg_backend_pid() and datname = current_database()
    `.execute(database.schema);
    assert.equal(rows.length, 1);
    await terminate(rows[0]!.pid);
    const signal = new Promise<void>((resolve) => {
      tell = resolve;
    });
    let waiting = true;
    void signal.then(() => {
      waiting = false;
    });
    while (waiting) await database.write((writer) => database.notify(writer, 'test_channel', 'again'));
    assert.equal(heard[0], 'again');
  });
});
