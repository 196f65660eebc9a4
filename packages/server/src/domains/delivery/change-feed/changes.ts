import type { ChangeEvent } from '@symbolon/protocol';
import type { FeedClaims } from './claims.ts';
import { eventBody } from './event-body.ts';

/** Events on their way out. One of the two functions is called once; until then nobody else gets these rows. */
export interface Drain {
  readonly events: readonly ChangeEvent[];
  /** They arrived: the rows go. */
  confirm(): Promise<void>;
  /** They did not: the next drain gets them. */
  release(): Promise<void>;
}

/** What waits for webhooks, fetched by hand. */
export interface Backlogs {
  /** @throws {PlatformError} company_data.webhook_not_found */
  drain(serviceId: string, webhookId: string, most: number): Promise<Drain>;
}

interface Deps {
  readonly claims: FeedClaims;
  readonly backlogs: Backlogs;
}

/** The pull feeds (wire 6.2): rows are claimed, sent, and deleted once they have arrived (wire 6.8). */
export class Changes {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The oldest events of a service's feed, or of the backlog of one of its webhooks, that no other drain holds.
   * @throws {PlatformError} company_data.webhook_not_found
   */
  async drain(serviceId: string, most: number, webhookId?: string): Promise<Drain> {
    if (webhookId !== undefined) return this.#deps.backlogs.drain(serviceId, webhookId, most);
    return this.drainFeed(serviceId, most);
  }

  /**
   * The oldest events of a feed that no other drain holds.
   * @param feed the id of its owner: a service, or a company whose account feed it is
   */
  async drainFeed(feed: string, most: number): Promise<Drain> {
    const rows = await this.#deps.claims.claim(feed, most);
    const seqs = rows.map((row) => row.seq);
    const settle = async (act: (feed: string, seqs: readonly number[]) => Promise<void>) => {
      if (seqs.length > 0) await act(feed, seqs);
    };
    return {
      events: rows.map(eventBody),
      confirm: () => settle((...rowsOf) => this.#deps.claims.delete(...rowsOf)),
      release: () => settle((...rowsOf) => this.#deps.claims.release(...rowsOf)),
    };
  }
}
