import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs one statement at once, on the connection it was made for. */
export type DirectStatement = (parameters: readonly unknown[]) => unknown[];
type Prepare = (sql: string) => DirectStatement;

const offers = new WeakMap<object, Prepare>();

/**
 * Offers the connection behind `db` to compiled queries. An engine that answers in the same breath (SQLite has one
 * connection for each of its two roles) need not queue for a connection, which takes longer than the query.
 */
export function offerDirectly(db: Kysely<Tables>, prepare: Prepare): void {
  offers.set(db, prepare);
}

/** The connection behind `db`, when its engine offers it. */
export function directly(db: object): Prepare | undefined {
  return offers.get(db);
}
