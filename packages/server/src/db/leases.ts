import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Availability } from '../core/availability.ts';
import type { Clock } from '../core/clock.ts';
import type { Timers } from '../core/timers.ts';
import { Worker } from '../core/worker.ts';
import type { Database, Engine, Writer } from './database.ts';
import { inList, listParameter } from './lists.ts';
import type { TableName } from './table-registry.ts';

/** Rows of a table that an instance can lease: they carry its name and the end of the lease. */
export interface LeasableRows<Id> {
  /** Moves the end of leases. Gives the ids of those that the owner still has. */
  extend(writer: Writer, owner: string, ids: readonly Id[], until: number): Promise<Id[]>;
  /** Gives back what the owner has, or these rows of it. */
  release(writer: Writer, owner: string, ids?: readonly Id[]): Promise<void>;
}

/** Rows whose leases are in columns of their table. */
export function leasableRows<Id extends string | number>(
  engine: Engine,
  columns: {
    readonly table: TableName;
    readonly id: string;
    readonly owner: string;
    readonly until: string;
    /** Further columns that a release empties. */
    readonly emptied?: readonly string[];
  },
  idType: 'text' | 'bigint' = 'text',
): LeasableRows<Id> {
  const { table, id, owner, until, emptied = [] } = columns;
  const among = (ids: readonly Id[]) => inList(engine, id, listParameter(engine, ids), idType);
  const empty = sql.join([owner, until, ...emptied].map((column) => sql`${sql.ref(column)} = null`));
  return {
    async extend(writer, holder, ids, end) {
      const { rows } = await sql<{ id: Id }>`
        update ${sql.table(table)} set ${sql.ref(until)} = ${end}
        where ${among(ids)} and ${sql.ref(owner)} = ${holder} returning ${sql.ref(id)} as id
      `.execute(writer);
      return rows.map((row) => row.id);
    },

    async release(writer, holder, ids) {
      const these = ids === undefined ? sql`` : sql`and ${among(ids)}`;
      await sql`update ${sql.table(table)} set ${empty} where ${sql.ref(owner)} = ${holder} ${these}`.execute(
        writer,
      );
    },
  };
}

interface Deps<Id> {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly availability: Pick<Availability, 'explains'>;
  readonly rows: LeasableRows<Id>;
  /** A name that no other running process has. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly renewMs: number;
  /** What has made no progress for this long is renewed no more: it may hang for ever. Without it, all are renewed. */
  readonly progressMs?: number;
}

/**
 * The leases of one process among those that share a database. One statement renews all of them. The leases of a process
 * that dies run out; an instance that restarts under the same name does not wait for that.
 */
export class HeldLeases<Id extends string | number> {
  readonly #deps: Deps<Id>;
  /** With the time until which others respect each. */
  readonly #until = new Map<Id, number>();
  /** When the work under each last made progress. */
  readonly #progressAt = new Map<Id, number>();
  readonly #renewals: Worker;

  constructor(deps: Deps<Id>) {
    this.#deps = deps;
    const work = () => this.#renew();
    this.#renewals = new Worker({ ...deps, name: 'renew leases', pauseMs: deps.renewMs, work });
  }

  /** Releases what this instance held before it was restarted, and begins to renew. */
  async start(): Promise<void> {
    await this.#deps.database.write((writer) => this.#deps.rows.release(writer, this.#deps.owner));
    this.#renewals.start();
  }

  /** Gives everything back. */
  async stop(): Promise<void> {
    await this.#renewals.stop();
    await this.#deps.database.write((writer) => this.#deps.rows.release(writer, this.#deps.owner));
  }

  /** The end of a lease that begins now. */
  end(): number {
    return this.#deps.clock.now() + this.#deps.leaseMs;
  }

  /** Renews these from now on. */
  hold(ids: readonly Id[], until: number): void {
    for (const id of ids) this.#until.set(id, until);
    for (const id of ids) this.progressed(id);
  }

  /** The work under a lease that is held goes on. */
  progressed(id: Id): void {
    if (this.#until.has(id)) this.#progressAt.set(id, this.#deps.clock.now());
  }

  /** Until when others respect a lease that is held here. */
  until(id: Id): number | undefined {
    return this.#until.get(id);
  }

  /** Renews these no longer: they are given back, or gone. */
  forget(ids: readonly Id[]): void {
    for (const id of ids) {
      this.#until.delete(id);
      this.#progressAt.delete(id);
    }
  }

  async release(ids: readonly Id[]): Promise<void> {
    this.forget(ids);
    await this.#deps.database.write((writer) => this.#deps.rows.release(writer, this.#deps.owner, ids));
  }

  async #renew(): Promise<void> {
    const since = this.#deps.clock.now() - (this.#deps.progressMs ?? Number.POSITIVE_INFINITY);
    const ids = [...this.#until.keys()].filter((id) => (this.#progressAt.get(id) ?? 0) >= since);
    if (ids.length === 0) return;
    const until = this.end();
    const renewed = await this.#deps.database.write((writer) =>
      this.#deps.rows.extend(writer, this.#deps.owner, ids, until),
    );
    for (const id of renewed) if (this.#until.has(id)) this.#until.set(id, until);
  }
}
