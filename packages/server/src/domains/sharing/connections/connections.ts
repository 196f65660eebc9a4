import { AccountEvent, type AccountEventName, Event } from '@symbolon/protocol';
import type { Clock } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Ids } from '../../../core/ids.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Table } from '../../../db/table-registry.ts';
import type { Outbox, RaisedEvent, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import type { SlotRegistrations } from '../../regions/people/registrations.ts';
import { listedService } from '../../services/services/directory.ts';
import type { RequestFieldRow } from '../../services/services/tables.ts';
import { accountEvent } from './account-events.ts';
import {
  companiesConnected,
  connectionsAfter,
  deleteConnections,
  groupOf,
  insertConnection,
  insertConsentRows,
  mergePendingConsents,
  shareCodesOf,
} from './store.ts';
import type { ConnectionRow } from './tables.ts';

/** What is to be told of connections that ended. */
interface Ended {
  readonly events: readonly RaisedEvent[];
  readonly onAccounts: readonly RaisedOnAccount[];
}

/** Connections are ended and counted in groups of this many. */
const GROUP = 500;

interface Deps {
  readonly tables: readonly Table[];
  readonly registrations: SlotRegistrations;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** What both sides of a connection share: how it ends, and what a publish asks of it (wire 3.4). */
export class Connections {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ends connections of one service, whoever wants it: answers and consents go, `connection_deleted` is raised for the
   * service and for the companies at the other end.
   */
  async end(writer: Writer, serviceId: string, connections: readonly ConnectionRow[]): Promise<void> {
    await this.#raise(writer, [await this.#ended(writer, serviceId, connections)]);
  }

  /** The same, of connections to any services. */
  async endEach(writer: Writer, connections: readonly ConnectionRow[]): Promise<void> {
    const ended: Ended[] = [];
    for (const [serviceId, ofService] of Map.groupBy(connections, (connection) => connection.service_id)) {
      ended.push(await this.#ended(writer, serviceId, ofService));
    }
    await this.#raise(writer, ended);
  }

  async #raise(writer: Writer, ended: readonly Ended[]): Promise<void> {
    await this.#deps.outbox.raise(
      writer,
      ended.flatMap(({ events }) => events),
      ended.flatMap(({ onAccounts }) => onAccounts),
    );
  }

  async #ended(writer: Writer, serviceId: string, connections: readonly ConnectionRow[]): Promise<Ended> {
    const [first] = connections;
    if (first === undefined) return { events: [], onAccounts: [] };
    const codes = await shareCodesOf(writer, connections);
    const onAccounts = await this.#accountEvents(writer, serviceId, connections, {
      event: AccountEvent.connectionDeleted,
    });
    const ids = connections.map((connection) => connection.id);
    await this.#deps.registrations.endingConnections(writer, first.company_id, ids);
    await deleteConnections(writer, this.#deps.tables, { companyId: first.company_id, serviceId }, ids);
    const events = connections.map((connection) => ({
      event: Event.connectionDeleted,
      companyId: connection.company_id,
      serviceId,
      customer: {
        id: connection.customer_id,
        type: connection.customer_type,
        shareCode: codes.get(connection.customer_id) ?? null,
      },
      connectionId: connection.id,
    }));
    return { events, onAccounts };
  }

  /** What a company's connections to services of one other company have in common; undefined while it has none. */
  groupOf(reader: Reader, parties: { companyId: string; customerId: string }): Promise<string | undefined> {
    return groupOf(reader, parties);
  }

  /** Begins a connection. @throws {PlatformError} connections.exists */
  async begin(writer: Writer, connection: ConnectionRow): Promise<void> {
    if (!(await insertConnection(writer, connection))) throw new PlatformError('connections.exists');
  }

  /** Part of deleting a service. */
  async endAllOfService(writer: Writer, ref: { serviceId: string }): Promise<void> {
    for (;;) {
      const group = await connectionsAfter(writer, ref.serviceId, '', GROUP);
      if (group.length === 0) return;
      await this.end(writer, ref.serviceId, group);
    }
  }

  /**
   * Tells every company that is a customer of a service what changed about it: last in a transaction that holds the
   * service's lock.
   */
  async tellCompanies(
    writer: Writer,
    serviceId: string,
    event: AccountEventName,
    more?: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const connected = await companiesConnected(writer, serviceId);
    const raised = await this.#accountEvents(writer, serviceId, connected, { event, more });
    await this.#deps.outbox.raise(writer, [], raised);
  }

  /** Part of a publish: asks its new rows of every connection that stands, each of the customers its audience names. */
  async requestConsents(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    rows: readonly RequestFieldRow[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const consentId = this.#deps.ids.uuid();
    await mergePendingConsents(writer, ref, consentId);
    for (const row of rows) {
      await insertConsentRows(writer, ref.serviceId, {
        requestFieldId: row.id,
        consentId,
        customerTypes: row.audience === 'both' ? ['person', 'company'] : [row.audience],
        at: this.#deps.clock.now(),
      });
    }
  }

  /** What the companies among the customers of a service are to hear. */
  async #accountEvents(
    reader: Reader,
    serviceId: string,
    connections: readonly ConnectionRow[],
    told: { event: AccountEventName; more?: Readonly<Record<string, unknown>> | undefined },
  ): Promise<RaisedOnAccount[]> {
    const ofCompanies = connections.filter((connection) => connection.customer_type === 'company');
    if (ofCompanies.length === 0) return [];
    const service = await listedService(reader, serviceId);
    if (service === undefined) return [];
    const events: RaisedOnAccount[] = [];
    for (let start = 0; start < ofCompanies.length; start += GROUP) {
      const group = ofCompanies.slice(start, start + GROUP);
      const codes = await shareCodesOf(reader, group);
      events.push(
        ...group.map((connection) =>
          accountEvent(told.event, service, connection, codes.get(connection.customer_id) ?? '', told.more),
        ),
      );
    }
    return events;
  }
}
