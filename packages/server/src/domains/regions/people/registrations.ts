import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { type Flag, flag, type Tables } from '../../../db/tables.ts';
import { companyHome, companyHomes } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import type { NamedField, PersonFieldRow } from '../../people/index.ts';
import {
  type AnswersOf,
  atHome,
  type FilesOfAct,
  type Plan,
  type Registered,
  type SlotHome,
} from '../../sharing/index.ts';
import { type Peers, regionUnavailable } from '../directory/peers.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import { type FetchedFiles, NO_FILES, type RemoteFiles } from './remote-files.ts';
import {
  type Registration,
  type RegistrationRequest,
  type RequestRowsChanged,
  type ServiceKeyReplaced,
  SlotMessage,
  type SlotsGone,
} from './remote-slots.ts';
import type { PersonReplicas } from './replicas.ts';
import type { AskedSlot } from './slot-check.ts';
import {
  holdsRegistration,
  personHome,
  type RegisteredSlot,
  registeredOnConnections,
  registeredOnRows,
  versionsOf,
} from './store.ts';

type RequestFieldRow = Tables['request_fields'];

/** The service has changed since the slots were registered: the act starts again. */
class ServiceChanged extends Error {}

/** The version of a field whose value has never changed. */
const FIRST_VERSION = 1;
/** Slots in one message. */
const GROUP = 500;

const mandatoryOf = (row: RequestFieldRow): Flag =>
  flag(row.mandatory_connected === 1 && row.audience !== 'company');

interface Deps extends Pick<Core, 'database' | 'ids' | 'log'> {
  readonly personReplicas: Pick<PersonReplicas, 'awaitPerson' | 'awaitFields'>;
  readonly messages: MessageQueue;
  readonly peers: Peers;
  readonly remoteFiles: RemoteFiles;
}

/**
 * At the home of a company: registers live slots of people of other regions at the people's homes before the slots are
 * made, and withdraws them when the slots end. For people of this region there is nothing to do.
 */
