import type { CustomerChangeEvent } from '@symbolon/protocol';
import type { Changes, Drain, DrainRequest } from '../change-feed/index.ts';

interface Deps {
  readonly changes: Changes;
}

/** The account feed: what a company hears of as a customer. It drains without loss like the feed of a service. */
export class CustomerChanges {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The oldest events of a company's account feed that no other drain holds. */
  async drain(
    companyId: string,
    request: DrainRequest,
  ): Promise<Drain & { readonly events: readonly CustomerChangeEvent[] }> {
    const drain = await this.#deps.changes.drainFeed(companyId, request);
    // The codes are among the members that every event of an account feed is raised with.
    return drain as typeof drain & { readonly events: readonly CustomerChangeEvent[] };
  }
}
