import type { ChangeEvent } from '@symbolon/protocol';
import type { Claim, ClaimRequest, Claims } from './claims.ts';
import { eventBody } from './event-body.ts';

/** Events that are being sent, to be confirmed or released once. For a drain with `after` both do nothing. */
export interface Drain extends Pick<Claim, 'confirm' | 'release'> {
  readonly events: readonly ChangeEvent[];
}

export type DrainRequest = Omit<ClaimRequest, 'queue'>;

/** What waits for webhooks, fetched by hand. */
export interface Backlogs {
  /** @throws {PlatformError} company_data.webhook_not_found */
  claim(serviceId: string, webhookId: string, request: DrainRequest): Promise<Claim>;
}

interface Deps {
  readonly claims: Claims;
  readonly backlogs: Backlogs;
}

/** Drains (wire 6.8): rows are claimed, sent, and deleted when they have arrived, or when the client says so by `after`. */
export class Changes {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The oldest events of a feed that no other drain holds.
   * @param feedId the id of a service, or of the company whose account feed it is
   */
  async drainFeed(feedId: string, request: DrainRequest): Promise<Drain> {
    return toDrain(await this.#deps.claims.claim({ ...request, queue: feedId }));
  }

  /**
   * The oldest events that wait for one of a service's webhooks.
   * @throws {PlatformError} company_data.webhook_not_found
   */
  async drainBacklog(serviceId: string, webhookId: string, request: DrainRequest): Promise<Drain> {
    return toDrain(await this.#deps.backlogs.claim(serviceId, webhookId, request));
  }
}

function toDrain({ rows, confirm, release }: Claim): Drain {
  return { events: rows.map(eventBody), confirm, release };
}
