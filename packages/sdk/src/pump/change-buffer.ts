import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChangeEvent } from '@symbolon/protocol';
import { ConfigurationError, SymbolonError } from '../http/errors.ts';

/** Another process, or another pump of this one, has the buffer file open. */
export class BufferLockedError extends SymbolonError {}

export type BufferedItem = { seq: number; lane: string; event: ChangeEvent; attempts: number };

/** An item given up after its retries; the value inside `event` is still sealed. */
export type DeadLetter = {
  id: string;
  event: ChangeEvent;
  /** Calls of the handler that failed. */
  attempts: number;
  /** The text of the last failure, with what was opened for the handler taken out. */
  error: string;
  /** Milliseconds since the epoch. */
  diedAt: number;
};

/**
 * The pump's memory on disk: events as received, so ciphertext only. A lane holds the items of one person (or whatever the
 * feed says), whose connection they concern; only the first of a lane is ever handed out. Every change is one durable transaction.
 */
export class ChangeBuffer {
  readonly #db: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;

  /** @throws BufferLockedError `sdk.buffer_locked`; ConfigurationError `sdk.configuration` on Node before 22.13 */
  constructor(file: string) {
    const Database = databaseClass();
    if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600));
    this.#db = new Database(file);
    try {
      // The exclusive mode keeps the file's lock for as long as this connection lives, even through a crash of others.
      this.#db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
      this.#db.exec(`BEGIN EXCLUSIVE; ${SCHEMA}; COMMIT`);
    } catch (error) {
      this.#db.close();
      throw isBusy(error) ? locked(file) : error;
    }
    this.#statements = prepare(this.#db);
  }

  /**
   * Keeps a batch of a channel, all or nothing; ids that are here, or were acknowledged lately, are dropped. Gives how many
   * are new.
   */
  add(events: readonly ChangeEvent[], now: number, channel = '', laneOf = laneOfPerson): number {
    return this.#transaction(() => {
      let added = 0;
      const last = events.at(-1);
      if (last !== undefined) this.#statements.move.run({ channel, id: last.id });
      for (const event of events) {
        if (this.#statements.known.get({ id: event.id })) continue;
        this.#statements.insert.run({ id: event.id, lane: laneOf(event), body: JSON.stringify(event), now });
        added++;
      }
      return added;
    });
  }

  /** The id of the last event of a channel that was kept; '' when there is none. */
  lastOf(channel = ''): string {
    return (this.#statements.last.get({ channel }) as { id: string } | undefined)?.id ?? '';
  }

  /** The oldest item that is due, first in its lane, its lane not among those given. */
  next(now: number, busyLanes: ReadonlySet<string>): BufferedItem | undefined {
    for (const row of this.#statements.heads.iterate() as Iterable<PendingRow>) {
      if (row.due_at > now || busyLanes.has(row.lane)) continue;
      return { seq: row.seq, lane: row.lane, attempts: row.attempts, event: JSON.parse(row.body) };
    }
    return undefined;
  }

  /** When the first lane not among those given has an item due, in milliseconds since the epoch. */
  nextDueAt(busyLanes: ReadonlySet<string>): number | undefined {
    let first: number | undefined;
    for (const { lane, due_at: dueAt } of this.#statements.heads.iterate() as Iterable<PendingRow>) {
      if (!busyLanes.has(lane) && (first === undefined || dueAt < first)) first = dueAt;
    }
    return first;
  }

  /** The handler has done its work: the item goes, its id is remembered. */
  acknowledge({ seq, lane, event }: BufferedItem, now: number): void {
    this.#transaction(() => {
      this.#statements.remember.run({ id: event.id, now });
      this.#remove(seq, lane);
    });
  }

  postpone({ seq }: BufferedItem, attempts: number, dueAt: number): void {
    this.#statements.postpone.run({ seq, attempts, dueAt });
  }

  /** Gives an item up, so that the rest of its lane goes on. */
  bury({ seq, lane, event }: BufferedItem, attempts: number, error: string, now: number): void {
    this.#transaction(() => {
      this.#statements.bury.run({ id: event.id, lane, body: JSON.stringify(event), attempts, error, now });
      this.#remove(seq, lane);
    });
  }

  deadLetters(): DeadLetter[] {
    return (this.#statements.dead.all() as DeadRow[]).map(
      ({ id, body, attempts, error, died_at: diedAt }) => ({
        id,
        event: JSON.parse(body),
        attempts,
        error,
        diedAt,
      }),
    );
  }

  /** Puts a dead letter, or all of them, back at the end of their lanes. Gives how many. */
  redrive(id: string | 'all', now: number): number {
    return this.#transaction(() => {
      const rows = (this.#statements.dead.all() as DeadRow[]).filter((row) => id === 'all' || row.id === id);
      for (const row of rows) {
        this.#statements.insert.run({ id: row.id, lane: row.lane, body: row.body, now });
        this.#statements.exhume.run({ id: row.id });
      }
      return rows.length;
    });
  }

  /** Forgets ids acknowledged before a time. */
  forget(before: number): void {
    this.#statements.forget.run({ before });
  }

  counts(): { buffered: number; deadLettered: number; oldestAt: number | null } {
    return this.#statements.counts.get() as {
      buffered: number;
      deadLettered: number;
      oldestAt: number | null;
    };
  }

  close(): void {
    this.#db.close();
  }

  #remove(seq: number, lane: string): void {
    this.#statements.remove.run({ seq });
    this.#statements.promote.run({ lane });
  }

  #transaction<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }
}

