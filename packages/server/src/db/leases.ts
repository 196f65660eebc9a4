import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../core/clock.ts';
import type { Timers } from '../core/timers.ts';
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
 * Leases of one process among those that share a database. What it holds is renewed, all in one statement. A process that
 * dies renews nothing; one that starts again under its name need not wait for that.
 */
export class HeldLeases<Id extends string | number> {
  readonly #deps: Deps<Id>;
  /** With the time until which others respect each. */
  readonly #until = new Map<Id, number>();
  #cancel: (() => void) | undefined;
  #running = false;

  constructor(deps: Deps<Id>) {
    this.#deps = deps;
  }

  /** Takes back what a former life of this instance held, and begins to renew. */
  async start(): Promise<void> {
    await this.#deps.database.write((writer) => this.#deps.rows.release(writer, this.#deps.owner));
    this.#running = true;
    this.#renewLater();
  }

  /** Gives everything back. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#deps.database.write((writer) => this.#deps.rows.release(writer, this.#deps.owner));
  }

  /** The end of a lease that begins now. */
  end(): number {
    return this.#deps.clock.now() + this.#deps.leaseMs;
  }

  /** Renews these from now on. */
  hold(ids: readonly Id[], until: number): void {
    for (const id of ids) this.#until.set(id, until);
    this.#renewLater();
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

  #renewLater(): void {
    if (!this.#running || this.#until.size === 0) return;
    this.#cancel ??= this.#deps.timers.after(this.#deps.renewMs, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    this.#cancel = undefined;
    const ids = [...this.#until.keys()];
    if (ids.length === 0) return;
    try {
      const until = this.end();
      const renewed = await this.#deps.database.write((writer) =>
        this.#deps.rows.extend(writer, this.#deps.owner, ids, until),
      );
      for (const id of renewed) if (this.#until.has(id)) this.#until.set(id, until);
    } catch (error) {
      this.#deps.log.error({ err: error }, 'renewing leases failed');
    }
    this.#renewLater();
  }
}
