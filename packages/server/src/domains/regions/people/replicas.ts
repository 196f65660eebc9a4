import type { FastifyBaseLogger } from 'fastify';
import type { Timers } from '../../../core/timers.ts';
import { type Database, lock, type Writer } from '../../../db/database.ts';
import { writesPaused } from '../../../db/held.ts';
import type { Outbox } from '../../../events/outbox.ts';
import { deleteField, fieldOf, fieldsOf } from '../../identity/fields/own-fields.ts';
import type { PersonFieldRow } from '../../identity/fields/tables.ts';
import type { PersonRow } from '../../identity/people/tables.ts';
import type { FieldCopy, LiveSlots } from '../../sharing/connections/live-slots.ts';
import { companyHomes } from '../directory/company-homes.ts';
import type { Directory } from '../directory/directory.ts';
import type { Peers } from '../directory/peers.ts';
import type { Regions } from '../directory/regions.ts';
import type { MessageHandler, RegionMessages } from '../messages/messages.ts';
import {
  type CodeReplica,
  codesOf,
  type FieldReplica,
  homePerson,
  type KnownRemoteSlot,
  type PersonReplica,
  personHome,
  putField,
  putPerson,
  replaceCodes,
} from './store.ts';

const PERSON = 'person';
const FIELD = 'person_field';
const FIELD_GONE = 'person_field_gone';
const COPIES = 'person_copies';

interface PersonMessage {
  readonly person: PersonReplica;
  readonly codes: readonly CodeReplica[];
}

/** A copy of a field's value, sealed for the service of a slot in another region. */
export interface RemoteCopy extends FieldCopy {
  readonly company_id: string;
}

interface FieldMessage {
  readonly field: FieldReplica;
  readonly copies: readonly RemoteCopy[];
}

/** Copies whose slot had moved on with its company. */
interface CopiesMessage {
  readonly person_id: string;
  readonly field_id: string;
  readonly version: number;
  readonly copies: readonly RemoteCopy[];
}

interface FieldGoneMessage {
  readonly person_id: string;
  readonly field_id: string;
}

/** How long somebody's home is waited for who is not known here yet. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 25;

interface Deps {
  readonly database: Database;
  readonly regions: Regions;
  readonly directory: Directory;
  /** Left out, like the peers, with one region. */
  readonly messages: RegionMessages | undefined;
  readonly peers: Peers | undefined;
  readonly liveSlots: LiveSlots;
  readonly outbox: Outbox;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
}

/**
 * What every region knows of a person: who they are, and their fields without the values. The home alone writes; it tells
 * the others in the transaction of each change, and they do the same with the slots that are theirs. With one region nobody
 * is told.
 */
