import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';

import { createPostgresDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { TcpProxy } from '@symbolon/testkit/servers/tcp-proxy';
import { sql } from 'kysely';
import type { Database, Reader, Writer } from './database.ts';
import { openPostgres } from './postgres.ts';
import { prepared } from './prepared.ts';

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

  test('while a process starts, what it needs waits for a free connection, and afterwards nothing does', async () => {
    const created = await createPostgresDatabase();
    const { hostname, port } = new URL(created.url);
    await using proxy = await TcpProxy.start(hostname, Number(port));
    const url = new URL(created.url);
    url.host = proxy.address;
    const patience = { until: performance.now() + 60_000 };
    const starting = openPostgres(url.href, { patience });
    try {
      await proxy.refuse();
      const written = starting.write((writer) => sql`select 1`.execute(writer));
      const heard = starting.subscribe('channel', () => {});
      let isOver = false;
      void written.then(() => {
        isOver = true;
      });
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      assert.equal(isOver, false);
      await proxy.accept();
      await written;
      await heard;
      starting.started();
      await proxy.refuse();
      await assert.rejects(
        starting.write((writer) => sql`select 1`.execute(writer)),
        { key: 'db.writes_paused' },
      );
    } finally {
      await starting.stop();
      await created.drop();
    }
  });

  const pidOf = async (writer: Writer): Promise<number> => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(writer);
    return rows[0]?.pid ?? 0;
  };
  const terminate = (pid: number) => sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.schema);

  test('a broken PostgreSQL connection fails its own transaction and nothing else', async () => {
    const broken = database.write(async (writer) => {
      // Between two statements no query is pending that could report the loss.
      await terminate(await pidOf(writer));
      await new Promise((resolve) => setImmediate(resolve));
      await pidOf(writer);
    });
    await assert.rejects(broken);
    assert.ok((await database.write(pidOf)) > 0);
  });

  test('no connection to a PostgreSQL that has become a replica is used again', async () => {
    const write = () => database.write((writer) => sql`create table if not exists led ()`.execute(writer));
    const [, ...others] = await Promise.all(
      [1, 2, 3].map(() =>
        // As a replica does, each of the sessions that there are refuses to write.
        sql`set default_transaction_read_only = on`.execute(database.reader as Writer),
      ),
    );
    assert.equal(others.length, 2);
    await assert.rejects(write(), { key: 'db.writes_paused' });
    await write();
  });

  test('after the connection for PostgreSQL signals breaks, signals arrive again', async () => {
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

describe('The statements a PostgreSQL connection keeps', { skip }, () => {
  const byName = prepared<[name: string], { value: string }>((db, [name]) =>
    db.selectFrom('region_settings').select('value').where('name', '=', name),
  );
  const kept = async (writer: Writer): Promise<string[]> => {
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements
    `.execute(writer);
    return rows.map(({ statement }) => statement).sort();
  };

  test('a PostgreSQL connection keeps few named statements when queries have lists of 300 lengths', async (t) => {
    const created = await createPostgresDatabase();
    const database = openPostgres(created.url);
    t.after(async () => {
      await database.stop();
      await created.drop();
    });
    await database.write(async (writer) => {
      await sql`create table region_settings (name text, value text)`.execute(writer);
      for (let length = 1; length <= 300; length++) {
        const names = Array.from({ length }, (_, index) => `name-${index}`);
        await writer.selectFrom('region_settings').selectAll().where('name', 'in', names).execute();
      }
      const before = await kept(writer);
      assert.ok(before.length <= 200, String(before.length));
      await byName(writer, 'name-1');
      await byName(writer, 'name-2');
      const compiled = 'select "value" from "region_settings" where "name" = $1';
      assert.deepEqual(await kept(writer), [...before, compiled].sort());
    });
  });

  test('a column that a newer version adds breaks no statement with a name', async (t) => {
    const created = await createPostgresDatabase();
    const database = openPostgres(created.url);
    t.after(async () => {
      await database.stop();
      await created.drop();
    });
    const read = (db: Reader, column: 'name' | 'value') =>
      db.selectFrom('region_settings').selectAll().where(column, '=', 'a').execute();
    const reads = {
      outside: () => read(database.reader, 'name'),
      inside: () => database.write((writer) => read(writer, 'value')),
    };
    await sql`create table region_settings (name text, value text)`.execute(database.schema);
    await sql`insert into region_settings values ('a', 'a')`.execute(database.schema);
    for (const [column, again] of Object.entries(reads)) {
      await again();
      await sql`alter table region_settings add column ${sql.ref(column)} text`.execute(database.schema);
      const [row = {}] = await again();
      assert.ok(column in row, column);
    }
  });
});
