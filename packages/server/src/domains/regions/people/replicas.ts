import { pollUntil } from '../../../core/timers.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { SlotElsewhere } from '../../../events/replication.ts';
import type { Core } from '../../domain.ts';
import { fieldsOf, type PersonFieldRow } from '../../people/index.ts';
import type { Directory } from '../directory/directory.ts';
import type { Peers } from '../directory/peers.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import {
  type FieldBody,
  type FieldGoneBody,
  type PersonBody,
  PersonMessage,
  type RemoteCopy,
} from './replica-messages.ts';
import {
  codesOf,
  deleteRemoteSlotsOfField,
  fieldReplica,
  homePerson,
  personHome,
  setSlotVersions,
  versionsOf,
} from './store.ts';

/** How long a call waits for messages of a person's home region, and how often it looks for them. */
const PATIENCE = { everyMs: 25, mostMs: 2000 };

/** Versions of fields by their ids; null for a field that the home does not have. */
type FieldVersions = Readonly<Record<string, number | null>>;

interface Deps extends Pick<Core, 'database' | 'log' | 'regions' | 'timers'> {
  readonly directory: Directory;
  readonly messages: MessageQueue;
  readonly peers: Peers;
}

/**
 * The replicas of people: who they are, and their fields without the values. Only the home changes them. It tells the other
 * regions in the transaction of each change, and they update the slots of their companies.
 */
export class PersonReplicas {
  readonly #deps: Deps;
  readonly #requests = new Map<string, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Sends a person of this region to the others, in the transaction that changed the person. */
  async personChanged(writer: Writer, personId: string): Promise<void> {
    for (const to of this.#others()) await this.#sendPerson(writer, to, personId);
  }

  /** Tells the others that a person of this region deleted the account, in the transaction that ends it. */
  async personDeleted(writer: Writer, personId: string): Promise<void> {
    await this.#deps.messages.sendToAll(writer, { kind: PersonMessage.gone, subject: personId, body: {} });
  }

  /**
   * Sends a field to the others, in the transaction that changed the field: one message to each region, with the copies for
   * the slots of its companies.
   */
  async fieldChanged(
    writer: Writer,
    row: PersonFieldRow,
    copies: readonly { readonly slot: SlotElsewhere; readonly value: string }[] = [],
  ): Promise<void> {
    const others = this.#others();
    const reachable = new Set(others);
    await setSlotVersions(this.#deps.database.engine, writer, row.person_id, {
      registrations: copies.map(({ slot }) => slot.registration),
      version: row.version,
    });
    for (const to of others) {
      const forRegion = copies
        // Only its own region knows the slots of a company that is unknown here.
        .filter(({ slot }) => slot.region === to || slot.region === null || !reachable.has(slot.region))
        .map(({ slot, value }) => ({
          company_id: slot.company_id,
          connection_id: slot.connection_id,
          request_field_id: slot.request_field_id,
          value,
        }));
      await this.#sendField(writer, to, row, forRegion);
    }
  }

  /** Tells the others that a field is deleted, in the transaction that deletes it. They delete its slots. */
  async fieldDeleted(writer: Writer, personId: string, fieldId: string): Promise<void> {
    await deleteRemoteSlotsOfField(writer, fieldId);
    const body: FieldGoneBody = { person_id: personId, field_id: fieldId };
    await this.#deps.messages.sendToAll(writer, { kind: PersonMessage.fieldGone, subject: personId, body });
  }

  /**
   * Waits until this region knows a person who was authenticated at home: the person's replica may not have arrived yet, or
   * this region was added after the person registered.
   * @param epoch of the person's token; an older replica does not count
   * @returns false when there is nothing to wait for
   * @throws {PlatformError} region.unavailable
   */
  async awaitPerson(personId: string, epoch: number): Promise<boolean> {
    const known = `${personId} ${epoch}`;
    let waiting = this.#requests.get(known);
    if (waiting === undefined) {
      waiting = this.#request(personId, epoch).finally(() => this.#requests.delete(known));
      this.#requests.set(known, waiting);
    }
    await waiting;
    return true;
  }

  /** Sends a person and all fields to another region. @returns whether the person is of this region */
  async sendAll(to: string, personId: string): Promise<boolean> {
    return this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'persons', [personId]);
      if (!(await this.#sendPerson(writer, to, personId))) return false;
      for (const row of await fieldsOf(writer, personId)) await this.#sendField(writer, to, row, []);
      return true;
    });
  }

  #others(): readonly string[] {
    return [...this.#deps.regions.others].sort();
  }

  async #request(personId: string, epoch: number): Promise<void> {
    const { reader } = this.#deps.database;
    const arrived = async () => {
      const [row] = await personHome(reader, personId);
      return row !== undefined && (row.region === null || row.epoch >= epoch);
    };
    if (await arrived()) return;
    const home = await this.#deps.directory.homeOf({ kind: 'person', id: personId });
    if (home === undefined || home === this.#deps.regions.own) return;
    this.#deps.log.debug(
      { person: personId, home },
      'person unknown or outdated: the replica is requested from the home region',
    );
    const answer = await this.#deps.peers.ask<{ home: boolean }>(
      { region: home },
      { method: 'POST', path: `/internal/people/${encodeURIComponent(personId)}/introduction` },
    );
    if (!answer.home) return;
    await pollUntil(this.#deps.timers, PATIENCE, arrived);
  }

  /** Waits until this region knows these versions of fields, or newer ones. @returns false when they did not arrive in time */
  awaitFields(personId: string, versions: FieldVersions): Promise<boolean> {
    return pollUntil(this.#deps.timers, PATIENCE, () => this.hasFields(personId, versions));
  }

  async hasFields(personId: string, versions: FieldVersions): Promise<boolean> {
    const here = await versionsOf(this.#deps.database.reader, personId);
    return Object.entries(versions).every(([id, version]) => (here.get(id) ?? 0) >= (version ?? 0));
  }

  async #sendPerson(writer: Writer, to: string, personId: string): Promise<boolean> {
    const person = await homePerson(writer, personId);
    if (person === undefined) return false;
    const body: PersonBody = { person, codes: await codesOf(writer, personId) };
    await this.#deps.messages.send(writer, to, { kind: PersonMessage.person, subject: personId, body });
    return true;
  }

  async #sendField(
    writer: Writer,
    to: string,
    field: PersonFieldRow,
    copies: readonly RemoteCopy[],
  ): Promise<void> {
    const body: FieldBody = { field: fieldReplica(field), copies };
    await this.#deps.messages.send(writer, to, { kind: PersonMessage.field, subject: field.person_id, body });
  }
}
