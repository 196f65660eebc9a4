import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Instruments, noInstruments } from '../core/instruments.ts';
import { CHECKPOINT_PRAGMAS, Checkpoints } from './checkpoints.ts';
import type { Database, Writer } from './database.ts';
import { GroupCommit } from './group-commit.ts';
import { LogSync } from './log-sync.ts';
import { offerConnection } from './prepared.ts';
import { inQuerySpan } from './query-span.ts';
import { ReadSnapshot } from './read-snapshot.ts';
import { Subscribers } from './signals.ts';
import type { Tables } from './tables.ts';

/** Opens the embedded database: WAL, a sync of the log for every commit, one writing and one reading connection. */
export function openSqlite(path: string, instruments: Instruments = noInstruments): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Readable by its owner alone, whatever the folder lets through; SQLite gives its log files the same mode.
  closeSync(openSync(path, 'a', 0o600));
  const writing = new DatabaseSync(path, { timeout: 5000 });
  // With synchronous=NORMAL a commit is not durable by itself: the log is synced beside, so that a slow disk holds no reads. What is
  // answered survives a power cut all the same.
  writing.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -65536',
  );
  writing.exec(CHECKPOINT_PRAGMAS);
  const run = statements(writing);
  const checkpoints = new Checkpoints(path);
  const reading = new DatabaseSync(path, { timeout: 5000 });
  // Not mapped into memory: SQLite would map the file again, and fault its pages in, for the first read after each commit,
  // which takes 300 us.
  reading.exec('pragma query_only = on; pragma cache_size = -65536');
  const snapshot = new ReadSnapshot(reading);

  const writer = kyselyOn(writing);
  const reader = kyselyOn(reading, () => snapshot.begin());
  const subscribers = new Subscribers();
  const signals = new Map<string, [channel: string, payload: string]>();
  const log = new LogSync(path);
  const changes = changesOf(writing);
  let synced = changes();
  const commits = new GroupCommit(writer, run, {
    commit() {
      snapshot.hold();
      try {
        run('commit');
      } catch (error) {
        snapshot.release();
        throw error;
      }
    },
    // What may be lost is not shown either: the snapshot is held as long as the process lives.
    async sync() {
      const now = changes();
      if (now !== synced) await log.sync();
      synced = now;
      snapshot.release();
    },
    committed(size) {
      instruments.record('symbolon.db.commit.size', size, {});
      // Signals of a job that was rolled back go out too: they only cause a look at the database.
      const told = [...signals.values()];
      signals.clear();
      for (const [channel, payload] of told) subscribers.tell(channel, payload);
      return checkpoints.committed();
    },
  });
  return {
    engine: 'sqlite',
    reader,
    vital: reader,
    schema: writer,
    write: (work) => commits.run(work),
    untilIdle: () => checkpoints.idle(),
    async notify(_writer, channel, ...payloads) {
      for (const payload of payloads) signals.set(`${channel} ${payload}`, [channel, payload]);
    },
    async tell(channel, payload) {
      subscribers.tell(channel, payload);
    },
    subscribe: async (channel, handler) => subscribers.add(channel, handler),
    started() {},
    async stop() {
      await commits.stop();
      await checkpoints.stop();
      log.stop();
      snapshot.release();
      await reader.destroy();
      await writer.destroy();
      // Kysely closes only what it has opened itself; queries that went past it did not have it do so.
      for (const connection of [reading, writing]) if (connection.isOpen) connection.close();
    },
  };
}

function kyselyOn(database: DatabaseSync, beforeRead: () => void = () => {}): Writer {
  const adapted = adapt(database, beforeRead);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapted }) });
  offerConnection(db, (text) => adapted.prepare(text).all);
  return db;
}

/** Counts the rows that a connection has changed since it was opened: a transaction that changed none has nothing to sync. */
function changesOf(database: DatabaseSync): () => number {
  const count = database.prepare('select total_changes() as changes');
  return () => (count.get() as { changes: number }).changes;
}

/** Commands without parameters or rows, each compiled once. */
function statements(database: DatabaseSync): (command: string) => void {
  const known = new Map<string, StatementSync>();
  return (command) => {
    let statement = known.get(command);
    if (statement === undefined) {
      statement = database.prepare(command);
      known.set(command, statement);
    }
    statement.run();
  };
}

/** The most prepared statements that are kept for a connection. */
const STATEMENTS_MOST = 500;

/** Gives node:sqlite the face Kysely's SQLite dialect knows, with statements cached by their text. */
function adapt(database: DatabaseSync, beforeRead: () => void) {
  const cache = new LRUCache<string, ReturnType<typeof adaptStatement>>({ max: STATEMENTS_MOST });
  return {
    close: () => database.close(),
    prepare(sql: string) {
      const known = cache.get(sql);
      if (known !== undefined) return known;
      const made = adaptStatement(sql, database.prepare(sql), beforeRead);
      cache.set(sql, made);
      return made;
    },
  } satisfies SqliteDatabase;
}

function adaptStatement(text: string, prepared: StatementSync, beforeRead: () => void) {
  const names = prepared.columns().map((column) => column.name);
  // Rows come as arrays and get their members here: node:sqlite would make the names again for every row.
  if (names.length > 0) prepared.setReturnArrays(true);
  return {
    reader: names.length > 0,
    all(parameters: readonly unknown[]): unknown[] {
      beforeRead();
      const rows = inQuerySpan(
        'sqlite',
        text,
        () => prepared.all(...(parameters as SQLInputValue[])) as unknown[],
      );
      for (let index = 0; index < rows.length; index++) rows[index] = toRow(names, rows[index] as unknown[]);
      return rows;
    },
    run: (parameters: readonly unknown[]) =>
      inQuerySpan('sqlite', text, () => prepared.run(...(parameters as SQLInputValue[]))),
    *iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
      for (const values of prepared.iterate(...(parameters as SQLInputValue[]))) {
        yield toRow(names, values as unknown as unknown[]);
      }
    },
  };
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
  return row;
}
