import type { Writer } from '../../../db/database.ts';
import type { AccountEvent, RaisedEvent } from '../../../events/outbox.ts';

/** The runs of flows in which customers take part, as connections meet them. */
export interface ConnectionRuns {
  /**
   * Called in the transaction that ends connections of one service, which holds their locks: their unfinished runs are
   * cancelled. The caller raises the events.
   */
  connectionsEnding(
    writer: Writer,
    service: { readonly companyId: string; readonly serviceId: string },
    connectionIds: readonly string[],
  ): Promise<{ events: readonly RaisedEvent[]; onAccounts: readonly AccountEvent[] }>;
}
