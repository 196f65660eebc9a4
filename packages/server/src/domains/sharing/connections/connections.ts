import { AccountEvent, type AccountEventName, Event } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { PublishedRows, ServiceCustomers } from '../../services/index.ts';
import { listedService } from '../../services/index.ts';
import { accountEvent } from './account-events.ts';
import type { SlotHome } from './slot-home.ts';
import {
  companiesConnected,
  connectionsAfter,
  connectionsWithCompanies,
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

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'tables'> {
  readonly slotHome: SlotHome;
  readonly outbox: Outbox;
}

/** What both sides of a connection share: how it ends, and what a publish asks of it (wire 3.4). */
export class Connections implements ServiceCustomers {
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
    await this.#deps.slotHome.connectionsEnding(writer, first.company_id, ids);
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
  async endAll(writer: Writer, ref: { serviceId: string }): Promise<void> {
    for (;;) {
      const group = await connectionsAfter(writer, ref.serviceId, '', GROUP);
      if (group.length === 0) return;
      await this.end(writer, ref.serviceId, group);
    }
  }

  /** Part of deleting a company: ends some of its connections with other companies; false when none was left. */
  async endSharing(companyId: string): Promise<boolean> {
    return this.#deps.database.write(async (writer) => {
      const found = await connectionsWithCompanies(writer, companyId, GROUP);
      const [first] = found;
      if (first === undefined) return false;
      await lock(this.#deps.database.engine, writer, 'services', [first.service_id]);
      const ofService = found.filter((row) => row.service_id === first.service_id);
      await this.end(writer, first.service_id, ofService);
      return true;
    });
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

  async beforePublish(writer: Writer, ref: { companyId: string }, rows: PublishedRows): Promise<void> {
    await this.#deps.slotHome.rowsChanging(writer, ref.companyId, rows);
  }

  async keyReplaced(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    key: { publicKey: string; fingerprint: string },
  ): Promise<void> {
    await this.#deps.slotHome.keyReplaced(writer, ref, key.publicKey);
    await this.tellCompanies(writer, ref.serviceId, AccountEvent.serviceKeyRotated, {
      service_public_key_sha256: key.fingerprint,
    });
  }

  /** Asks the new rows of every connection that stands, each of the customers that its audience names. */
  async published(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    { added: rows }: PublishedRows,
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
