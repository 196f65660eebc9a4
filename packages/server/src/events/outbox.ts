import type { AccountEventName, EventName } from '@symbolon/protocol';
import type { Clock } from '../core/clock.ts';
import type { Ids } from '../core/ids.ts';
import { type Database, serialize, type Writer } from '../db/database.ts';
import { inList, listParameter } from '../db/lists.ts';
import { accountCollapseKey, collapseKey } from './collapse.ts';
import { addToFeeds, addToQueues, type EventRow, type FeedRow, receiversOf } from './queue-rows.ts';
import { keepRecent } from './recent-events.ts';

/** Something a company is to hear of about one of its services. */
export interface RaisedEvent {
  readonly event: EventName;
  readonly companyId: string;
  readonly serviceId: string;
  readonly customer: {
    readonly id: string;
    readonly type: 'person' | 'company';
    readonly shareCode: string | null;
  };
  readonly connectionId: string | null;
  /** The request row it is about, on field and consent events. */
  readonly slot?: { readonly requestFieldId: string; readonly slug: string };
  readonly documentId?: string;
  /** Further members of the event's body. */
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** Something a company is to hear of as a customer, on its account feed. */
export interface AccountEvent {
  readonly event: AccountEventName;
  /** The customer: whose feed. */
  readonly company: { readonly id: string; readonly shareCode: string };
  /** The service it is about, of another company. */
  readonly serviceId: string;
  /** The connection to it. */
  readonly connectionId: string;
  /** The id of what it is about, if that is not the service: events about other things stay beside it. */
  readonly about?: string;
  /** Further members of the event's body. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When it was raised, of one that was raised in another region; else now. */
  readonly at?: number;
}

/** Account feeds that are not in this database: those of companies at home in another region. */
export interface AccountFeeds {
  /** Sends what is for those feeds on its way, in the caller's transaction; gives the rest. */
  sendElsewhere(
    writer: Writer,
    events: readonly AccountEvent[],
    at: number,
  ): Promise<readonly AccountEvent[]>;
}

/** Events that customers are to hear of, and that a worker has not come to yet. */
export interface PendingEvents {
  /**
   * What customers are to hear before some events, in the caller's transaction: each list goes out before the next one, and
   * nothing in them is raised again.
   */
  pendingBefore(
    writer: Writer,
    events: readonly AccountEvent[],
  ): Promise<readonly (readonly AccountEvent[])[]>;
}

/** With one region every account feed is in this database. */
export const localAccountFeeds: AccountFeeds = { sendElsewhere: async (_writer, events) => events };

/** Rows of account feeds that one statement writes. */
const GROUP = 500;

/** Tells every process that a webhook's queue has grown: the signal is the webhook's id. */
export const WEBHOOK_CHANNEL = 'symbolon_webhooks';

interface Deps {
  readonly database: Pick<Database, 'engine' | 'notify'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly feedsElsewhere: AccountFeeds;
  readonly pendingEvents: PendingEvents;
}

/**
 * The one way by which a company hears of anything. Rows are written in the caller's transaction: an event exists exactly
 * when the change does.
 */
export class Outbox {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Queues events, in their order, for the pull feed of their service and for each of its webhooks that wants them: two
   * channels that know nothing of each other (wire 1). Call it once, last, in a transaction.
   * @param account what customers are to hear on their account feeds. The caller holds the lock of the service that it is
   *   about: that gives these rows their order, so any number of feeds needs no lock. What a customer is owed
   *   about the service comes first
   */
  async raise(
    writer: Writer,
    events: readonly RaisedEvent[],
    account: readonly AccountEvent[] = [],
  ): Promise<void> {
    // Events from other regions were put in their order there.
    const ownEvents = account.filter((raised) => raised.at === undefined);
    if (ownEvents.length > 0) {
      for (const owed of await this.#deps.pendingEvents.pendingBefore(writer, ownEvents))
        await this.tell(writer, owed);
    }
    await this.tell(writer, account);
    if (events.length === 0) return;
    const services = [...new Set(events.map((raised) => raised.serviceId))];
    // Queues are strictly first in, first out: places are taken in the order of the commits.
    await serialize(this.#deps.database.engine, writer, services);
    const { engine } = this.#deps.database;
    const at = this.#deps.clock.now();
    const receivers = Map.groupBy(
      (await receiversOf(engine, writer, services, at)).map((receiver) => ({
        ...receiver,
        wants: new Set(JSON.parse(receiver.events) as string[]),
      })),
      (receiver) => receiver.service_id,
    );
    const feedRows = events.map((raised) => this.#feedRow(raised, at));
    await addToFeeds(engine, writer, feedRows);
    const isWatched = ({ service_id }: EventRow) =>
      receivers.get(service_id)?.some(({ id }) => id === null) === true;
    await keepRecent(engine, writer, feedRows.filter(isWatched));
    // Webhooks hear of every event; nothing collapses in their queues.
    const queued = events.flatMap((raised) =>
      (receivers.get(raised.serviceId) ?? []).flatMap(({ id, wants }) =>
        id !== null && (wants.size === 0 || wants.has(raised.event))
          ? [{ ...members(raised, this.#deps.ids.uuid(), at), webhook_id: id }]
          : [],
      ),
    );
    if (queued.length === 0) return;
    await addToQueues(engine, writer, queued);
    const woken = new Set(queued.map((row) => row.webhook_id));
    await this.#deps.database.notify(writer, WEBHOOK_CHANNEL, ...woken);
  }

  /**
   * A row of the same identity that was not drained yet is replaced by one at the end of the feed with a new id: a
   * consumer that has already seen the old id must not take the new state for a duplicate.
   */
  #feedRow(raised: RaisedEvent, at: number): FeedRow {
    const id = this.#deps.ids.uuid();
    const collapse_key = collapseKey(raised.event, {
      id,
      customerId: raised.customer.id,
      connectionId: raised.connectionId,
      requestFieldId: raised.slot?.requestFieldId ?? null,
      ...(raised.documentId === undefined ? {} : { documentId: raised.documentId }),
    });
    return { ...members(raised, id, at), feed: raised.serviceId, collapse_key };
  }

  /**
   * Queues what customers are to hear, many at a time. Rows replace each other as on a service's feed. For a worker, which
   * knows the order: everything else calls `raise`.
   */
  async tell(writer: Writer, events: readonly AccountEvent[]): Promise<void> {
    if (events.length === 0) return;
    const { engine } = this.#deps.database;
    const at = this.#deps.clock.now();
    const here = await this.#deps.feedsElsewhere.sendElsewhere(writer, events, at);
    for (const [key, ofKey] of Map.groupBy(here, accountCollapseKey)) {
      for (let start = 0; start < ofKey.length; start += GROUP) {
        const group = ofKey.slice(start, start + GROUP);
        const feeds = listParameter(
          engine,
          group.map((raised) => raised.company.id),
        );
        await writer
          .deleteFrom('changes')
          .where('collapse_key', '=', key)
          .where(inList(engine, 'feed', feeds))
          .execute();
        await writer
          .insertInto('changes')
          .values(group.map((raised) => this.#accountRow(raised, key, at)))
          .execute();
      }
    }
  }

  /** The customer of the common members is the company itself, as on the feed of the service. */
  #accountRow(raised: AccountEvent, key: string, at: number) {
    return {
      id: this.#deps.ids.uuid(),
      feed: raised.company.id,
      company_id: raised.company.id,
      service_id: raised.serviceId,
      connection_id: raised.connectionId,
      customer_id: raised.company.id,
      customer_type: 'company' as const,
      share_code: raised.company.shareCode,
      event: raised.event,
      request_field_id: null,
      slug: null,
      payload: JSON.stringify(raised.payload),
      at: raised.at ?? at,
      collapse_key: key,
    };
  }
}

function members(raised: RaisedEvent, id: string, at: number): EventRow {
  return {
    id,
    company_id: raised.companyId,
    service_id: raised.serviceId,
    connection_id: raised.connectionId,
    customer_id: raised.customer.id,
    customer_type: raised.customer.type,
    share_code: raised.customer.shareCode,
    event: raised.event,
    request_field_id: raised.slot?.requestFieldId ?? null,
    slug: raised.slot?.slug ?? null,
    payload: JSON.stringify(raised.payload ?? {}),
    at,
  };
}
