import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Timers } from '../core/timers.ts';
import { Worker } from '../core/worker.ts';
import type { Database, Writer } from './database.ts';

/** Rows of a table that an instance can lease: they carry its name and the end of the lease. */
export interface LeasableRows<Id> {
  /** Moves the end of leases. Gives the ids of those that the owner still has. */
  extend(writer: Writer, owner: string, ids: readonly Id[], until: number): Promise<Id[]>;
  /** Gives back what the owner has, or these rows of it. */
  release(writer: Writer, owner: string, ids?: readonly Id[]): Promise<void>;
}

interface Deps<Id> {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly rows: LeasableRows<Id>;
  /** A name that no other running process has. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly renewMs: number;
}

/**
 * The leases of one process among those that share a database. One statement renews all of them. The leases of a process
 * that dies run out; an instance that restarts under the same name does not wait for that.
 */
export class HeldLeases<Id extends string | number> {
  readonly #deps: Deps<Id>;
  /** With the time until which others respect each. */
  readonly #until = new Map<Id, number>();
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
  }

  /** Until when others respect a lease that is held here. */
  until(id: Id): number | undefined {
    return this.#until.get(id);
  }

  /** Renews these no longer: they are given back, or gone. */
  forget(ids: readonly Id[]): void {
    for (const id of ids) this.#until.delete(id);
  }

  async release(ids: readonly Id[]): Promise<void> {
    this.forget(ids);
    await this.#deps.database.write((writer) => this.#deps.rows.release(writer, this.#deps.owner, ids));
  }

  async #renew(): Promise<void> {
    const ids = [...this.#until.keys()];
    if (ids.length === 0) return;
    const until = this.end();
    const renewed = await this.#deps.database.write((writer) =>
      this.#deps.rows.extend(writer, this.#deps.owner, ids, until),
    );
    for (const id of renewed) if (this.#until.has(id)) this.#until.set(id, until);
  }
}
