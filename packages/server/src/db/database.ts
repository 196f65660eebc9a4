import { type Kysely, sql } from 'kysely';
import { inList, listParameter } from './lists.ts';
import { type LockKind, turnOf } from './lock-turns.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';

/** Reads only: a function that takes it cannot write. A `Writer` is one too. */
export type Reader = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn'>;
/** Inside a transaction: reads and writes. */
export type Writer = Kysely<Tables>;

/**
 * One schema on two engines. Rules read through `reader` and change things only inside `write`.
 */
export interface Database {
  readonly engine: Engine;
  readonly reader: Reader;
  /** The same for health, tokens and who calls: it answers also while `reader` waits for connections. */
  readonly vital: Reader;
  /** For schema changes alone. */
  readonly schema: Kysely<Tables>;
  /**
   * Runs `work` in a transaction and resolves with its result once that is durable. A throw undoes all that `work` wrote.
   * `work` touches only the database: it may be run again after a conflict, and on SQLite it holds the only writer.
   */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  /** Resolves when work that can wait may write: on SQLite, when the log is not being carried over (see `Checkpoints`). */
  untilIdle(): Promise<void>;
  /** Signals the subscribers of a channel, in every process, after the commit of the caller's transaction. */
  notify(writer: Writer, channel: string, ...payloads: readonly string[]): Promise<void>;
  /** Signals the subscribers of a channel now, in every process, outside of a transaction. */
  tell(channel: string, payload: string): Promise<void>;
  /** Subscribes to a channel; the returned function unsubscribes. Signals may be lost while the database is unavailable. */
  subscribe(channel: string, handler: (payload: string) => void): Promise<() => void>;
  /** The process has started: from now on a database that is away is not waited for. */
  started(): void;
  stop(): Promise<void>;
}

/**
 * Makes transactions that queue for the same service commit in the order of the places they take. On SQLite there is one
 * writer, and they do.
 */
export async function serialize(
  engine: Engine,
  writer: Writer,
  serviceIds: readonly string[],
): Promise<void> {
  if (engine === 'sqlite' || serviceIds.length === 0) return;
  const sorted = [...new Set(serviceIds)].sort();
  turnOf(writer)?.take('queues', sorted);
  // One statement: it takes the locks in the order of the list.
  const ids = listParameter(engine, sorted);
  await sql`select pg_advisory_xact_lock(hashtextextended(id, 0)) from unnest(${ids}::text[]) as id`.execute(
    writer,
  );
}

/** Rows that transactions lock before they change what belongs to them. */
type Lockable = Exclude<LockKind, 'queues'>;

/**
 * Locks the aggregate a transaction is about to change, so that two of them cannot interleave. On SQLite there is one
 * writer and nothing to lock.
 */
export async function lock(
  database: Engine,
  writer: Writer,
  table: Lockable,
  ids: readonly string[],
): Promise<void> {
  if (database === 'sqlite' || ids.length === 0) return;
  turnOf(writer)?.take(table, ids);
  const chosen = inList(database, 'id', listParameter(database, ids));
  await writer.selectFrom(table).select('id').where(chosen).orderBy('id').forUpdate().execute();
}

/** Runs `work` in a transaction that locks one row first: changes of the same row run one after the other. */
export function writeLocked<T>(
  database: Pick<Database, 'engine' | 'write'>,
  table: Lockable,
  id: string,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  return database.write(async (writer) => {
    await lock(database.engine, writer, table, [id]);
    return work(writer);
  });
}
