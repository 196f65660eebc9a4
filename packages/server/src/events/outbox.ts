import type { EventName } from '@symbolon/protocol';
import type { Writer } from '../db/database.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import { collapseKey } from './collapse.ts';

/** Something a company is to hear of. */
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

/**
 * The one way by which a company hears of anything. Rows are written in the caller's transaction: an event exists exactly
 * when the change does.
 */
export class Outbox {
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(deps: { clock: Clock; ids: Ids }) {
    this.#clock = deps.clock;
    this.#ids = deps.ids;
  }

  /**
   * Queues events for the pull feed, in their order. A row of the same identity that was not drained yet is replaced by
   * one at the end of the queue with an id of its own: a consumer that has already seen the old id must not take the new
   * state for a repetition.
   */
  async raise(writer: Writer, events: readonly RaisedEvent[]): Promise<void> {
    const at = this.#clock.now();
    for (const raised of events) {
      const id = this.#ids.uuid();
      const key = collapseKey(raised.event, {
        id,
        customerId: raised.customer.id,
        connectionId: raised.connectionId,
        requestFieldId: raised.slot?.requestFieldId ?? null,
        ...(raised.documentId === undefined ? {} : { documentId: raised.documentId }),
      });
      await writer
        .deleteFrom('changes')
        .where('service_id', '=', raised.serviceId)
        .where('collapse_key', '=', key)
        .execute();
      await writer
        .insertInto('changes')
        .values({
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
          collapse_key: key,
          payload: JSON.stringify(raised.payload ?? {}),
          at,
          claim_owner: null,
          claimed_until: null,
        })
        .execute();
    }
  }
}