export class SlotRegistrations implements SlotHome {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Runs what makes live slots of a person, with the slots registered at the person's home.
   * @param plan reads what is about to be done; undefined when nothing is
   * @throws {PlatformError} contact_data.field_changed, region.unavailable, and what `act` throws
   */
  async register<T>(
    personId: string,
    plan: (reader: Reader) => Promise<Plan | undefined>,
    act: (registered: Registered) => Promise<T>,
  ): Promise<T> {
    const { reader } = this.#deps.database;
    let [person] = await personHome(reader, personId);
    // Another region authenticated this person, whose replica may not have arrived yet.
    if (person === undefined && (await this.#deps.personReplicas.awaitPerson(personId, 0))) {
      [person] = await personHome(reader, personId);
    }
    if (person === undefined) throw regionUnavailable();
    const home = person.region;
    if (home === null) return act(atHome);
    for (let last = false; ; last = true) {
      const planned = await plan(reader);
      const files = planned && (await this.#deps.remoteFiles.fetch(home, personId, planned));
      const request = await this.#register(home, personId, planned);
      try {
        return await act(
          new Slots(request, files, (writer) =>
            this.#deps.remoteFiles.take(writer, { home, ownerId: personId }, files),
          ),
        );
      } catch (error) {
        await this.#withdraw(home, request);
        if (!(error instanceof ServiceChanged)) throw error;
        if (last) throw new PlatformError('contact_data.field_changed', { cause: error });
      }
    }
  }

  /** Has the uploads that answers of a company name, then runs `act`, which names them. */
  async withUploads<T>(
    companyId: string,
    uploads: readonly string[],
    act: (registered: Registered) => Promise<T>,
  ): Promise<T> {
    const home = await companyHome(this.#deps.database.reader, companyId);
    if (uploads.length === 0 || home === null || home === undefined) return act(atHome);
    const files = await this.#deps.remoteFiles.fetch(home, companyId, { uploads, fileFields: [] });
    const nothing = { person_id: companyId, fields: [], slots: [] };
    return act(
      new Slots(nothing, files, (writer) =>
        this.#deps.remoteFiles.take(writer, { home, ownerId: companyId }, files),
      ),
    );
  }

  /** Some answers of a connection end; call it before they are deleted. */
  async slotsEnding(
    writer: Writer,
    connection: { company_id: string; id: string },
    rows: readonly Pick<RequestFieldRow, 'id'>[],
  ): Promise<void> {
    await this.answersEnding(writer, {
      companyId: connection.company_id,
      connectionIds: [connection.id],
      rowIds: rows.map((row) => row.id),
    });
  }

  /** Answers of some connections of one company end; call it before they are deleted. */
  async answersEnding(writer: Writer, answers: AnswersOf): Promise<void> {
    if (answers.connectionIds.length === 0 || answers.rowIds.length === 0) return;
    await this.#sendGone(writer, await registeredOnRows(this.#deps.database.engine, writer, answers));
  }

  /** Connections of one company end; call it before they are deleted. */
  async connectionsEnding(
    writer: Writer,
    companyId: string,
    connectionIds: readonly string[],
  ): Promise<void> {
    if (connectionIds.length === 0) return;
    const { engine } = this.#deps.database;
    await this.#sendGone(writer, await registeredOnConnections(engine, writer, companyId, connectionIds));
  }

  /** A publish changes which rows are mandatory. A row that it removes must not hold a field any longer. */
  async rowsChanging(
    writer: Writer,
    companyId: string,
    rows: { before: readonly RequestFieldRow[]; kept: readonly RequestFieldRow[] },
  ): Promise<void> {
    const after = new Map(rows.kept.map((row) => [row.id, mandatoryOf(row)]));
    const changed = rows.before
      .map((row) => ({ id: row.id, before: mandatoryOf(row), mandatory: after.get(row.id) ?? 0 }))
      .filter(({ before, mandatory }) => before !== mandatory)
      .map(({ id, mandatory }) => ({ id, mandatory }));
    if (changed.length === 0) return;
    const body: RequestRowsChanged = { company_id: companyId, rows: changed };
    await this.#deps.messages.sendToAll(writer, { kind: SlotMessage.requestRows, subject: companyId, body });
  }

  /** A service has a new key, for which all later copies are sealed. */
  async keyReplaced(
    writer: Writer,
    service: { companyId: string; serviceId: string },
    publicKey: string,
  ): Promise<void> {
    const body: ServiceKeyReplaced = {
      company_id: service.companyId,
      service_id: service.serviceId,
      public_key: publicKey,
    };
    // The company is the subject, so that keys arrive in the order in which they were made.
    await this.#deps.messages.sendToAll(writer, {
      kind: SlotMessage.serviceKey,
      subject: service.companyId,
      body,
    });
  }

  /** The registrations, of those a person's home asks about, whose slots do not exist. */
  async missing(slots: readonly AskedSlot[]): Promise<string[]> {
    const { engine, reader } = this.#deps.database;
    const homes = await companyHomes(
      engine,
      reader,
      slots.map((slot) => slot.company_id),
    );
    const missing: string[] = [];
    for (const slot of slots) {
      // Only the home of the company knows its slots.
      if (homes.get(slot.company_id) !== null || (await holdsRegistration(reader, slot))) continue;
      missing.push(slot.registration);
    }
    return missing;
  }

  /** @returns what was registered; without slots when there is nothing to register */
  async #register(home: string, personId: string, plan: Plan | undefined): Promise<RegistrationRequest> {
    const nothing = { person_id: personId, fields: [], slots: [] };
    if (plan === undefined) return nothing;
    for (;;) {
      const versions = await versionsOf(this.#deps.database.reader, personId);
      // A value that is given once needs no registration, only that this region knows its field.
      const named = plan.named.filter((id) => !versions.has(id));
      if (plan.slots.length === 0 && named.length === 0) return nothing;
      const request: RegistrationRequest = {
        person_id: personId,
        fields: [...new Set([...plan.slots.map((slot) => slot.fieldId), ...named])].map((id) => ({
          id,
          version: versions.get(id) ?? 0,
        })),
        slots: plan.slots.map(({ row, fieldId }) => ({
          registration: this.#deps.ids.uuid(),
          field_id: fieldId,
          company_id: plan.companyId,
          service_id: plan.serviceId,
          connection_id: plan.connectionId,
          request_field_id: row.id,
          slug: row.slug,
          service_public_key: plan.servicePublicKey,
          mandatory: mandatoryOf(row),
        })),
      };
      const answer = await this.#ask(home, request);
      if (answer.state === 'registered') return request;
      const stale = answer.state === 'stale' ? answer.versions : {};
      // The home has no such field.
      if (request.fields.some(({ id }) => (stale[id] ?? null) === null)) {
        throw new PlatformError('contact_data.not_found');
      }
      // The newer fields are on their way. After they have arrived, the caller can repeat the act with them.
      if (!(await this.#deps.personReplicas.awaitFields(personId, stale))) {
        throw new PlatformError('contact_data.field_changed');
      }
      // The caller may have sealed the value before the change, and it would then count as the newest. A field that is new
      // here and still has its first value is safe.
      if (request.fields.some(({ id, version }) => stale[id] !== version && stale[id] !== FIRST_VERSION)) {
        throw new PlatformError('contact_data.field_changed');
      }
    }
  }

  async #ask(home: string, request: RegistrationRequest): Promise<Registration> {
    try {
      return await this.#deps.peers.ask<Registration>(
        { region: home },
        { method: 'POST', path: '/internal/people/slots', body: request },
      );
    } catch (error) {
      // The home may have registered the slots although its answer was lost.
      await this.#withdraw(home, request);
      throw error;
    }
  }

