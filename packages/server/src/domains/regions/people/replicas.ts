import { pollUntil } from '../../../core/timers.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { PersonFieldRow, SlotElsewhere } from '../../identity/index.ts';
import { fieldsOf } from '../../identity/index.ts';
import type { Directory, Peers } from '../directory/index.ts';
import type { RegionMessages } from '../messages/index.ts';
import {
  type FieldBody,
  type FieldGoneBody,
  type PersonBody,
  PersonMessage,
  type RemoteCopy,
} from './replica-messages.ts';
import { codesOf, homePerson, personHome, versionsOf } from './store.ts';

/** How long the messages of a person's home region may take to arrive, and how often this looks for them. */
const PATIENCE = { everyMs: 25, mostMs: 2000 };

/** Versions of fields by their ids; null for a field that the home does not have. */
type FieldVersions = Readonly<Record<string, number | null>>;

interface Deps extends Pick<Core, 'database' | 'log' | 'regions' | 'timers'> {
  readonly directory: Directory;
  readonly messages: RegionMessages;
  readonly peers: Peers;
}

/**
 * What every region knows of a person: who they are, and their fields without the values. The home alone writes; it tells
 * the others in the transaction of each change, and they do the same with the slots that are theirs.
 */
export class PersonReplicas {
  readonly #deps: Deps;
  readonly #introductions = new Map<string, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Tells the others how a person of this region now is, in the transaction that made it so. */
  async personChanged(writer: Writer, personId: string): Promise<void> {
    for (const to of this.#others()) await this.#sendPerson(writer, to, personId);
  }

  /**
   * Tells the others how a field now is, in the transaction that made it so: for each of them one message, with the copies
   * of a new value for the slots of its companies.
   */
  async fieldChanged(
    writer: Writer,
    row: PersonFieldRow,
    copies: readonly { readonly slot: SlotElsewhere; readonly value: string }[] = [],
  ): Promise<void> {
    const others = this.#others();
    const reachable = new Set(others);
    for (const to of others) {
      const forRegion = copies
        // Of a company that is not known here yet only its own region knows the slot.
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

  /** Tells the others that a field is gone, in the transaction that deletes it. */
  async fieldDeleted(writer: Writer, personId: string, fieldId: string): Promise<void> {
    const body: FieldGoneBody = { person_id: personId, field_id: fieldId };
    await this.#deps.messages.sendToAll(writer, { kind: PersonMessage.fieldGone, subject: personId, body });
  }

  /**
   * Waits until a person is known here whose token shows that their home has let them in, at least as they then were: for
   * the moment between an act and the arrival of its message, and for regions that were added after they registered.
   * @param epoch of the token
   * @returns false when there is nothing to wait for
   * @throws {PlatformError} region.unavailable
   */
  async awaitPerson(personId: string, epoch: number): Promise<boolean> {
    const known = `${personId} ${epoch}`;
    let waiting = this.#introductions.get(known);
    if (waiting === undefined) {
      waiting = this.#await(personId, epoch).finally(() => this.#introductions.delete(known));
      this.#introductions.set(known, waiting);
    }
    await waiting;
    return true;
  }

  /** Sends another region all that it should know of a person; gives whether the person is at home here. */
  async introduce(to: string, personId: string): Promise<boolean> {
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

  async #await(personId: string, epoch: number): Promise<void> {
    const { reader } = this.#deps.database;
    const arrived = async () => {
      const [row] = await personHome(reader, personId);
      return row !== undefined && (row.region === null || row.epoch >= epoch);
    };
    if (await arrived()) return;
    const home = await this.#deps.directory.homeOf({ kind: 'person', id: personId });
    if (home === undefined || home === this.#deps.regions.own) return;
    this.#deps.log.debug({ person: personId, home }, 'a person is not known here as their token says');
    const answer = await this.#deps.peers.ask<{ home: boolean }>(
      { region: home },
      { method: 'POST', path: `/internal/people/${encodeURIComponent(personId)}/introduction` },
    );
    if (!answer.home) return;
    await pollUntil(this.#deps.timers, PATIENCE, arrived);
  }

  /** Waits until this region knows fields of a person in these versions or newer ones; returns whether it does in time. */
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
    { value: _sealedToThePerson, ...field }: PersonFieldRow,
    copies: readonly RemoteCopy[],
  ): Promise<void> {
    const body: FieldBody = { field, copies };
    await this.#deps.messages.send(writer, to, { kind: PersonMessage.field, subject: field.person_id, body });
  }
}
