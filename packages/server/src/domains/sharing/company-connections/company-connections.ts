import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  AccountEvent,
  type CustomerConnection,
  type CustomerConnectRequest,
  type CustomerDecision,
  type CustomerLookup,
  Event,
  type ServiceLink,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import {
  findService,
  type ListedService,
  listedService,
  requestRows,
  sharedBy,
} from '../../services/index.ts';
import type { ConnectionRow, Connections } from '../connections/index.ts';
import {
  accountEvent,
  answeredRows,
  changeSlots,
  customerConnection,
  customerConnections,
  eventSubject,
  isAskedOf,
  isMandatoryFor,
  refuseMissing,
  storeAnswers,
} from '../connections/index.ts';
import { companyAnswer, pairCompanyRows, readCompanyDecisions } from './company-decisions.ts';
import {
  identityOf,
  type ProfilesOf,
  serviceCard,
  toCustomerField,
  viewCompanyConnections,
  viewLink,
} from './company-views.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly connections: Connections;
  readonly registry: FieldTypeRegistry;
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly profilesOf: ProfilesOf;
}

/**
 * A company as the customer of other companies' services (wire 4.11). Its links to the services of one
 * company make up one connection; each link is to its service what a person's connection is.
 */
export class CompanyConnections {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A service and what it asks of companies. One that takes people only stays readable for those connected to it.
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
      const mine = await customerConnections(reader, { customerId: companyId });
      if (!mine.some((link) => link.service_id === service.id)) refusePeopleOnly(service);
    }
    const [rows, shared] = await Promise.all([requestRows(reader, service.id), sharedBy(reader, service.id)]);
    return {
      company: identityOf(service),
      service: serviceCard(service),
      request_fields: rows.filter((row) => isAskedOf('company', row)).map(toCustomerField),
      shared,
    };
  }

  /**
   * Connects the company to a service, with its answers, in one act. The service's second-factor flag is about people.
   * @throws {PlatformError} what `lookup` does, connections.exists, contact_data.mandatory_missing, and what
   *   company-decisions.ts refuses
   */
  async connect(
    companyId: string,
    actor: Actor,
    request: CustomerConnectRequest,
  ): Promise<CustomerConnection> {
    const decided = readCompanyDecisions(request.decisions);
    const found = await this.#find(companyId, request.company_code, request.service_code);
    refusePeopleOnly(found);
    return this.#deps.database.write(async (writer) => {
      const { engine } = this.#deps.database;
      // The customer is locked so that two links made at once share their connection.
      await lock(engine, writer, 'companies', [companyId]);
      await lock(engine, writer, 'services', [found.id]);
      const service = await listedService(writer, found.id);
      if (service === undefined) throw new PlatformError('profile.not_found');
      refusePeopleOnly(service);
      const groupId =
        (await this.#deps.connections.groupOf(writer, {
          companyId: service.company_id,
          customerId: companyId,
        })) ?? this.#deps.ids.uuid();
      const link: ConnectionRow = {
        company_id: service.company_id,
        service_id: service.id,
        id: this.#deps.ids.uuid(),
        customer_id: companyId,
        customer_type: 'company',
        connected_at: this.#deps.clock.now(),
        group_id: groupId,
      };
      await this.#deps.connections.begin(writer, link);
      const rows = await requestRows(writer, service.id);
      const byRow = pairCompanyRows(rows, decided);
      refuseMissing('company', rows, byRow);
      const answers = [...byRow].map(([row, decision]) => companyAnswer(row, decision, this.#deps.registry));
      await storeAnswers(writer, link, answers, link.connected_at);
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

  async list(companyId: string): Promise<CustomerConnection[]> {
    return viewCompanyConnections(this.#deps.database.reader, companyId, this.#deps.profilesOf);
  }

  /** @throws {PlatformError} connections.not_found */
  async get(companyId: string, id: string): Promise<CustomerConnection> {
    return this.#view(this.#deps.database.reader, companyId, id);
  }

  /**
   * Replaces the whole set of a link's answers: a row left out is unmapped, one that is kept stays as it is.
   * @throws {PlatformError} connections.not_found, contact_data.mandatory, and what company-decisions.ts refuses
   */
  async remap(
    companyId: string,
    ref: { id: string; linkId: string },
    decisions: readonly CustomerDecision[],
  ): Promise<ServiceLink> {
    const decided = readCompanyDecisions(decisions);
    const seen = await customerConnection(this.#deps.database.reader, companyId, ref.linkId);
    if (seen?.group_id !== ref.id) throw new PlatformError('connections.not_found');
    return this.changeOwn(companyId, ref.linkId, async (writer, link) => {
      const rows = await requestRows(writer, link.service_id);
      const answered = await answeredRows(writer, link);
      const byRow = pairCompanyRows(rows, decided);
      const dropped = rows.filter((row) => answered.has(row.id) && !byRow.has(row));
      if (dropped.some((row) => isMandatoryFor('company', row))) {
        throw new PlatformError('contact_data.mandatory');
      }
      const answers = [...byRow]
        .filter(([row, decision]) => decision.kind !== 'keep' || !answered.has(row.id))
        .map(([row, decision]) => companyAnswer(row, decision, this.#deps.registry));
      return changeSlots(
        writer,
        link,
        {
          provided: answers.filter(({ row }) => !answered.has(row.id)),
          updated: answers.filter(({ row }) => answered.has(row.id)),
          dropped,
        },
        this.#deps.clock.now(),
      );
    });
  }

  /** Ends the links to all services of the other company. @throws {PlatformError} connections.not_found */
  async disconnect(companyId: string, actor: Actor, id: string): Promise<void> {
    await this.#end(actor, { customerId: companyId, groupId: id });
  }

  /** Ends the link to one service. @throws {PlatformError} connections.not_found */
  async disconnectService(
    companyId: string,
    actor: Actor,
    ref: { id: string; linkId: string },
  ): Promise<void> {
    await this.#end(actor, { customerId: companyId, groupId: ref.id, connectionId: ref.linkId });
  }

  /**
   * Runs a change of one of the company's links in a transaction that holds its locks, and raises the events it gives;
   * gives the link as it then is.
   * @throws {PlatformError} connections.not_found
   */
  async changeOwn(
    companyId: string,
    linkId: string,
    change: (writer: Writer, link: ConnectionRow) => Promise<RaisedEvent[]>,
  ): Promise<ServiceLink> {
    return this.#deps.database.write(async (writer) => {
      const { engine } = this.#deps.database;
      const seen = await this.#require(writer, companyId, linkId);
      // A publish that takes a row away, or the service's deletion, must not slip between what is read and written.
      await lock(engine, writer, 'services', [seen.service_id]);
      await lock(engine, writer, 'connections', [linkId]);
      const link = engine === 'sqlite' ? seen : await this.#require(writer, companyId, linkId);
      const events = await change(writer, link);
      const view = await viewLink(writer, companyId, linkId);
      if (view === undefined) throw new PlatformError('connections.not_found');
      await this.#deps.outbox.raise(writer, events);
      return view;
    });
  }

  async #end(
    actor: Actor,
    which: { customerId: string; groupId: string; connectionId?: string },
  ): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      const { engine } = this.#deps.database;
      // Nothing joins the connection meanwhile.
      await lock(engine, writer, 'companies', [which.customerId]);
      const seen = await customerConnections(writer, which);
      if (seen.length === 0) throw new PlatformError('connections.not_found');
      await lock(
        engine,
        writer,
        'services',
        seen.map((link) => link.service_id),
      );
      await lock(
        engine,
        writer,
        'connections',
        seen.map((link) => link.id),
      );
      const links = engine === 'sqlite' ? seen : await customerConnections(writer, which);
      if (links.length === 0) throw new PlatformError('connections.not_found');
      await this.#deps.audit.record(writer, {
        companyId: which.customerId,
        actor,
        action: 'company_connection.services_disconnected',
        target: which.groupId,
        details: { service_ids: links.map((link) => link.service_id) },
      });
      await this.#deps.connections.endEach(writer, links);
    });
  }

  async #find(
    companyId: string,
    companyCode: string,
    serviceCode: string | undefined,
  ): Promise<ListedService> {
    const code = normalizeCode(serviceCode ?? '');
    if (code === '') throw new PlatformError('profile.company_code_requires_service');
    const service = await findService(this.#deps.database.reader, normalizeCode(companyCode), code);
    if (service === undefined) throw new PlatformError('profile.not_found');
    if (service.company_id === companyId) throw new PlatformError('company_connections.own_service');
    return service;
  }

  async #require(reader: Reader, companyId: string, linkId: string): Promise<ConnectionRow> {
    const row = await customerConnection(reader, companyId, linkId);
    if (row === undefined) throw new PlatformError('connections.not_found');
    return row;
  }

  async #view(reader: Reader, companyId: string, id: string): Promise<CustomerConnection> {
    const [found] = await viewCompanyConnections(reader, companyId, this.#deps.profilesOf, id);
    if (found === undefined) throw new PlatformError('connections.not_found');
    return found;
  }
}

/** Codes are generated in upper case; people type them as they like. */
const normalizeCode = (code: string) => code.trim().toUpperCase();

function refusePeopleOnly(service: ListedService): void {
  if (service.audience === 'person') throw new PlatformError('company_connections.persons_only');
}
