import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../core/clock.ts';
import type { Timers } from '../../../core/timers.ts';
import type { Database } from '../../../db/database.ts';
import { extendLeases, releaseLeasesOf, takeLease } from './lease-store.ts';
import type { WebhookPace } from './pace.ts';

/** The right to send what a webhook's queue holds: one holder at a time, across all processes. */
export interface Lease {
  /** Whether it is still certain that nobody else has it. */
  readonly valid: boolean;
  /** Aborts when that is certain no more: whatever is being sent then must end before the next holder sends. */
  readonly lost: AbortSignal | undefined;
  /** Whether the next holder may be another process, which knows of the queue what the database says. */
  readonly shared: boolean;
  release(): Promise<void>;
}

export interface Leases {
  /** Gives back what a former life of this instance held, and begins to renew. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The lease of a webhook, or undefined while somebody has it. */
  acquire(webhookId: string): Promise<Lease | undefined>;
}

/** One process: leases in memory. */
export class MemoryLeases implements Leases {
  readonly #held = new Set<string>();

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  async acquire(webhookId: string): Promise<Lease | undefined> {
    if (this.#held.has(webhookId)) return undefined;
    this.#held.add(webhookId);
    return {
      valid: true,
      lost: undefined,
      shared: false,
      release: async () => void this.#held.delete(webhookId),
    };
  }
}

interface Held {
  until: number;
  /** Calls off the look at whether it still holds. */
  cancel: () => void;
}

type LeasePace = Pick<WebhookPace, 'leaseMs' | 'leaseRenewMs' | 'leaseMarginMs'>;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly owner: string;
  readonly pace: LeasePace;
}

/** Many processes on PostgreSQL: leases in the rows of the webhooks, renewed together while they are held. */
export class SharedLeases implements Leases {
  readonly #deps: Deps;
  readonly #held = new Map<string, Held>();
  #cancel = () => {};
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#deps.database.write((writer) => releaseLeasesOf(writer, this.#deps.owner));
    this.#renewLater();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#deps.database.write((writer) => releaseLeasesOf(writer, this.#deps.owner));
  }

  async acquire(webhookId: string): Promise<Lease | undefined> {
    if (this.#held.has(webhookId)) return undefined;
    const held: Held = { until: this.#deps.clock.now() + this.#deps.pace.leaseMs, cancel: () => {} };
    this.#held.set(webhookId, held);
    const taken = await this.#deps.database
      .write((writer) => takeLease(writer, webhookId, this.#deps.owner, this.#deps.clock.now(), held.until))
      .catch((error: unknown) => {
        this.#held.delete(webhookId);
        throw error;
      });
    if (!taken) {
      this.#held.delete(webhookId);
      return undefined;
    }
    const left = () => held.until - this.#deps.pace.leaseMarginMs - this.#deps.clock.now();
    const lost = new AbortController();
    const watch = () => {
      if (left() <= 0) lost.abort();
      else held.cancel = this.#deps.timers.after(left(), watch);
    };
    watch();
    return {
      get valid() {
        return left() > 0 && !lost.signal.aborted;
      },
      lost: lost.signal,
      shared: true,
      release: async () => {
        held.cancel();
        this.#held.delete(webhookId);
        await this.#deps.database.write((writer) =>
          extendLeases(this.#deps.database.engine, writer, this.#deps.owner, [webhookId], null),
        );
      },
    };
  }

  #renewLater(): void {
    if (this.#stopped) return;
    this.#cancel = this.#deps.timers.after(this.#deps.pace.leaseRenewMs, () => {
      this.#renew()
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'renewing webhook leases failed'))
        .finally(() => this.#renewLater());
    });
  }

  async #renew(): Promise<void> {
    const ids = [...this.#held.keys()];
    if (ids.length === 0) return;
    const until = this.#deps.clock.now() + this.#deps.pace.leaseMs;
    const renewed = await this.#deps.database.write((writer) =>
      extendLeases(this.#deps.database.engine, writer, this.#deps.owner, ids, until),
    );
    for (const id of renewed) {
      const held = this.#held.get(id);
      if (held !== undefined) held.until = until;
    }
  }
}
