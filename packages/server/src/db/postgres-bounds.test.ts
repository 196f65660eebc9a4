import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { BOUND_MOST_MS } from '@symbolon/testkit/limits';
import { engines } from '@symbolon/testkit/platform/engines';
import { createPostgresDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { sql } from 'kysely';
import type { PlatformError } from '../core/errors.ts';
import { type Database, lock, serialize, type Writer } from './database.ts';
import { outageOf } from './engine-errors.ts';
import { openPostgres } from './postgres.ts';
import { savingReason } from './saving.ts';

const skip = !engines.includes('postgres') && 'PostgreSQL not found';

/** Something that a test waits for or lets go. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

describe('bounds of waiting on PostgreSQL', { skip }, () => {
  let database: Database;
  let elsewhere: Database;
  /** For what happens before any bound, however busy the machine is. */
  let patient: Database;
  let url: string;
  let drop: () => Promise<void>;
  before(async () => {
    const created = await createPostgresDatabase();
    ({ url, drop } = created);
    database = openPostgres(url);
    elsewhere = openPostgres(url);
    patient = openPostgres(url, { slowness: 10 });
    await database.write(async (writer) => {
      for (const table of ['services', 'persons']) {
        await sql`create table ${sql.table(table)} (id text primary key, name text)`.execute(writer);
        await sql`insert into ${sql.table(table)} select 'id-' || n, '' from generate_series(1, 30) as n`.execute(
          writer,
        );
      }
    });
  });
  after(async () => {
    await database.stop();
    await elsewhere.stop();
    await patient.stop();
    await drop();
  });

  const settingsOf = async (writer: Writer) => {
    const { rows } = await sql<{ name: string; value: string }>`
      select name, setting as value from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')
    `.execute(writer);
    return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
  };
  /** Holds the row in a transaction until it is ended. */
  const hold = (by: Database, table: 'services' | 'persons', id: string) => {
    const [held, end] = [gate(), gate()];
    const done = by.write(async (writer) => {
      await lock('postgres', writer, table, [id]);
      held.open();
      await end.passed;
    });
    return { held: held.passed, end: end.open, done };
  };
  const keyOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: PlatformError) => error.key,
    );

  test('a transaction has bounds, and leaves no bound in its session', async () => {
    const inside = await database.write(settingsOf);
    assert.ok(
      Object.values(inside).every((ms) => ms > 0 && ms <= 15_000),
      JSON.stringify(inside),
    );
    const outside = await settingsOf(database.reader as Writer);
    assert.deepEqual(Object.values(outside), [0, 0, 0]);
    assert.deepEqual(Object.values(await settingsOf(database.schema)), [0, 0, 0]);
  });

  test('a lock that another process holds for too long is refused, and nothing is written', async () => {
    const other = hold(elsewhere, 'services', 'id-1');
    await other.held;
    const begun = performance.now();
    const refused = await keyOf(
      database.write(async (writer) => {
        await sql`update services set name = 'written' where id = 'id-2'`.execute(writer);
        await lock('postgres', writer, 'services', ['id-1']);
      }),
    );
    assert.equal(refused, 'service.busy');
    assert.ok(performance.now() - begun < BOUND_MOST_MS);
    other.end();
    await other.done;
    const { rows } = await sql<{ name: string }>`select name from services where id = 'id-2'`.execute(
      database.schema,
    );
    assert.equal(rows[0]?.name, '');
  });

  test('a transaction that stands still in the middle is ended, and others go on', async () => {
    const stalled = hold(elsewhere, 'services', 'id-3');
    const outcome = keyOf(stalled.done);
    await stalled.held;
    // As soon as PostgreSQL has ended it, another transaction gets the row.
    let got = '';
    for (let tries = 0; got !== 'done' && tries < 10; tries++) {
      got = await keyOf(database.write((writer) => lock('postgres', writer, 'services', ['id-3'])));
    }
    assert.equal(got, 'done');
    stalled.end();
    assert.equal(await outcome, 'db.writes_paused');
  });

  test('forty calls that want one row leave connections to all others', async () => {
    const holder = hold(patient, 'services', 'id-4');
    await holder.held;
    const waiting = Array.from({ length: 40 }, () =>
      keyOf(patient.write((writer) => lock('postgres', writer, 'services', ['id-4']))),
    );
    const waitsInDatabase = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()
      `.execute(patient.schema);
      return rows[0]?.count ?? 0;
    };
    let most = 0;
    for (let round = 0; round < 10; round++) {
      most = Math.max(most, await waitsInDatabase());
      const one = patient.write((writer) => lock('postgres', writer, 'services', ['id-5']));
      assert.equal(await keyOf(one), 'done');
      await sql`select 1`.execute(patient.reader as Writer);
    }
    assert.ok(most <= 3, `${most} wait in the database`);
    holder.end();
    await holder.done;
    assert.deepEqual(
      new Set(await Promise.all(waiting)),
      new Set(['done']),
      'each gets the row in its turn once it is free',
    );
  });

  test('who waits too long for a turn gets a refusal to retry, and the last in a long line at once', async () => {
    const holder = hold(elsewhere, 'persons', 'id-6');
    const held = keyOf(holder.done);
    await holder.held;
    const many = Array.from({ length: 110 }, () =>
      keyOf(database.write((writer) => lock('postgres', writer, 'persons', ['id-6']))),
    );
    assert.equal(await Promise.race(many), 'service.busy');
    holder.end();
    await held;
    for (const key of await Promise.all(many)) assert.match(key, /^(done|service\.busy)$/);
  });

  test('a place in a queue of events is waited for by a few as well', async () => {
    const [held, end] = [gate(), gate()];
    const holder = database.write(async (writer) => {
      await serialize('postgres', writer, ['queue']);
      held.open();
      await end.passed;
    });
    await held.passed;
    let attempts = 0;
    const waiting = Array.from({ length: 15 }, () =>
      keyOf(
        database.write(async (writer) => {
          attempts++;
          await serialize('postgres', writer, ['queue']);
        }),
      ),
    );
    await database.write((writer) => serialize('postgres', writer, ['another']));
    end.open();
    await holder;
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['done']));
    // Those without a place ran twice.
    assert.ok(attempts <= 15 + 8, String(attempts));
  });

  test('locks out of the one order are a mistake that shows', async () => {
    const wrong = database.write(async (writer) => {
      await lock('postgres', writer, 'persons', ['id-1']);
      await lock('postgres', writer, 'services', ['id-1']);
    });
    await assert.rejects(wrong, /locks services after persons/);
    await database.write(async (writer) => {
      await lock('postgres', writer, 'services', ['id-1']);
      await lock('postgres', writer, 'persons', ['id-1']);
      // What is held already is no new lock.
      await lock('postgres', writer, 'services', ['id-1']);
    });
  });

  test('the first error of a transaction is reported, also when its rollback fails', async () => {
    const failed = database.write(async (writer) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(writer);
    });
    assert.equal(await keyOf(failed), 'db.writes_paused');
    await assert.rejects(failed, (error: PlatformError) => {
      assert.equal((error.cause as { code?: string }).code, '57P01');
      return true;
    });
    assert.equal(
      await keyOf(database.write((writer) => lock('postgres', writer, 'services', ['id-7']))),
      'done',
    );
  });

  test('what health and tokens read answers while every other connection is taken', async () => {
    const holders = Array.from({ length: 20 }, (_, index) => hold(patient, 'services', `id-${index + 8}`));
    await Promise.all(holders.map(({ held }) => held));
    const { rows } = await sql<{ one: number }>`select 1 as one`.execute(patient.vital as Writer);
    assert.deepEqual(rows, [{ one: 1 }]);
    for (const holder of holders) holder.end();
    await Promise.all(holders.map(({ done }) => done));
  });

  test('a process that uses all its connections is busy, and its database is not away', async () => {
    // Twenty connections are made in less than the bound.
    const database = openPostgres(url, { slowness: 2 });
    const full = gate();
    let isOver = false;
    let begun = 0;
    const users = Array.from({ length: 20 }, () =>
      database.write(async (writer) => {
        if (++begun === 20) full.open();
        while (!isOver) await sql`select pg_sleep(0.1)`.execute(writer);
      }),
    );
    const asked = async () => {
      await full.passed;
      const refused = await database.write(async () => {}).catch((error: PlatformError) => error);
      const read = await sql`select 1`.execute(database.reader as Writer).catch((error: Error) => error);
      return { refused, read };
    };
    const { refused, read } = await Promise.race([
      asked(),
      Promise.all(users).then(() => assert.fail()),
    ]).finally(() => {
      isOver = true;
    });
    await Promise.all(users);
    await database.stop();
    assert.equal((refused as PlatformError).key, 'service.busy');
    assert.equal(outageOf((refused as PlatformError).cause), 'busy');
    assert.equal(savingReason(refused), undefined, 'health does not say that nothing can be saved');
    assert.equal(outageOf(read), 'busy');
  });
});
