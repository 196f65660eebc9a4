import { lock, type Writer } from '../../../db/database.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Outbox } from '../../../events/outbox.ts';
import { NO_SECOND_FACTOR } from '../../accounts/index.ts';
import { companyHomes } from '../../companies/index.ts';
import type { Core } from '../../domain.ts';
import {
  deleteField,
  fieldOf,
  type PersonDeletion,
  type PersonFieldRow,
  type PersonRow,
} from '../../people/index.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import type { MessageHandler, MessageQueue } from '../messages/message-queue.ts';
import type { RemoteFiles } from './remote-files.ts';
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
  readonly messages: MessageQueue;
  readonly liveSlots: LiveSlots;
  readonly outbox: Outbox;
  readonly personDeletion: PersonDeletion;
  readonly remoteFiles: RemoteFiles;
}

/** Applies what other regions send about their people. */
export class ReplicaReceiver {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  receive(): void {
    const { messages, personDeletion, remoteFiles } = this.#deps;
    messages.handle(PersonMessage.person, (writer, message) => this.#takePerson(writer, message));
    messages.handle(PersonMessage.gone, (writer, { subject }) =>
      personDeletion.deletedElsewhere(writer, subject),
    );
    messages.handle(
      PersonMessage.field,
      (writer, message) => this.#takeField(writer, message),
      async ({ body }) => {
        const { field, copies } = body as FieldBody;
        const named = { personId: field.person_id, fieldId: field.id };
        return { field, copies: await remoteFiles.prepare(named, copies) } satisfies FieldBody;
      },
    );
    messages.handle(PersonMessage.fieldGone, (writer, message) => this.#takeFieldGone(writer, message));
    messages.handle(
      PersonMessage.copies,
      (writer, message) => this.#takeCopies(writer, message),
      async ({ body }) => {
        const sent = body as CopiesBody;
        const named = { personId: sent.person_id, fieldId: sent.field_id };
        return { ...sent, copies: await remoteFiles.prepare(named, sent.copies) } satisfies CopiesBody;
      },
    );
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
    await this.#deps.remoteFiles.applied(writer, field.person_id, here);
    const events = await this.#deps.liveSlots.follow(writer, { before, after: field, copies: here });
    await this.#refuseDepartures(writer, here);
    await this.#deps.outbox.raise(writer, events);
  }

  async #takeCopies(writer: Writer, { body }: Parameters<MessageHandler>[1]): Promise<void> {
    const { person_id: personId, field_id: id, version, copies } = body as CopiesBody;
    await lock(this.#deps.database.engine, writer, 'persons', [personId]);
    const field = await fieldOf(writer, personId, id);
    if (field === undefined) return;
    // A verification is for one value: it must not be kept for another version.
    const after = { ...field, version, verification: field.version === version ? field.verification : null };
    const here = await this.#copiesHere(writer, after, copies);
    await this.#deps.remoteFiles.applied(writer, personId, here);
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
   * Refuses the message when a company moved away while its slots were being read: they may have moved with it. The message
   * is applied again later, and its copies follow the company.
   * @throws {PlatformError} db.writes_paused
   */
  async #refuseDepartures(writer: Writer, here: readonly RemoteCopy[]): Promise<void> {
    const homes = await this.#homesOf(writer, here);
    if ([...homes.values()].some((home) => home !== null)) throw writesPaused();
  }

  /** The homes of the companies of copies; null for this region. */
  #homesOf(writer: Writer, copies: readonly RemoteCopy[]): Promise<Map<string, string | null>> {
    return companyHomes(
      this.#deps.database.engine,
      writer,
      copies.map((copy) => copy.company_id),
    );
  }

  /**
   * The copies for slots of companies of this region. Copies for a company that has moved away are sent to its new home;
   * copies for an unknown company are another region's.
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

/** A replica has no secrets and cannot sign in. Its e-mail column must be unique, so it takes the id. */
function replicaRow(person: PersonReplica, region: string): PersonRow {
  return {
    ...person,
    region,
    deleted_at: null,
    ...NO_SECOND_FACTOR,
    email: person.id,
    login_version: 1,
    login_salt: '',
    login_hash: '',
    encrypted_private_key: '',
    recovery_hash: '',
    recovery_private_key: '',
  };
}