const laneOfPerson = (event: ChangeEvent): string => event.person_user_id ?? event.connection_id ?? '';

/** Looked up when a pump is made, so that everything else of this library loads where Node has no SQLite. */
function databaseClass(): typeof DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite) return sqlite.DatabaseSync;
  const message = `The change pump needs Node 22.13 or later for its buffer file; this is ${process.version}. DataClient.changes reads the feed on every version.`;
  throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
}

function prepare(db: DatabaseSync) {
  const sql = (text: string): StatementSync => db.prepare(text);
  return {
    known: sql(`SELECT 1 FROM pending WHERE id = :id UNION ALL SELECT 1 FROM acknowledged WHERE id = :id
      UNION ALL SELECT 1 FROM dead WHERE id = :id`),
    insert:
      sql(`INSERT INTO pending (id, lane, body, received_at, due_at, head) VALUES (:id, :lane, :body, :now, :now,
      NOT EXISTS (SELECT 1 FROM pending WHERE lane = :lane))`),
    move: sql('INSERT OR REPLACE INTO position (channel, id) VALUES (:channel, :id)'),
    last: sql('SELECT id FROM position WHERE channel = :channel'),
    heads: sql('SELECT seq, lane, body, attempts, due_at FROM pending WHERE head = 1 ORDER BY seq'),
    remove: sql('DELETE FROM pending WHERE seq = :seq'),
    promote: sql('UPDATE pending SET head = 1 WHERE seq = (SELECT min(seq) FROM pending WHERE lane = :lane)'),
    remember: sql('INSERT OR REPLACE INTO acknowledged (id, at) VALUES (:id, :now)'),
    forget: sql('DELETE FROM acknowledged WHERE at < :before'),
    postpone: sql('UPDATE pending SET attempts = :attempts, due_at = :dueAt WHERE seq = :seq'),
    bury: sql(`INSERT INTO dead (id, lane, body, attempts, error, died_at)
      VALUES (:id, :lane, :body, :attempts, :error, :now)`),
    dead: sql('SELECT id, lane, body, attempts, error, died_at FROM dead ORDER BY died_at, rowid'),
    exhume: sql('DELETE FROM dead WHERE id = :id'),
    counts:
      sql(`SELECT (SELECT count(*) FROM pending) AS buffered, (SELECT count(*) FROM dead) AS deadLettered,
      (SELECT min(received_at) FROM pending) AS oldestAt`),
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function locked(file: string): BufferLockedError {
  const message = `The buffer file ${file} is in use: one pump at a time may have it open.`;
  return new BufferLockedError({ errorKey: 'sdk.buffer_locked', message });
}

type PendingRow = { seq: number; lane: string; body: string; attempts: number; due_at: number };
type DeadRow = {
  id: string;
  lane: string;
  body: string;
  attempts: number;
  error: string;
  died_at: number;
};

const SQLITE_BUSY = 5;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pending (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, lane TEXT NOT NULL, body TEXT NOT NULL,
    received_at INTEGER NOT NULL, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    head INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS pending_lane ON pending (lane, seq);
  CREATE INDEX IF NOT EXISTS pending_head ON pending (seq) WHERE head = 1;
  CREATE TABLE IF NOT EXISTS acknowledged (id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS acknowledged_at ON acknowledged (at);
  CREATE TABLE IF NOT EXISTS position (channel TEXT PRIMARY KEY, id TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS dead (
    id TEXT PRIMARY KEY, lane TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL, error TEXT NOT NULL,
    died_at INTEGER NOT NULL)`;
