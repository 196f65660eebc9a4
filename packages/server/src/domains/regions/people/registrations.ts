import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import { type Flag, flag } from '../../../db/tables.ts';
import type { Core } from '../../domain.ts';
import type { PersonFieldRow } from '../../identity/index.ts';
import { companyHomes } from '../../identity/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { atHome, type Plan, type Registered, type SlotHome } from '../../sharing/index.ts';
import type { Peers } from '../directory/index.ts';
import type { RegionMessages } from '../messages/index.ts';
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
  registeredOnRow,
  registeredOnRows,
  versionsOf,
} from './store.ts';

/** What the home was told of the service is not so any more: the act begins anew. */
class ServiceChanged extends Error {}

/** Of a field that has the value it was made with. */
const FIRST_VERSION = 1;
/** Slots that one message names. */
const GROUP = 500;

const mandatoryOf = (row: RequestFieldRow): Flag =>
  flag(row.mandatory_connected === 1 && row.audience !== 'company');

interface Deps extends Pick<Core, 'database' | 'ids' | 'log'> {
  readonly replicas: Pick<PersonReplicas, 'awaitPerson' | 'awaitFields'>;
  readonly messages: RegionMessages;
  readonly peers: Peers;
}

/**
 * At the region of a company: the live slots of people at home elsewhere are registered there before they are made, and
 * given back when they end. With one region, and for people at home here, there is nothing to do and nothing is done.
 */
