import { type ChangeEvent, type ChangeFeedState, limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Core } from '../../domain.ts';
import type { Services } from '../../services/index.ts';
import type { Claim, ClaimRequest, Claims } from './claims.ts';
import { eventBody } from './event-body.ts';
import { feeds } from './event-queues.ts';

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

interface Deps extends Pick<Core, 'database'> {
  readonly claims: Claims;
  readonly backlogs: Backlogs;
  readonly services: Pick<Services, 'require'>;
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
   * How far the feed of a service is behind.
   * @throws {PlatformError} services.not_found
   */
  async state(service: { companyId: string; serviceId: string }): Promise<ChangeFeedState> {
    const { reader } = this.#deps.database;
    await this.#deps.services.require(reader, service);
    const { count, oldest } = await feeds.backlog(reader, service.serviceId, limits.feedCountMost);
    return { backlog: count, oldest_backlog_at: oldest === null ? null : isoTime(oldest) };
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
