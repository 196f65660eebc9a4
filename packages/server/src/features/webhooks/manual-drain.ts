import type { Database } from '../../db/database.ts';
import { PlatformError } from '../../errors.ts';
import type { Drain } from '../changes/changes.ts';
import { eventBody } from '../changes/event-body.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { Leases } from './leases.ts';
import { queueAfter, webhookOf } from './store.ts';

const NOTHING: Drain = { events: [], confirm: async () => {}, release: async () => {} };

/** Fetching a webhook's backlog by hand instead of waiting for its replay (spec 4.2, 6.5). */
export class ManualDrain {
  readonly #database: Database;
  readonly #leases: Leases;
  readonly #acknowledgements: Acknowledgements;

  constructor(deps: { database: Database; leases: Leases; acknowledgements: Acknowledgements }) {
    this.#database = deps.database;
    this.#leases = deps.leases;
    this.#acknowledgements = deps.acknowledgements;
  }

  /**
   * The oldest parked events. While they are being delivered or drained elsewhere there is nothing to fetch: the webhook's
   * lease is held until the response has arrived, so no event is on its way twice.
   * @throws {PlatformError} company_data.webhook_not_found
   */
  async drain(serviceId: string, webhookId: string, most: number): Promise<Drain> {
    const { reader } = this.#database;
    if ((await webhookOf(reader, serviceId, webhookId)) === undefined) {
      throw new PlatformError('company_data.webhook_not_found');
    }
    const lease = await this.#leases.acquire(webhookId);
    if (lease === undefined) return NOTHING;
    try {
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
          await this.#database.write((writer) => this.#acknowledgements.delete(writer, seqs));
          await lease.release();
        },
        release: () => lease.release(),
      };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }
}
