import { HeldLeases, leasableRows } from '../../../db/leases.ts';
import type { Core } from '../../domain.ts';
import type { WebhookPace } from './pace.ts';
import { takeLease } from './store.ts';

const COLUMNS = { table: 'webhooks', id: 'id', owner: 'lease_owner', until: 'lease_until' } as const;

/** The right to send what a webhook's queue holds: one holder at a time, across all processes. */
export interface Lease {
  /** Whether it is still certain that no other process has it. */
  readonly valid: boolean;
  /** Aborts when that is certain no more: whatever is being sent then must end before the next holder sends. */
  readonly lost: AbortSignal | undefined;
  /** Whether the next holder may be another process, which knows of the queue what the database says. */
  readonly shared: boolean;
  /** The holder is about to send, and does not hang: without such a word for a while the lease is not renewed. */
  progressed(): void;
  release(): Promise<void>;
}

export interface Leases {
  /** Releases what this instance held before it restarted, and begins to renew. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The lease of a webhook, or undefined while it is taken. */
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
      progressed() {},
      release: async () => void this.#held.delete(webhookId),
    };
  }
}

interface Deps extends Pick<Core, 'availability' | 'clock' | 'database' | 'log' | 'timers'> {
  readonly owner: string;
  readonly pace: Pick<WebhookPace, 'leaseMs' | 'leaseRenewMs' | 'leaseMarginMs' | 'postTimeoutMs'>;
}

/** Many processes on PostgreSQL: leases in the rows of the webhooks. */
export class SharedLeases implements Leases {
  readonly #deps: Deps;
  readonly #leases: HeldLeases<string>;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { leaseMs, leaseRenewMs: renewMs, postTimeoutMs } = deps.pace;
    // One POST, and what stands around it in the database.
    const progressMs = postTimeoutMs + leaseMs;
    const rows = leasableRows<string>(deps.database.engine, COLUMNS);
    this.#leases = new HeldLeases({ ...deps, rows, leaseMs, renewMs, progressMs });
  }

  start(): Promise<void> {
    return this.#leases.start();
  }

  stop(): Promise<void> {
    return this.#leases.stop();
  }

  async acquire(webhookId: string): Promise<Lease | undefined> {
    if (this.#leases.until(webhookId) !== undefined) return undefined;
    const { clock, database, owner, pace, timers } = this.#deps;
    const until = this.#leases.end();
    this.#leases.hold([webhookId], until);
    const taken = await database
      .write((writer) => takeLease(writer, webhookId, owner, clock.now(), until))
      .catch((error: unknown) => {
        this.#leases.forget([webhookId]);
        throw error;
      });
    if (!taken) {
      this.#leases.forget([webhookId]);
      return undefined;
    }
    const left = () => (this.#leases.until(webhookId) ?? 0) - pace.leaseMarginMs - clock.now();
    const lost = new AbortController();
    let cancel = () => {};
    const watch = () => {
      if (left() <= 0) lost.abort();
      else cancel = timers.after(left(), watch);
    };
    watch();
    return {
      get valid() {
        return left() > 0 && !lost.signal.aborted;
      },
      lost: lost.signal,
      shared: true,
      progressed: () => this.#leases.progressed(webhookId),
      release: async () => {
        cancel();
        await this.#leases.release([webhookId]);
      },
    };
  }
}