export class PersonReplicas {
  readonly #deps: Deps;
  readonly #introductions = new Map<string, Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#deps.messages?.handle(PERSON, (writer, message) => this.#takePerson(writer, message));
    this.#deps.messages?.handle(FIELD, (writer, message) => this.#takeField(writer, message));
    this.#deps.messages?.handle(FIELD_GONE, (writer, message) => this.#takeFieldGone(writer, message));
    this.#deps.messages?.handle(COPIES, (writer, message) => this.#takeCopies(writer, message));
  }

  /** Tells the others how a person of this region now is, in the transaction that made it so. */
  async person(writer: Writer, personId: string): Promise<void> {
    for (const to of this.#others()) await this.#sendPerson(writer, to, personId);
  }

  /**
   * Tells the others how a field now is, in the transaction that made it so: for each of them one message, with the copies
   * of a new value for the slots of its companies.
   */
  async field(
    writer: Writer,
    row: PersonFieldRow,
    copies: readonly { slot: KnownRemoteSlot; value: string }[] = [],
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
  async fieldGone(writer: Writer, personId: string, fieldId: string): Promise<void> {
    const body: FieldGoneMessage = { person_id: personId, field_id: fieldId };
    await this.#deps.messages?.sendToAll(writer, { kind: FIELD_GONE, subject: personId, body });
  }

  /**
   * Waits until a person is known here whose token shows that their home has let them in, at least as they then were: for
   * the moment between an act and the arrival of its message, and for regions that were added after they registered.
   * @param epoch of the token
   * @returns false when there is nothing to wait for
   * @throws {PlatformError} region.unavailable
   */
  async await(personId: string, epoch: number): Promise<boolean> {
    if (this.#deps.peers === undefined) return false;
    const known = `${personId} ${epoch}`;
    let waiting = this.#introductions.get(known);
    if (waiting === undefined) {
      waiting = this.#await(this.#deps.peers, personId, epoch).finally(() =>
        this.#introductions.delete(known),
      );
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
    return this.#deps.messages === undefined ? [] : [...this.#deps.regions.others].sort();
  }

  async #await(peers: Peers, personId: string, epoch: number): Promise<void> {
    const { reader } = this.#deps.database;
    const arrived = async () => {
      const [row] = await personHome(reader, personId);
      return row !== undefined && (row.region === null || row.epoch >= epoch);
    };
    if (await arrived()) return;
    const home = await this.#deps.directory.homeOf({ kind: 'person', id: personId });
    if (home === undefined || home === this.#deps.regions.own) return;
    this.#deps.log.debug({ person: personId, home }, 'a person is not known here as their token says');
    const answer = await peers.ask<{ home: boolean }>(
      { region: home },
      { method: 'POST', path: `/internal/people/${encodeURIComponent(personId)}/introduction` },
    );
    if (!answer.home) return;
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await arrived()) && performance.now() < deadline) {
      await new Promise<void>((resolve) => {
        this.#deps.timers.after(LOOK_MS, resolve);
      });
    }
  }

  async #sendPerson(writer: Writer, to: string, personId: string): Promise<boolean> {
    const person = await homePerson(writer, personId);
    if (person === undefined) return false;
    const body: PersonMessage = { person, codes: await codesOf(writer, personId) };
    await this.#deps.messages?.send(writer, to, { kind: PERSON, subject: personId, body });
    return true;
  }

  async #sendField(
    writer: Writer,
    to: string,
    { value: _sealedToThePerson, ...field }: PersonFieldRow,
    copies: readonly RemoteCopy[],
  ): Promise<void> {
    const body: FieldMessage = { field, copies };
    await this.#deps.messages?.send(writer, to, { kind: FIELD, subject: field.person_id, body });
  }

  async #takePerson(writer: Writer, { from, body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { person, codes } = body as PersonMessage;
    await putPerson(writer, replicaRow(person, from));
    await replaceCodes(writer, person.id, codes);
  }

  async #takeField(writer: Writer, { body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { field, copies } = body as FieldMessage;
    await lock(this.#deps.database.engine, writer, 'persons', [field.person_id]);
    const before = await fieldOf(writer, field.person_id, field.id);
    await putField(writer, { ...field, value: null });
    const here = await this.#copiesHere(writer, field, copies);
    const events = await this.#deps.liveSlots.follow(writer, { before, after: field, copies: here });
    await this.#refuseDepartures(writer, here);
    await this.#deps.outbox.raise(writer, events);
  }

  async #takeCopies(writer: Writer, { body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { person_id: personId, field_id: id, version, copies } = body as CopiesMessage;
    await lock(this.#deps.database.engine, writer, 'persons', [personId]);
    const field = await fieldOf(writer, personId, id);
    if (field === undefined) return;
    // What attests another value does not attest this one.
    const after = { ...field, version, verification: field.version === version ? field.verification : null };
    const here = await this.#copiesHere(writer, after, copies);
    const events = await this.#deps.liveSlots.follow(writer, {
      before: after,
      after,
      copies: here,
      late: true,
    });
    await this.#refuseDepartures(writer, here);
    await this.#deps.outbox.raise(writer, events);
  }

  async #takeFieldGone(writer: Writer, { body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { person_id: personId, field_id: fieldId } = body as FieldGoneMessage;
    await lock(this.#deps.database.engine, writer, 'persons', [personId]);
    const events = await this.#deps.liveSlots.drop(writer, { personId, fieldId });
    await deleteField(writer, personId, fieldId);
    await this.#deps.outbox.raise(writer, events);
  }

  /**
   * A company that left while its slots were looked for may have taken them along: the message is taken in once more, and
   * its copies are sent after it.
   * @throws {PlatformError} db.writes_paused
   */
  async #refuseDepartures(writer: Writer, here: readonly RemoteCopy[]): Promise<void> {
    const homes = await this.#homesOf(writer, here);
    if ([...homes.values()].some((home) => home !== null)) throw writesPaused();
  }

  /** Where the companies of copies are at home. */
  #homesOf(writer: Writer, copies: readonly RemoteCopy[]): Promise<Map<string, string | null>> {
    return companyHomes(
      this.#deps.database.engine,
      writer,
      copies.map((copy) => copy.company_id),
    );
  }

  /**
   * The copies for slots of companies at home here. Those of companies that have moved on are sent after them; of a company
   * that is not known here nothing can be said, and it is another region's.
   */
  async #copiesHere(
    writer: Writer,
    field: Pick<PersonFieldRow, 'person_id' | 'id' | 'version'>,
    copies: readonly RemoteCopy[],
  ): Promise<RemoteCopy[]> {
    const homes = await this.#homesOf(writer, copies);
    const away = copies.filter((copy) => (homes.get(copy.company_id) ?? null) !== null);
    for (const [to, forRegion] of Map.groupBy(away, (copy) => homes.get(copy.company_id) ?? '')) {
      const body: CopiesMessage = {
        person_id: field.person_id,
        field_id: field.id,
        version: field.version,
        copies: forRegion,
      };
      await this.#deps.messages?.send(writer, to, { kind: COPIES, subject: field.person_id, body });
    }
    return copies.filter((copy) => homes.get(copy.company_id) === null);
  }
}

/** Somebody at home elsewhere signs in there alone; the address is unique, as a row's must be, and none. */
function replicaRow(person: PersonReplica, region: string): PersonRow {
  return {
    ...person,
    region,
    email: person.id,
    key_salt: '',
    login_hash: '',
    encrypted_private_key: '',
    recovery_hash: '',
    recovery_private_key: '',
  };
}
