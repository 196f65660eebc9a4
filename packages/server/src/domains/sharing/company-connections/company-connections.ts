import {
  AccountEvent,
  type CustomerConnection,
  type CustomerConnectRequest,
  type CustomerConsent,
  type CustomerDecision,
  type CustomerLookup,
  Event,
  type ServiceLink,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { inParts, type Part } from '../../../core/parted-page.ts';
import { lock, type Reader } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { type ListedService, listedService, requestRows, sharedBy } from '../../services/index.ts';
import { accountEvent } from '../connections/account-events.ts';
import type { ConnectionDocuments } from '../connections/connection-documents.ts';
import type { Connections } from '../connections/connections.ts';
import type { CustomerConnections } from '../connections/customer-connections.ts';
import { serviceByCodes } from '../connections/customer-connections.ts';
import { AT_ONCE } from '../connections/customer-links.ts';
import {
  cardRowOf,
  ownConnection,
  ownConnectionIds,
  ownConnectionRows,
} from '../connections/customer-store.ts';
import type { Decided } from '../connections/decisions.ts';
import { isAskedOf, readDecisions, uploadsIn } from '../connections/decisions.ts';
import type { Registered, SlotHome } from '../connections/slot-home.ts';
import { eventSubject } from '../connections/slots.ts';
import { groupOf } from '../connections/store.ts';
import {
  identityOf,
  type ProfilesOf,
  serviceCard,
  toCustomerField,
  viewCompanyConnections,
} from './company-views.ts';

interface Deps extends Pick<Core, 'database' | 'ids'> {
  readonly customers: CustomerConnections<ServiceLink, CustomerConsent>;
  readonly connections: Connections;
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly slotHome: SlotHome;
  readonly profilesOf: ProfilesOf;
  readonly connectionDocuments: ConnectionDocuments;
}

/** What a connection begins with. */
interface Beginning {
  readonly companyId: string;
  readonly actor: Actor;
  /** The service, as it was found by its codes. */
  readonly found: ListedService;
  readonly decided: readonly Decided[];
  readonly registered: Registered;
}

/**
 * A company as the customer of other companies' services (wire 4.11). Its links to the services of one company make up one
 * connection. A service sees each link in the same way as a person's connection.
 */
export class CompanyConnections {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A service and what it asks of companies. A service for people only is shown to companies that are connected to it.
   * @throws {PlatformError} profile.company_code_requires_service, profile.not_found, company_connections.own_service,
   *   company_connections.persons_only
   */
  async lookup(
    companyId: string,
    companyCode: string,
    serviceCode: string | undefined,
  ): Promise<CustomerLookup> {
    const { reader } = this.#deps.database;
    const service = await this.#find(companyId, companyCode, serviceCode);
    if (service.audience === 'person') {
      const mine = await ownConnectionRows(reader, { customerId: companyId });
      if (!mine.some((link) => link.service_id === service.id)) refusePeopleOnly(service);
    }
    const card = cardRowOf(service);
    const [rows, shared] = await Promise.all([requestRows(reader, service.id), sharedBy(reader, service.id)]);
    return {
      company: identityOf(card),
      service: serviceCard(card),
      request_fields: rows.filter((row) => isAskedOf('company', row)).map(toCustomerField),
      shared,
    };
  }

  /**
   * Connects the company to a service and stores its answers, in one transaction. The service's second-factor flag applies
   * to people only.
   * @throws {PlatformError} what `lookup` does, connections.exists, contact_data.mandatory_missing, and what
   *   `answerOf` throws
   */
  async connect(
    companyId: string,
    actor: Actor,
    request: CustomerConnectRequest,
  ): Promise<CustomerConnection> {
    const decided = readDecisions(request.decisions);
    const found = await this.#find(companyId, request.company_code, request.service_code);
    refusePeopleOnly(found);
    return this.#deps.slotHome.withUploads(companyId, uploadsIn(decided), (registered) =>
      this.#begin({ companyId, actor, found, decided, registered }),
    );
  }

  #begin({ companyId, actor, found, decided, registered }: Beginning): Promise<CustomerConnection> {
    return this.#deps.database.write(async (writer) => {
      const { engine } = this.#deps.database;
      // The customer is locked so that two links that are created at the same time share their connection.
      await lock(engine, writer, 'companies', [companyId]);
      await lock(engine, writer, 'services', [found.id]);
      const service = await listedService(writer, found.id);
      if (service === undefined) throw new PlatformError('profile.not_found');
      refusePeopleOnly(service);
      const parties = { companyId: service.company_id, customerId: companyId };
      const groupId = (await groupOf(writer, parties)) ?? this.#deps.ids.uuid();
      const customer = { id: this.#deps.ids.uuid(), customer_id: companyId, group_id: groupId };
      const link = await this.#deps.customers.begin(writer, service, customer, { decided, registered });
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'company_connection.service_connected',
        target: groupId,
        details: { company_code: service.company_code, service_code: service.share_code },
      });
      const view = await this.#view(writer, companyId, groupId);
      const subject = await eventSubject(writer, link);
      const { shareCode } = subject.customer;
      // The company was deleted while its request was under way.
      if (shareCode === null) throw new PlatformError('auth.invalid');
      await this.#deps.outbox.raise(
        writer,
        [{ ...subject, event: Event.connectionCreated }],
        [accountEvent(AccountEvent.connectionCreated, service, link, shareCode)],
      );
      return view;
    });
  }

  /** All of them, in parts that are read one after the other. */
  async parts(companyId: string): Promise<Part<CustomerConnection>[]> {
    const { reader } = this.#deps.database;
    const links = await ownConnectionIds(reader, { customerId: companyId });
    const groupIds = [...new Set(links.flatMap(({ group_id }) => group_id ?? []))];
    return inParts(groupIds, AT_ONCE).map(
      (groupId) => () => viewCompanyConnections(reader, companyId, this.#deps, groupId),
    );
  }

  /** @throws {PlatformError} connections.not_found */
  async get(companyId: string, id: string): Promise<CustomerConnection> {
    return this.#view(this.#deps.database.reader, companyId, id);
  }

  /**
   * Changes the answers of a link that are named.
   * @throws {PlatformError} what `CustomerConnections.remap` throws
   */
  async remap(
    companyId: string,
    ref: { id: string; linkId: string },
    decisions: readonly CustomerDecision[],
  ): Promise<ServiceLink> {
    const decided = readDecisions(decisions);
    const link = await ownConnection(this.#deps.database.reader, companyId, ref.linkId);
    if (link?.group_id !== ref.id) throw new PlatformError('connections.not_found');
    return this.#deps.customers.remap(companyId, ref.linkId, decided);
  }

  /**
   * Ends one link, or the links to all services of the other company.
   * @throws {PlatformError} connections.not_found, company_connections.active_contract
   */
  async disconnect(companyId: string, actor: Actor, ref: { id: string; linkId?: string }): Promise<void> {
    const link = ref.linkId === undefined ? {} : { connectionId: ref.linkId };
    const which = { customerId: companyId, groupId: ref.id, ...link };
    await this.#deps.database.write(async (writer) => {
      const { engine } = this.#deps.database;
      // No link is added to the connection in the meantime.
      await lock(engine, writer, 'companies', [companyId]);
      const found = await ownConnectionRows(writer, which);
      if (found.length === 0) throw new PlatformError('connections.not_found');
      const [serviceIds, ids] = [found.map((link) => link.service_id), found.map((link) => link.id)];
      await lock(engine, writer, 'services', serviceIds);
      await lock(engine, writer, 'connections', ids);
      const links = engine === 'sqlite' ? found : await ownConnectionRows(writer, which);
      if (links.length === 0) throw new PlatformError('connections.not_found');
      await this.#deps.connectionDocuments.refuseEnding(
        writer,
        links.map((link) => link.id),
        'customer',
      );
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'company_connection.services_disconnected',
        target: ref.id,
        details: { service_ids: links.map((link) => link.service_id) },
      });
      await this.#deps.connections.end(writer, links);
    });
  }

  async #find(
    companyId: string,
    companyCode: string,
    serviceCode: string | null | undefined,
  ): Promise<ListedService> {
    const service = await serviceByCodes(this.#deps.database.reader, companyCode, serviceCode);
    if (service.company_id === companyId) throw new PlatformError('company_connections.own_service');
    return service;
  }

  async #view(reader: Reader, companyId: string, id: string): Promise<CustomerConnection> {
    const [found] = await viewCompanyConnections(reader, companyId, this.#deps, id);
    if (found === undefined) throw new PlatformError('connections.not_found');
    return found;
  }
}

function refusePeopleOnly(service: ListedService): void {
  if (service.audience === 'person') throw new PlatformError('company_connections.persons_only');
}
