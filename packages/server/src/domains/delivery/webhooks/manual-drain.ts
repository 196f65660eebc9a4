import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { DrainRequest } from '../change-feed/changes.ts';
import type { Claim, Claims } from '../change-feed/claims.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import type { Lease, Leases } from './leases.ts';
import { maySend, webhookOf } from './store.ts';

/** Another drain has the lease for as long as a query takes. */
const WAIT_MOST_MS = 1000;
const WAIT_STEP_MS = 20;

const NOTHING: Claim = { rows: [], confirm: async () => {}, release: async () => {} };

interface Deps extends Pick<Core, 'database' | 'timers'> {
  readonly claims: Claims;
  readonly leases: Leases;
  readonly acknowledgements: Acknowledgements;
}

/** Fetching a webhook's backlog by hand instead of waiting for its replay (wire 6.5). */
export class ManualDrain {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The oldest parked events; none while the platform itself delivers. The platform sends nothing of a backlog while claimed
   * rows of it are being sent, so that no event is on its way twice.
   * @throws {PlatformError} company_data.webhook_not_found
   */
  async claim(serviceId: string, webhookId: string, request: DrainRequest): Promise<Claim> {
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
      const flowing = webhook === undefined || (maySend(webhook) && webhook.health === 'running');
      const most = flowing ? 0 : request.most;
      return await this.#deps.claims.claim({ ...request, queue: webhookId, most });
    } finally {
      await lease.release();
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
