import { PlatformError } from '../../../core/errors.ts';
import type { Timers } from '../../../core/timers.ts';
import type { Database } from '../../../db/database.ts';
import type { Drain } from '../change-feed/changes.ts';
import { eventBody } from '../change-feed/event-body.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { Lease, Leases } from './leases.ts';
import { queueAfter, webhookOf } from './store.ts';

/** A response that was sent is waited for this long: longer than its grace. */
const WAIT_MOST_MS = 1000;
const WAIT_STEP_MS = 20;

const NOTHING: Drain = { events: [], confirm: async () => {}, release: async () => {} };

interface Deps {
  readonly database: Database;
  readonly leases: Leases;
  readonly acknowledgements: Acknowledgements;
  readonly timers: Timers;
}

/** Fetching a webhook's backlog by hand instead of waiting for its replay (wire 4.2, 6.5). */
export class ManualDrain {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The oldest parked events. The webhook's lease is held until the response has arrived, so no event is on its way twice;
   * a drain waits for the one before it, and finds nothing while the platform itself delivers.
   * @throws {PlatformError} company_data.webhook_not_found
   */
  async drain(serviceId: string, webhookId: string, most: number): Promise<Drain> {
    const { reader } = this.#deps.database;
    if ((await webhookOf(reader, serviceId, webhookId)) === undefined) {
      throw new PlatformError('company_data.webhook_not_found');
    }
    const lease = await this.#acquire(webhookId);
    if (lease === undefined) return NOTHING;
    try {
      // What was delivered is no backlog, though its removal may have failed.
      await this.#deps.acknowledgements.flush();
      const webhook = await webhookOf(reader, serviceId, webhookId);
      const flowing = webhook?.enabled === 1 && webhook.health === 'running';
      const rows = webhook === undefined || flowing ? [] : await queueAfter(reader, webhookId, 0, most);
      if (rows.length === 0) {
        await lease.release();
        return NOTHING;
      }
      const seqs = rows.map((row) => row.seq);
      return {
        events: rows.map(eventBody),
        confirm: async () => {
          try {
            await this.#deps.database.write((writer) => this.#deps.acknowledgements.delete(writer, seqs));
          } finally {
            await lease.release();
          }
        },
        release: () => lease.release(),
      };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async #acquire(webhookId: string): Promise<Lease | undefined> {
    for (let waited = 0; ; waited += WAIT_STEP_MS) {
      const lease = await this.#deps.leases.acquire(webhookId);
      if (lease !== undefined || waited >= WAIT_MOST_MS) return lease;
      await new Promise<void>((resolve) => this.#deps.timers.after(WAIT_STEP_MS, resolve));
    }
  }
}