  /** Withdraws registrations of slots that were not made. Never throws: the only harm is superfluous copies. */
  async #withdraw(home: string, { person_id: personId, slots }: RegistrationRequest): Promise<void> {
    if (slots.length === 0) return;
    try {
      await this.#deps.database.write(async (writer) => {
        // The transaction of the act may still be running and may yet make the slots. It holds this lock.
        await lock(this.#deps.database.engine, writer, 'persons', [personId]);
        const unused: RegisteredSlot[] = [];
        for (const slot of slots) {
          if (await holdsRegistration(writer, slot)) continue;
          unused.push({ person_id: personId, home, registration: slot.registration });
        }
        await this.#sendGone(writer, unused);
      });
    } catch (error) {
      this.#deps.log.error(
        { err: error, home },
        'slot registrations could not be withdrawn: the region of the person could not be notified',
      );
    }
  }

  async #sendGone(writer: Writer, ended: readonly RegisteredSlot[]): Promise<void> {
    for (const [home, ofHome] of Map.groupBy(ended, (slot) => slot.home)) {
      for (let start = 0; start < ofHome.length; start += GROUP) {
        const slots = ofHome.slice(start, start + GROUP);
        const [first] = slots;
        if (first === undefined) continue;
        const body: SlotsGone = {
          slots: slots.map(({ person_id, registration }) => ({ person_id, registration })),
        };
        await this.#deps.messages.send(writer, home, {
          kind: SlotMessage.gone,
          subject: first.person_id,
          body,
        });
      }
    }
  }
}

class Slots implements Registered {
  readonly #request: RegistrationRequest;
  readonly #files: FetchedFiles | undefined;
  readonly #take: (writer: Writer) => Promise<void>;

  constructor(
    request: RegistrationRequest,
    files: FetchedFiles | undefined,
    take: (writer: Writer) => Promise<void>,
  ) {
    this.#request = request;
    this.#files = files;
    this.#take = take;
  }

  async files(writer: Writer, fields: ReadonlyMap<string, NamedField>): Promise<FilesOfAct> {
    const { uploads, ofFields } = this.#files ?? NO_FILES;
    for (const [id, { version }] of ofFields)
      if (fields.get(id)?.version !== version) throw new PlatformError('contact_data.field_changed');
    await this.#take(writer);
    return { uploads, ofFields: new Map([...ofFields].map(([id, { file }]) => [id, file])) };
  }

  async confirm(service: () => Promise<{ readonly public_key: string } | undefined>): Promise<void> {
    const [slot] = this.#request.slots;
    if (slot !== undefined && slot.service_public_key !== (await service())?.public_key) {
      throw new ServiceChanged();
    }
  }

  claim(row: RequestFieldRow, field: PersonFieldRow): { registration: string; fieldVersion: number } {
    const { slots, fields } = this.#request;
    const slot = slots.find((candidate) => candidate.request_field_id === row.id);
    if (slot === undefined || slot.mandatory !== mandatoryOf(row)) throw new ServiceChanged();
    // The field has a newer value, and the home has its copies. The value of this act would replace them.
    if (fields.find(({ id }) => id === field.id)?.version !== field.version) {
      throw new PlatformError('contact_data.field_changed');
    }
    return { registration: slot.registration, fieldVersion: field.version };
  }
}
