import { Event } from '@symbolon/protocol';
import type { Writer } from '../../db/database.ts';
import type { ConnectionRow, RequestFieldRow } from '../../db/tables.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import {
  connectionsAfter,
  deleteConnections,
  insertConsentRows,
  mergePendingConsents,
  shareCodesOf,
} from './store.ts';

/** Connections are ended and counted in groups of this many. */
const GROUP = 500;

/** What both sides of a connection share: how it ends, and what a publish asks of it (spec 3.4). */
export class Connections {
  readonly #outbox: Outbox;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor(deps: { outbox: Outbox; clock: Clock; ids: Ids }) {
    this.#outbox = deps.outbox;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
  }

  /** Ends connections of one service, whoever wants it: answers and consents go, `connection_deleted` is raised. */
  async end(writer: Writer, serviceId: string, connections: readonly ConnectionRow[]): Promise<void> {
    const [first] = connections;
    if (first === undefined) return;
    const codes = await shareCodesOf(
      writer,
      connections.map((connection) => connection.customer_id),
    );
    await deleteConnections(
      writer,
      { companyId: first.company_id, serviceId },
      connections.map((connection) => connection.id),
    );
    await this.#outbox.raise(
      writer,
      connections.map((connection) => ({
        event: Event.connectionDeleted,
        companyId: connection.company_id,
        serviceId,
        customer: {
          id: connection.customer_id,
          type: connection.customer_type,
          shareCode: codes.get(connection.customer_id) ?? null,
        },
        connectionId: connection.id,
      })),
    );
  }

  /** Part of deleting a service. */
  async endAllOfService(writer: Writer, ref: { serviceId: string }): Promise<void> {
    for (;;) {
      const group = await connectionsAfter(writer, ref.serviceId, '', GROUP);
      if (group.length === 0) return;
      await this.end(writer, ref.serviceId, group);
    }
  }

  /** Part of a publish: asks its new rows of every connection that stands, each of the customers its audience names. */
  async requestConsents(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    rows: readonly RequestFieldRow[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const consentId = this.#ids.uuid();
    await mergePendingConsents(writer, ref, consentId);
    for (const row of rows) {
      await insertConsentRows(writer, ref.serviceId, {
        requestFieldId: row.id,
        consentId,
        customerTypes: row.audience === 'both' ? ['person', 'company'] : [row.audience],
        at: this.#clock.now(),
      });
    }
  }
}