export class SlotRegistrations implements SlotHome {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Does what makes live slots of a person, with these registered at the person's home.
   * @param plan reads what is about to be done; undefined when nothing is
   * @param act is given nothing for a person at home here
   * @throws {PlatformError} contact_data.field_changed, region.unavailable, and what `act` does
   */
  async register<T>(
    personId: string,
    plan: (reader: Reader) => Promise<Plan | undefined>,
    act: (registered: Registered) => Promise<T>,
  ): Promise<T> {
    const { reader } = this.#deps.database;
    let [person] = await personHome(reader, personId);
    // Whom another region has let in may be new to this one.
    if (person === undefined && (await this.#deps.replicas.awaitPerson(personId, 0))) {
      [person] = await personHome(reader, personId);
    }
    if (person === undefined) throw new PlatformError('region.unavailable');
    const home = person.region;
    if (home === null) return act(atHome);
    for (let last = false; ; last = true) {
      const request = await this.#register(home, personId, await plan(reader));
      try {
        return await act(new Slots(request));
      } catch (error) {
        await this.#giveBack(home, request);
        if (!(error instanceof ServiceChanged)) throw error;
        if (last) throw new PlatformError('contact_data.field_changed', { cause: error });
      }
    }
  }

  /** What ends with some answers of a connection; call it before they go. */
  async slotsEnding(
    writer: Writer,
    connection: { company_id: string; id: string },
    rows: readonly Pick<RequestFieldRow, 'id'>[],
  ): Promise<void> {
    const ids = rows.map((row) => row.id);
    await this.#sendGone(writer, await registeredOnRows(writer, connection, ids));
  }

  /** What ends with connections of one company; call it before they go. */
  async connectionsEnding(
    writer: Writer,
    companyId: string,
    connectionIds: readonly string[],
  ): Promise<void> {
    if (connectionIds.length === 0) return;
    const { engine } = this.#deps.database;
    await this.#sendGone(writer, await registeredOnConnections(engine, writer, companyId, connectionIds));
  }

  /** What a publish changes: answers to rows it takes away end; others become mandatory, or no longer are. */
  async rowsChanging(
    writer: Writer,
    companyId: string,
    rows: {
      removed: readonly RequestFieldRow[];
      before: readonly RequestFieldRow[];
      kept: readonly RequestFieldRow[];
    },
  ): Promise<void> {
    for (const row of rows.removed) await this.#sendGone(writer, await registeredOnRow(writer, row.id));
    const before = new Map(rows.before.map((row) => [row.id, mandatoryOf(row)]));
    const changed = rows.kept
      .map((row) => ({ id: row.id, mandatory: mandatoryOf(row) }))
      .filter(({ id, mandatory }) => before.get(id) !== mandatory);
    if (changed.length === 0) return;
    const body: RequestRowsChanged = { company_id: companyId, rows: changed };
    await this.#deps.messages.sendToAll(writer, { kind: SlotMessage.requestRows, subject: companyId, body });
  }

  /** A service has a new key: copies are sealed to that from now on. */
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
    // In the lane of the company: a key that comes later never arrives before.
    await this.#deps.messages.sendToAll(writer, {
      kind: SlotMessage.serviceKey,
      subject: service.companyId,
      body,
    });
  }

  /** Part of deleting a company: all its slots end, and nobody is told one by one. */
  async dropForCompany(writer: Writer, companyId: string): Promise<void> {
    await this.#deps.messages.sendToAll(writer, {
      kind: SlotMessage.companyGone,
      subject: companyId,
      body: {},
    });
  }

  /** Of slots that a home asks about, those that do not stand, as far as this region can say. */
  async missing(slots: readonly AskedSlot[]): Promise<string[]> {
    const { engine, reader } = this.#deps.database;
    const homes = await companyHomes(
      engine,
      reader,
      slots.map((slot) => slot.company_id),
    );
    const missing: string[] = [];
    for (const slot of slots) {
      // Of a company that has moved on, or is about to come, another region knows.
      if (homes.get(slot.company_id) !== null || (await holdsRegistration(reader, slot))) continue;
      missing.push(slot.registration);
    }
    return missing;
  }

  /** Gives what was registered; without slots when there is nothing to register. */
  async #register(home: string, personId: string, plan: Plan | undefined): Promise<RegistrationRequest> {
    if (plan === undefined) return { person_id: personId, fields: [], slots: [] };
    for (;;) {
      const versions = await versionsOf(this.#deps.database.reader, personId);
      // A value given once needs nothing of the home, unless it is of a field that is not known here yet.
      const named = plan.named.filter((id) => !versions.has(id));
      if (plan.slots.length === 0 && named.length === 0) {
        return { person_id: personId, fields: [], slots: [] };
      }
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
      // One that is none at home, or no longer.
      if (request.fields.some(({ id }) => (stale[id] ?? null) === null)) {
        throw new PlatformError('contact_data.not_found');
      }
      // The newer fields are on their way here. Once they are here, the caller can repeat the act with them.
      if (!(await this.#deps.replicas.awaitFields(personId, stale))) {
        throw new PlatformError('contact_data.field_changed');
      }
      // The value that came with it may be of before the change, and would stand for the newest from now on. Only of a field
      // that is new can there be no other.
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
      // It may have come to pass although nothing was heard of it.
      await this.#giveBack(home, request);
      throw error;
    }
  }

  /** Gives back what was registered for slots that were not made. Never fails: the home only asks for copies too many. */
  async #giveBack(home: string, { person_id: personId, slots }: RegistrationRequest): Promise<void> {
    if (slots.length === 0) return;
    try {
      await this.#deps.database.write(async (writer) => {
        // A transaction of which nothing is known may still be under way, and holds this lock.
        await lock(this.#deps.database.engine, writer, 'persons', [personId]);
        const unused: RegisteredSlot[] = [];
        for (const slot of slots) {
          if (await holdsRegistration(writer, slot)) continue;
          unused.push({ person_id: personId, home, registration: slot.registration });
        }
        await this.#sendGone(writer, unused);
      });
    } catch (error) {
      this.#deps.log.error({ err: error, home }, 'registrations of slots could not be given back');
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

  constructor(request: RegistrationRequest) {
    this.#request = request;
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
    // Since then the home has got copies of a newer value; the one that came with this act would stand in their place.
    if (fields.find(({ id }) => id === field.id)?.version !== field.version) {
      throw new PlatformError('contact_data.field_changed');
    }
    return { registration: slot.registration, fieldVersion: field.version };
  }
}
