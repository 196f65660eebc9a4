import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type ConnectRequest,
  type Decision,
  Event,
  type Lookup,
  type PersonConnection,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import { photosShownBy } from '../../profile/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import {
  findService,
  type ListedService,
  listedService,
  requestRows,
  sharedBy,
  toRequestField,
} from '../../services/index.ts';
import type { Connections } from './connections.ts';
import { ownConnection } from './customer-store.ts';
import {
  asksPeople,
  type Decided,
  isMandatory,
  pairRows,
  readDecisions,
  refuseMissing,
} from './decisions.ts';
import { checkAnswers, plannedSlots } from './person-slots.ts';
import { serviceCards, viewConnections } from './person-views.ts';
import type { Plan, Registered, SlotHome } from './slot-home.ts';
import { answeredRowsOf } from './slot-store.ts';
import { changeSlots, eventSubject, storeAnswers } from './slots.ts';
import type { ConnectionRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly connections: Connections;
  readonly registry: FieldTypeRegistry;
  readonly slotHome: SlotHome;
  readonly outbox: Outbox;
}

/** A person's side of connections: finding a service, connecting, what is shared with it, and leaving (wire 3.4). */
export class PersonConnections {
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
      ...serviceCards(service, profile),
      request_fields: rows.filter(asksPeople).map(toRequestField),
      shared,
      photos,
    };
  }

  /**
   * Connects a person to a service, with their answers, in one act.
   * @throws {PlatformError} what `lookup` does, connections.exists, connections.two_factor_required,
   *   contact_data.mandatory_missing, and what decisions.ts refuses
   */
  async connect(personId: string, request: ConnectRequest): Promise<PersonConnection> {
    const decided = readDecisions(request.decisions);
    const found = await this.#find(request.company_code, request.service_code);
    const connectionId = this.#deps.ids.uuid();
    const plan = async (reader: Reader) => {
      const service = await listedService(reader, found.id);
      return service && planOf(service, connectionId, await requestRows(reader, service.id), decided);
    };
    return this.#deps.slotHome.register(personId, plan, (registered) =>
      this.#connect(personId, { serviceId: found.id, connectionId, decided, registered }),
    );
  }

  #connect(
    personId: string,
    act: {
      serviceId: string;
      connectionId: string;
      decided: readonly Decided[];
      registered: Registered;
    },
  ): Promise<PersonConnection> {
    return this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'services', [act.serviceId]);
      await lock(this.#deps.database.engine, writer, 'persons', [personId]);
      const service = await listedService(writer, act.serviceId);
      if (service === undefined) throw new PlatformError('profile.not_found');
      await act.registered.confirm(async () => service);
      refuseCompaniesOnly(service);
      refuseUnenrolled(service);
      const connection: ConnectionRow = {
        company_id: service.company_id,
        service_id: service.id,
        id: act.connectionId,
        customer_id: personId,
        customer_type: 'person',
        connected_at: this.#deps.clock.now(),
        group_id: null,
      };
      await this.#deps.connections.begin(writer, connection);
      const rows = (await requestRows(writer, service.id)).filter(asksPeople);
      const byRow = pairRows(rows, act.decided);
      refuseMissing('person', rows, byRow);
      const answers = await checkAnswers(writer, personId, byRow, this.#checking(act.registered));
      await storeAnswers(writer, connection, answers, connection.connected_at);
      const view = await this.#view(writer, personId, connection.id);
      await this.#deps.outbox.raise(writer, [
        { ...(await eventSubject(writer, connection)), event: Event.connectionCreated },
      ]);
      return view;
    });
  }

  async list(personId: string): Promise<PersonConnection[]> {
    return viewConnections(this.#deps.database.reader, { personId });
  }

  /** @throws {PlatformError} connections.not_found */
  async get(personId: string, id: string): Promise<PersonConnection> {
    return this.#view(this.#deps.database.reader, personId, id);
  }

  /**
   * Replaces the whole set of answers: a row left out is unmapped, one that is kept stays as it is.
   * @throws {PlatformError} connections.not_found, contact_data.mandatory, and what decisions.ts refuses
   */
  async remap(personId: string, id: string, decisions: readonly Decision[]): Promise<PersonConnection> {
    const decided = readDecisions(decisions);
    return this.changeOwn(personId, id, decided, async (writer, connection, registered) => {
      const rows = await requestRows(writer, connection.service_id);
      const answered = await answeredRowsOf(writer, connection);
      // An answer outlives that its row is asked of people: it can be kept or dropped, not given anew.
      const byRow = pairRows(
        rows.filter((row) => asksPeople(row) || answered.has(row.id)),
        decided,
      );
      const dropped = rows.filter((row) => answered.has(row.id) && !byRow.has(row));
      if (dropped.some(isMandatory)) throw new PlatformError('contact_data.mandatory');
      const changed = new Map(
        [...byRow].filter(([row, decision]) => decision.kind !== 'keep' || !answered.has(row.id)),
      );
      if ([...changed.keys()].some((row) => !asksPeople(row))) {
        throw new PlatformError('contact_data.decision_invalid');
      }
      const answers = await checkAnswers(writer, personId, changed, this.#checking(registered));
      await this.#deps.slotHome.slotsEnding(writer, connection, [...dropped, ...changed.keys()]);
      return changeSlots(
        writer,
        connection,
        {
          provided: answers.filter(({ row }) => !answered.has(row.id)),
          updated: answers.filter(({ row }) => answered.has(row.id)),
          dropped,
        },
        this.#deps.clock.now(),
      );
    });
  }

  /** Ends a connection from the person's side. @throws {PlatformError} connections.not_found */
  async disconnect(personId: string, id: string): Promise<void> {
    await this.#deps.database.write(async (writer) => {
      const connection = await this.#lockOwn(writer, personId, id);
      await this.#deps.connections.end(writer, connection.service_id, [connection]);
    });
  }

  /**
   * Runs a change of one of the person's connections in a transaction that holds its locks, and raises the events it
   * gives; gives the connection as it then is.
   * @param decided the answers that the change gives
   * @throws {PlatformError} connections.not_found
   */
  async changeOwn(
    personId: string,
    id: string,
    decided: readonly Decided[],
    change: (writer: Writer, connection: ConnectionRow, registered: Registered) => Promise<RaisedEvent[]>,
  ): Promise<PersonConnection> {
    const plan = async (reader: Reader) => {
      const connection = await ownConnection(reader, personId, id);
      const service = connection && (await listedService(reader, connection.service_id));
      return service && planOf(service, id, await requestRows(reader, service.id), decided);
    };
    return this.#deps.slotHome.register(personId, plan, (registered) =>
      this.#deps.database.write(async (writer) => {
        const connection = await this.#lockOwn(writer, personId, id);
        await registered.confirm(() => listedService(writer, connection.service_id));
        const events = await change(writer, connection, registered);
        const view = await this.#view(writer, personId, id);
        await this.#deps.outbox.raise(writer, events);
        return view;
      }),
    );
  }

  #checking(registered: Registered) {
    return { registry: this.#deps.registry, now: this.#deps.clock.now(), registered };
  }

  async #find(companyCode: string, serviceCode: string | undefined): Promise<ListedService> {
    const code = normalizeCode(serviceCode ?? '');
    if (code === '') throw new PlatformError('profile.company_code_requires_service');
    const service = await findService(this.#deps.database.reader, normalizeCode(companyCode), code);
    if (service === undefined) throw new PlatformError('profile.not_found');
    refuseCompaniesOnly(service);
    return service;
  }

  /**
   * The service is locked too: a publish that takes a row away, or the service's deletion, must not slip between what is
   * read here and what is written.
   */
  async #lockOwn(writer: Writer, personId: string, id: string): Promise<ConnectionRow> {
    const { engine } = this.#deps.database;
    const seen = await this.#require(writer, personId, id);
    await lock(engine, writer, 'services', [seen.service_id]);
    await lock(engine, writer, 'persons', [personId]);
    await lock(engine, writer, 'connections', [id]);
    return engine === 'sqlite' ? seen : this.#require(writer, personId, id);
  }

  async #require(reader: Reader, personId: string, id: string): Promise<ConnectionRow> {
    const row = await ownConnection(reader, personId, id);
    if (row === undefined) throw new PlatformError('connections.not_found');
    return row;
  }

  async #view(reader: Reader, personId: string, connectionId: string): Promise<PersonConnection> {
    const [connection] = await viewConnections(reader, { personId, connectionId });
    if (connection === undefined) throw new PlatformError('connections.not_found');
    return connection;
  }
}

/** What a person's home is told of answers that are about to be given. */
function planOf(
  service: ListedService,
  connectionId: string,
  rows: readonly RequestFieldRow[],
  decided: readonly Decided[],
): Plan {
  return {
    companyId: service.company_id,
    serviceId: service.id,
    servicePublicKey: service.public_key,
    connectionId,
    ...plannedSlots(rows, decided),
  };
}

/** Codes are generated in upper case; people type them as they like. */
const normalizeCode = (code: string) => code.trim().toUpperCase();

function refuseCompaniesOnly(service: ListedService): void {
  if (service.audience === 'company') throw new PlatformError('services.audience_b2b_only');
}

/** The one place where connecting asks for a second factor: nobody can enrol yet, so whoever must is refused. */
function refuseUnenrolled(service: ListedService): void {
  if (service.require_2fa === 1) throw new PlatformError('connections.two_factor_required');
}
