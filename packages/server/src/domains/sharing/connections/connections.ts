import { AccountEvent, type AccountEventName, Event } from '@symbolon/protocol';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Endings } from '../../participation.ts';
import type { DeletedService, PublishedRows, ServiceCustomers } from '../../services/index.ts';
import { listedService } from '../../services/index.ts';
import { accountEvent } from './account-events.ts';
import type { CompanyNotifications } from './company-notifications.ts';
import { ownConnection, ownConnectionRows } from './customer-store.ts';
import type { RowChanges } from './row-changes.ts';
import type { ServiceDeletions } from './service-deletion.ts';
import type { SlotHome } from './slot-home.ts';
import { deleteConnections, shareCodesOf, subjectOf } from './store.ts';
import type { ConnectionRow } from './tables.ts';

/** The events of connections that ended. */
interface Ended {
  readonly events: readonly RaisedEvent[];
  readonly onAccounts: readonly RaisedOnAccount[];
}

/** Connections are ended and counted in groups of this many. */
const GROUP = 500;

interface Deps extends Pick<Core, 'database' | 'tables'> {
  readonly slotHome: SlotHome;
  readonly outbox: Outbox;
  readonly deletions: ServiceDeletions;
  readonly rowChanges: RowChanges;
  readonly notifications: CompanyNotifications;
  readonly endings: Pick<Endings, 'connection'>;
}

/** What is the same for all connections: how they end, and what a publish asks for (wire 3.4). */
export class Connections implements ServiceCustomers {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ends connections from either side: deletes their answers and consents, and raises `connection_deleted` for the services
   * and for the companies that were customers.
   */
  async end(writer: Writer, connections: readonly ConnectionRow[]): Promise<void> {
    const ended: Ended[] = [];
    for (const [serviceId, ofService] of Map.groupBy(connections, (connection) => connection.service_id)) {
      ended.push(await this.#ended(writer, serviceId, ofService));
    }
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
    const ofService = { companyId: first.company_id, serviceId };
    const ended: Ended[] = [];
    for (const hook of this.#deps.endings.connection)
      ended.push(await hook.connectionsEnding(writer, ofService, ids));
    await this.#deps.slotHome.connectionsEnding(writer, first.company_id, ids);
    await deleteConnections(this.#deps.database.engine, writer, this.#deps.tables, ofService, ids);
    const events = connections.map((connection) => ({
      ...subjectOf(connection, codes),
      event: Event.connectionDeleted,
    }));
    return {
      events: [...ended.flatMap((one) => one.events), ...events],
      onAccounts: [...ended.flatMap((one) => one.onAccounts), ...onAccounts],
    };
  }

  async serviceDeleted(writer: Writer, service: DeletedService): Promise<void> {
    await this.#deps.deletions.add(writer, service);
  }

  /** Part of deleting a company: ends one of its connections to services of others. @returns false when none was left */
  async endSharing(companyId: string): Promise<boolean> {
    const { engine } = this.#deps.database;
    return this.#deps.database.write(async (writer) => {
      // The connection cannot end meanwhile.
      await lock(engine, writer, 'companies', [companyId]);
      const [found] = await ownConnectionRows(writer, { customerId: companyId }, 1);
      if (found === undefined) return false;
      await lock(engine, writer, 'services', [found.service_id]);
      const connection = await ownConnection(writer, companyId, found.id);
      if (connection !== undefined) await this.end(writer, [connection]);
      return true;
    });
  }

  /** Leaves it to a worker to tell every company that is a customer of a service. */
  tellCompanies(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    event: AccountEventName,
  ): Promise<void> {
    return this.#deps.notifications.add(writer, ref, { event });
  }

  published(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    rows: PublishedRows,
  ): Promise<void> {
    return this.#deps.rowChanges.published(writer, ref, rows);
  }

  async keyReplaced(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    key: { publicKey: string; fingerprint: string },
  ): Promise<void> {
    await this.#deps.slotHome.keyReplaced(writer, ref, key.publicKey);
    await this.#deps.notifications.add(writer, ref, {
      event: AccountEvent.serviceKeyRotated,
      more: { service_public_key_sha256: key.fingerprint },
    });
  }

  /** The events for the companies among the customers of a service. */
  async #accountEvents(
    reader: Reader,
    serviceId: string,
    connections: readonly ConnectionRow[],
    content: { event: AccountEventName; more?: Readonly<Record<string, unknown>> | undefined },
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
          accountEvent(
            content.event,
            service,
            connection,
            codes.get(connection.customer_id) ?? '',
            content.more,
          ),
        ),
      );
    }
    return events;
  }
}
