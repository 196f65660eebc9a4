import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type CreatePersonFieldRequest,
  type LiveSlot,
  limits,
  type PersonField,
  type PersonFile,
  type UpdatePersonFieldRequest,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import { type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Outbox, RaisedEvent } from '../../../events/outbox.ts';
import type { Replication, SlotElsewhere } from '../../../events/replication.ts';
import type { MailedCodes } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { FieldFollowers, FollowingSlot } from '../ports.ts';
import { NO_ATTESTATION, readAttestation } from './attestations.ts';
import {
  type Copy,
  type Follower,
  isHere,
  isRemote,
  keyOf,
  pairCopies,
  parseCopy,
  toLiveSlot,
} from './copies.ts';
import {
  countFields,
  deleteField,
  fieldBytes,
  fieldOf,
  fileBytes,
  insertField,
  pageOfFields,
  updateField,
} from './store.ts';
import type { PersonFieldRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'config' | 'database' | 'ids'> {
  readonly registry: FieldTypeRegistry;
  readonly followers: FieldFollowers;
  readonly replication: Replication;
  readonly outbox: Outbox;
  readonly codes: MailedCodes<'verification_codes'>;
}

/** What a person keeps about themselves, each value sealed to their own key. */
export class Fields {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Oldest first. A page of large values ends early: the next one begins after its last field. */
  async list(
    personId: string,
    page: { after: string; most: number },
  ): Promise<{ fields: PersonField[]; total: number }> {
    const { reader } = this.#deps.database;
    const [rows, total] = await Promise.all([
      pageOfFields(reader, personId, page),
      countFields(reader, personId),
    ]);
    return { fields: rows.map(toPersonField), total };
  }

  /** @throws {PlatformError} contact_data.not_found */
  async get(personId: string, id: string): Promise<PersonField> {
    return toPersonField(await this.require(this.#deps.database.reader, personId, id));
  }

  /** @throws {PlatformError} contact_data.not_found unless the person has the field */
  async require(reader: Reader, personId: string, id: string): Promise<PersonFieldRow> {
    const row = await fieldOf(reader, personId, id);
    if (row === undefined) throw new PlatformError('contact_data.not_found');
    return row;
  }

  /**
   * @throws {PlatformError} contact_data.type_unknown, contact_data.files_unsupported, contact_data.usertype_forbidden,
   *   contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.value_too_large, contact_data.slug_taken,
   *   contact_data.limit_reached, account.storage_full
   */
  async create(personId: string, request: CreatePersonFieldRequest): Promise<PersonField> {
    // `plugin` is never a row of the registry, so it is refused as any unknown type is (wire 2.4).
    if (!this.#deps.registry.has(request.type)) throw new PlatformError('contact_data.type_unknown');
    const isFile = this.#deps.registry.isBinary(request.type);
    if (isFile && request.value !== undefined) throw new PlatformError('contact_data.files_unsupported');
    if (!isFile && request.value === undefined) {
      const issue = { path: '/value', message: 'is required' };
      throw new PlatformError('request.invalid', { details: { issues: [issue] } });
    }
    // A choice needs options, and a field has no options of its own.
    if (!this.#deps.registry.isRequestable(request.type))
      throw new PlatformError('contact_fields.type_unusable');
    if (request.usertype === 'company') throw new PlatformError('contact_data.usertype_forbidden');
    const now = this.#deps.clock.now();
    const row: PersonFieldRow = {
      person_id: personId,
      id: this.#deps.ids.uuid(),
      type: request.type,
      label: request.label,
      slug: request.slug,
      private: flag(request.private ?? false),
      usertype: request.usertype ?? 'person',
      value: isFile ? null : parseSealed(request.value),
      ...NO_ATTESTATION,
      created_at: now,
      updated_at: now,
      version: 1,
    };
    await writeLocked(this.#deps.database, 'persons', personId, async (writer) => {
      if ((await countFields(writer, personId)) >= limits.personFieldsMost) {
        throw new PlatformError('contact_data.limit_reached');
      }
      if (!(await insertField(writer, row))) throw new PlatformError('contact_data.slug_taken');
      await this.checkRoom(writer, personId);
      await this.#deps.replication.fieldChanged(writer, row);
    });
    return toPersonField(row);
  }

  /** Called after the write that needs the room, which is undone with its transaction. @throws account.storage_full */
  async checkRoom(writer: Writer, personId: string): Promise<void> {
    const { personStorageBytes, personFilesBytes } = this.#deps.config;
    for (const [most, bytesOf] of [
      [personStorageBytes, fieldBytes],
      [personFilesBytes, fileBytes],
    ] as const) {
      if (most > 0 && (await bytesOf(writer, personId)) > most)
        throw new PlatformError('account.storage_full', { details: { most } });
    }
  }

  /** Where copies of the field's value must go. @throws {PlatformError} contact_data.not_found */
  async slots(personId: string, id: string): Promise<LiveSlot[]> {
    const { reader } = this.#deps.database;
    const { version } = await this.require(reader, personId, id);
    return (await this.#followers(reader, id)).map((slot) => toLiveSlot(slot, version));
  }

  /** Every slot that follows a field, wherever it is, once. */
  async #followers(reader: Reader, id: string): Promise<readonly Follower[]> {
    let elsewhere = await this.#deps.replication.slotsElsewhere(reader, id);
    let here: readonly FollowingSlot[] = await this.#deps.followers.of(reader, id);
    // A company may move between the two reads; its slots must not be missed.
    for (;;) {
      const again = await this.#deps.replication.slotsElsewhere(reader, id);
      if (namesOf(again) === namesOf(elsewhere)) break;
      elsewhere = again;
      here = await this.#deps.followers.of(reader, id);
    }
    if (elsewhere.length === 0) return here;
    // A slot that is answered again has two registrations for a moment.
    return [...new Map([...elsewhere, ...here].map((slot) => [keyOf(slot), slot])).values()].sort(
      (one, other) => (one.connection_id < other.connection_id ? -1 : 1),
    );
  }

  /**
   * Changes a field. A new value comes with one sealed copy for every slot that follows the field, and all of them are
   * stored and notified in one act; its attestation, which was for the value before, ends. A slot that is named as withheld
   * keeps its former value, with the attestation of that one, and raises no event.
   * @throws {PlatformError} contact_data.not_found, contact_data.copies_missing, contact_data.copies_unexpected,
   *   contact_data.encryption_required, contact_data.wrapper_invalid, contact_data.value_too_large, account.storage_full
   */
  async update(personId: string, id: string, request: UpdatePersonFieldRequest): Promise<PersonField> {
    const value = request.value === undefined ? undefined : parseSealed(request.value);
    if (value === undefined && request.copies !== undefined) {
      throw new PlatformError('request.invalid', {
        details: { issues: [{ path: '/copies', message: 'needs the value they are copies of' }] },
      });
    }
    const copies = (request.copies ?? []).map(parseCopy);
    return writeLocked(this.#deps.database, 'persons', personId, async (writer) => {
      const before = await this.require(writer, personId, id);
      const after: PersonFieldRow = {
        ...before,
        label: request.label ?? before.label,
        private: request.private === undefined ? before.private : flag(request.private),
        updated_at: this.#deps.clock.now(),
      };
      if (value !== undefined && this.#deps.registry.isBinary(before.type))
        throw new PlatformError('contact_data.files_unsupported');
      // A file in plaintext is the person's choice for a field that is not private.
      const { form = 'sealed' } = storedFile(before.value) ?? {};
      if (after.private === 1 && form !== 'sealed')
        throw new PlatformError('contact_data.encryption_required');
      return this.store(
        writer,
        { before, after },
        value === undefined ? undefined : { value, copies: () => copies },
      );
    });
  }

  /**
   * Stores a changed field, with its new value if it has one, in the caller's transaction, which holds the person's lock.
   * @param replaced.copies of the value for the slots that follow the field
   * @throws {PlatformError} contact_data.copies_missing, contact_data.copies_unexpected, account.storage_full
   */
  async store(
    writer: Writer,
    { before, after }: { before: PersonFieldRow; after: PersonFieldRow },
    replaced?: { value: string; copies: (slots: readonly Follower[]) => readonly Copy[] },
  ): Promise<PersonField> {
    const { person_id: personId, id } = before;
    let events: RaisedEvent[] = [];
    let remote: { slot: SlotElsewhere; value: string }[] = [];
    if (replaced !== undefined) {
      after.value = replaced.value;
      Object.assign(after, NO_ATTESTATION);
      after.version = before.version + 1;
      const slots = await this.#followers(writer, id);
      const pairs = pairCopies(slots, replaced.copies(slots), before.version);
      remote = pairs.filter(isRemote);
      events = await this.#deps.followers.save(
        writer,
        { personId, version: after.version },
        pairs.filter(isHere),
      );
      // A mailed code is for the old value. Only addresses have one.
      if (this.#deps.registry.accepts('email', before.type))
        await this.#deps.codes.delete(writer, { person_id: personId, field_id: id });
    }
    if (after.private !== before.private) await this.#deps.followers.setPrivate(writer, id, after.private);
    await updateField(writer, before, {
      label: after.label,
      private: after.private,
      value: after.value,
      verification: after.verification,
      verified_name: after.verified_name,
      updated_at: after.updated_at,
      version: after.version,
    });
    if (sizeOf(after.value) > sizeOf(before.value)) await this.checkRoom(writer, personId);
    await this.#deps.replication.fieldChanged(writer, after, remote);
    await this.#deps.outbox.raise(writer, events);
    return toPersonField(after);
  }

  /**
   * Gives a field an attestation, or takes it away, with the slots that have the field's value. The caller's transaction holds
   * the person's lock.
   */
  async attest(
    writer: Writer,
    before: PersonFieldRow,
    attested: Pick<PersonFieldRow, 'verification' | 'verified_name'>,
  ): Promise<PersonFieldRow> {
    const changes = { ...attested, updated_at: this.#deps.clock.now() };
    await updateField(writer, before, changes);
    const { person_id: personId, id: fieldId, version } = before;
    const events = await this.#deps.followers.attest(
      writer,
      { personId, fieldId, version },
      attested.verification,
    );
    const after = { ...before, ...changes };
    await this.#deps.replication.fieldChanged(writer, after);
    await this.#deps.outbox.raise(writer, events);
    return after;
  }

  /**
   * Takes the file of a field away, with the slots that follow it.
   * @throws {PlatformError} contact_data.not_found, contact_data.file_not_found, contact_data.mandatory
   */
  async dropFile(personId: string, id: string): Promise<void> {
    await writeLocked(this.#deps.database, 'persons', personId, async (writer) => {
      const before = await this.require(writer, personId, id);
      if (storedFile(before.value) === undefined) throw new PlatformError('contact_data.file_not_found');
      if ((await this.#followers(writer, id)).some(isMandatory)) {
        throw new PlatformError('contact_data.mandatory');
      }
      const events = await this.#deps.followers.drop(writer, { personId, fieldId: id });
      const after: PersonFieldRow = {
        ...before,
        value: null,
        ...NO_ATTESTATION,
        version: before.version + 1,
        updated_at: this.#deps.clock.now(),
      };
      const { value, version, updated_at } = after;
      await updateField(writer, before, { value, version, updated_at, ...NO_ATTESTATION });
      // Other regions drop the slots with the field, and learn of it again without a file.
      await this.#deps.replication.fieldDeleted(writer, personId, id);
      await this.#deps.replication.fieldChanged(writer, after);
      await this.#deps.outbox.raise(writer, events);
    });
  }

  /**
   * Deletes a field with the slots that follow it. One-time answers stay.
   * @throws {PlatformError} contact_data.not_found, contact_data.mandatory
   */
  async delete(personId: string, id: string): Promise<void> {
    await writeLocked(this.#deps.database, 'persons', personId, async (writer) => {
      await this.require(writer, personId, id);
      if ((await this.#followers(writer, id)).some(isMandatory)) {
        throw new PlatformError('contact_data.mandatory');
      }
      const events = await this.#deps.followers.drop(writer, { personId, fieldId: id });
      await this.#deps.codes.delete(writer, { person_id: personId, field_id: id });
      await deleteField(writer, personId, id);
      await this.#deps.replication.fieldDeleted(writer, personId, id);
      await this.#deps.outbox.raise(writer, events);
    });
  }
}

const namesOf = (slots: readonly SlotElsewhere[]) => slots.map((slot) => slot.registration).join();

/** Whether the field cannot be deleted while the slot exists. */
const isMandatory = (slot: Follower): boolean =>
  'registration' in slot
    ? slot.mandatory === 1
    : slot.mandatory_connected === 1 && slot.audience !== 'company';

/** What a value takes of the person's storage. */
const sizeOf = (value: string | null) => storedFile(value)?.bytes ?? value?.length ?? 0;

function toPersonFile({ hash, bytes, form, type }: StoredFile): PersonFile {
  return {
    sha256: hash,
    bytes,
    sealed: form === 'sealed',
    ...(type === undefined ? {} : { content_type: type }),
  };
}

export function toPersonField(row: PersonFieldRow): PersonField {
  const file = storedFile(row.value);
  return {
    id: row.id,
    type: row.type,
    label: row.label,
    slug: row.slug,
    private: row.private === 1,
    usertype: row.usertype,
    value: file === undefined ? row.value : null,
    ...(file === undefined ? {} : { file: toPersonFile(file) }),
    ...readAttestation(row.verification),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
