import { lock, type Writer } from '../../../db/database.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { PersonFieldRow, PersonRow } from '../../identity/index.ts';
import { companyHomes, deleteField, fieldOf } from '../../identity/index.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import type { MessageHandler, RegionMessages } from '../messages/index.ts';
import {
  type CopiesBody,
  type FieldBody,
  type FieldGoneBody,
  type PersonBody,
  PersonMessage,
  type RemoteCopy,
} from './replica-messages.ts';
import { type PersonReplica, putField, putPerson, replaceCodes } from './store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly messages: RegionMessages;
  readonly liveSlots: LiveSlots;
  readonly outbox: Outbox;
}

/** Applies what the homes of people at home elsewhere tell this region. */
export class ReplicaReceiver {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { messages } = deps;
    messages.handle(PersonMessage.person, (writer, message) => this.#takePerson(writer, message));
    messages.handle(PersonMessage.field, (writer, message) => this.#takeField(writer, message));
    messages.handle(PersonMessage.fieldGone, (writer, message) => this.#takeFieldGone(writer, message));
    messages.handle(PersonMessage.copies, (writer, message) => this.#takeCopies(writer, message));
  }

  async #takePerson(writer: Writer, { from, body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { person, codes } = body as PersonBody;
    await putPerson(writer, replicaRow(person, from));
    await replaceCodes(writer, person.id, codes);
  }

  async #takeField(writer: Writer, { body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { field, copies } = body as FieldBody;
    await lock(this.#deps.database.engine, writer, 'persons', [field.person_id]);
    const before = await fieldOf(writer, field.person_id, field.id);
    await putField(writer, { ...field, value: null });
    const here = await this.#copiesHere(writer, field, copies);
    const events = await this.#deps.liveSlots.follow(writer, { before, after: field, copies: here });
    await this.#refuseDepartures(writer, here);
    await this.#deps.outbox.raise(writer, events);
  }

  async #takeCopies(writer: Writer, { body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { person_id: personId, field_id: id, version, copies } = body as CopiesBody;
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
    const { person_id: personId, field_id: fieldId } = body as FieldGoneBody;
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
      const body: CopiesBody = {
        person_id: field.person_id,
        field_id: field.id,
        version: field.version,
        copies: forRegion,
      };
      await this.#deps.messages.send(writer, to, {
        kind: PersonMessage.copies,
        subject: field.person_id,
        body,
      });
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
