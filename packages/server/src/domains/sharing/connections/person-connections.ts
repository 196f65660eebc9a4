import {
  type ConnectRequest,
  type Decision,
  Event,
  type Lookup,
  type PersonConnection,
  type PersonConsent,
  type Presence as PresenceProved,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { inParts, type Part } from '../../../core/parted-page.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { PersonDeletionHook } from '../../participation.ts';
import { photosShownBy } from '../../profile/index.ts';
import {
  type ListedService,
  listedService,
  requestRows,
  sharedBy,
  toRequestField,
} from '../../services/index.ts';
import type { ConnectionDocuments } from './connection-documents.ts';
import type { Connections } from './connections.ts';
import { type CustomerConnections, serviceByCodes } from './customer-connections.ts';
import { AT_ONCE } from './customer-links.ts';
import { cardRowOf, ownConnectionIds, ownConnectionIdWith } from './customer-store.ts';
import { isAskedOf, readDecisions } from './decisions.ts';
import { cardsOf, viewConnections } from './person-views.ts';
import type { SlotHome } from './slot-home.ts';
import { planOf } from './slot-plans.ts';
import { eventSubject } from './slots.ts';

/** Requests by which services asked people to connect. */
export interface AskedConnections {
  /**
   * Accepts the open request that a new connection answers, in the caller's transaction, which holds the person's lock.
   * @returns its id; undefined when the service did not ask
   */
  accept(writer: Writer, asked: { serviceId: string; personId: string }): Promise<string | undefined>;
}

interface Deps extends Pick<Core, 'database' | 'ids'> {
  readonly askedConnections: AskedConnections;
  readonly customers: CustomerConnections<PersonConnection, PersonConsent>;
  readonly connections: Connections;
  readonly connectionDocuments: ConnectionDocuments;
  readonly slotHome: SlotHome;
  readonly outbox: Outbox;
}

interface ConnectOptions {
  /** How the person proved to be present for this act. */
  readonly presence?: Pick<PresenceProved, 'twoFactor'> | undefined;
  /** Done in the same transaction, after the event was raised. */
  readonly within?: (writer: Writer) => Promise<void>;
}

/** A person's side of connections: find a service, connect, change what is shared, disconnect (wire 3.4). */
export class PersonConnections implements PersonDeletionHook {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A service and what it asks of people.
   * @throws {PlatformError} profile.company_code_requires_service, profile.not_found, services.audience_b2b_only
   */
  async lookup(companyCode: string, serviceCode: string | undefined): Promise<Lookup> {
    const { reader } = this.#deps.database;
    const service = await this.#find(companyCode, serviceCode);
    const [rows, shared, { profile, photos }] = await Promise.all([
      requestRows(reader, service.id),
      sharedBy(reader, service.id),
      photosShownBy(reader, { companyId: service.company_id, serviceId: service.id }),
    ]);
    return {
      ...cardsOf(cardRowOf(service), profile),
      request_fields: rows.filter((row) => isAskedOf('person', row)).map(toRequestField),
      shared,
      photos,
    };
  }

  /**
   * Connects a person to a service and stores their answers, in one transaction.
   * @throws {PlatformError} what `lookup` does, connections.exists, connections.two_factor_required,
   *   contact_data.mandatory_missing, and what `answerOf` throws
   */
  async connect(
    personId: string,
    request: Omit<ConnectRequest, 'proof'>,
    { presence, within }: ConnectOptions = {},
  ): Promise<PersonConnection> {
    const { customers, database } = this.#deps;
    const decided = readDecisions(request.decisions);
    const found = await this.#find(request.company_code, request.service_code);
    const connectionId = this.#deps.ids.uuid();
    const plan = async (reader: Reader) => {
      const service = await listedService(reader, found.id);
      return service && planOf(service, connectionId, await requestRows(reader, service.id), decided);
    };
    return this.#deps.slotHome.register(personId, plan, (registered) =>
      database.write(async (writer) => {
        await lock(database.engine, writer, 'services', [found.id]);
        await lock(database.engine, writer, 'persons', [personId]);
        const service = await listedService(writer, found.id);
        if (service === undefined) throw new PlatformError('profile.not_found');
        await registered.confirm(async () => service);
        refuseCompaniesOnly(service);
        refuseUnproven(service, request, presence);
        const customer = { id: connectionId, customer_id: personId, group_id: null };
        const connection = await customers.begin(writer, service, customer, { decided, registered });
        const view = await customers.view(writer, personId, connectionId);
        const subject = await eventSubject(writer, connection);
        const asked = await this.#deps.askedConnections.accept(writer, { serviceId: found.id, personId });
        await this.#deps.outbox.raise(writer, [
          { ...subject, event: Event.connectionCreated },
          ...(asked === undefined
            ? []
            : [{ ...subject, event: Event.connectionRequestAccepted, payload: { request_id: asked } }]),
        ]);
        await within?.(writer);
        return view;
      }),
    );
  }

  /** All of them, in parts that are read one after the other. */
  async parts(personId: string): Promise<Part<PersonConnection>[]> {
    const { reader } = this.#deps.database;
    const ids = (await ownConnectionIds(reader, { customerId: personId })).map(({ id }) => id);
    return inParts(ids, AT_ONCE).map(
      (connectionId) => () => viewConnections(reader, { personId, connectionId }),
    );
  }

  /** @throws {PlatformError} connections.not_found */
  async get(personId: string, id: string): Promise<PersonConnection> {
    return this.#deps.customers.view(this.#deps.database.reader, personId, id);
  }

  /** The connection with a service; undefined when there is none. */
  async withService(personId: string, serviceId: string): Promise<PersonConnection | undefined> {
    const { reader } = this.#deps.database;
    const connectionId = await ownConnectionIdWith(reader, personId, serviceId);
    return connectionId === undefined
      ? undefined
      : (await viewConnections(reader, { personId, connectionId }))[0];
  }

  /**
   * Changes the answers that are named.
   * @throws {PlatformError} what `CustomerConnections.remap` throws
   */
  async remap(personId: string, id: string, decisions: readonly Decision[]): Promise<PersonConnection> {
    return this.#deps.customers.remap(personId, id, readDecisions(decisions));
  }

  /**
   * Ends a connection from the person's side.
   * @throws {PlatformError} connections.not_found, company_connections.active_contract
   */
  async disconnect(personId: string, id: string): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      const connection = await this.#deps.customers.lock(writer, personId, id);
      await this.#deps.connectionDocuments.refuseEnding(writer, [id], 'customer');
      await this.#deps.connections.end(writer, [connection]);
    });
  }

  /** Part of deleting an account. */
  async bonds(personId: string): Promise<readonly string[]> {
    const rows = await ownConnectionIds(this.#deps.database.reader, { customerId: personId });
    return rows.map(({ id }) => id);
  }

  /** The end of an account waits for no contract: its record stays with the company. */
  async end(personId: string, id: string): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      const connection = await this.#deps.customers.lock(writer, personId, id);
      await this.#deps.connections.end(writer, [connection]);
    });
  }

  async #find(companyCode: string, serviceCode: string | null | undefined): Promise<ListedService> {
    const service = await serviceByCodes(this.#deps.database.reader, companyCode, serviceCode);
    refuseCompaniesOnly(service);
    return service;
  }
}

function refuseCompaniesOnly(service: ListedService): void {
  if (service.audience === 'company') throw new PlatformError('services.audience_b2b_only');
}

/** What a proof of presence for a connection is made for. */
export function connectionAct({
  company_code,
  service_code,
}: Pick<ConnectRequest, 'company_code' | 'service_code'>): string {
  const codes = `${company_code.trim()}/${service_code?.trim() ?? ''}`;
  return `connect ${codes.toUpperCase()}`;
}

/** A service may want to know that the person is there, by two factors. */
function refuseUnproven(
  service: ListedService,
  request: Pick<ConnectRequest, 'company_code' | 'service_code'>,
  presence: Pick<PresenceProved, 'twoFactor'> | undefined,
): void {
  if (service.require_2fa === 1 && presence?.twoFactor !== true)
    throw new PlatformError('connections.two_factor_required', { details: { act: connectionAct(request) } });
}
