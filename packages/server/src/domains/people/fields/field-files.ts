import type { FieldTypeRegistry } from '@symbolon/field-types';
import { type FileCopy, type FileUpload, limits, type PersonField } from '@symbolon/protocol';
import { decodeFile } from '../../../core/base64.ts';
import type { StoredBlob } from '../../../core/blobs.ts';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { fileText, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { Copy, Follower } from './copies.ts';
import type { Fields } from './fields.ts';
import { filesIn, readEnvelope } from './file-envelope.ts';
import { insertUpload, takeUploads } from './upload-store.ts';
import { sealedFile, type Uploads } from './uploads.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly registry: FieldTypeRegistry;
  readonly blobs: Blobs;
  readonly fields: Fields;
  readonly uploads: Uploads;
}

/** A file as it was sent: sealed to a key, or in plaintext. */
interface SentFile {
  readonly value?: LargeText | undefined;
  readonly file?: LargeText | undefined;
}

type Kept = Omit<StoredFile, 'id'>;

/** The files of a person's fields, and the copies of them that wait for the act that names them. */
export class FieldFiles {
  readonly #deps: Deps;
  /** A file in plaintext is checked in memory, in turns with those of other people. */
  readonly #checks = new FairTurns({
    perParty: 1,
    inAll: 2,
    waitingMost: 4,
    waitingInAll: 16,
    busy: 'platform.busy',
  });

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Keeps a sealed file until an act names it: a connection, a consent, an edit.
   * @throws {PlatformError} contact_data.wrapper_invalid, contact_data.uploads_limit, account.storage_full
   */
  upload(personId: string, value: LargeText): Promise<FileUpload> {
    const { fields, uploads } = this.#deps;
    const checkRoom = (writer: Writer) => fields.checkRoom(writer, personId);
    return uploads.keep({ table: 'persons', id: personId, checkRoom }, value);
  }

  /**
   * Gives a field its file, with the copies for the slots that follow it, in one act. Of a file in plaintext the slots get
   * the same bytes.
   * @throws {PlatformError} contact_data.not_found, contact_data.not_a_file, contact_data.encryption_required,
   *   contact_data.value_invalid, contact_data.file_too_large, contact_data.upload_not_found, and what `Fields.store` throws
   */
  async put(
    personId: string,
    id: string,
    { value, file, copies = [] }: SentFile & { readonly copies?: readonly FileCopy[] | undefined },
  ): Promise<PersonField> {
    const { blobs, clock, database, fields, ids, registry } = this.#deps;
    if ((value === undefined) === (file === undefined)) {
      const issue = { path: '/value', message: 'either value or file is required' };
      throw new PlatformError('request.invalid', { details: { issues: [issue] } });
    }
    const { type, private: isPrivate } = await fields.require(database.reader, personId, id);
    if (!registry.isBinary(type)) throw new PlatformError('contact_data.not_a_file');
    if (file !== undefined && isPrivate === 1) throw new PlatformError('contact_data.encryption_required');
    const kept =
      value === undefined
        ? await this.#keepPlain(personId, type, file as LargeText)
        : await sealedFile(value);
    return writeLocked(database, 'persons', personId, async (writer) => {
      const before = await fields.require(writer, personId, id);
      // The field may have become private meanwhile.
      if (before.private === 1 && kept.form !== 'sealed')
        throw new PlatformError('contact_data.encryption_required');
      await blobs.holdOn(writer, kept.hash);
      const named = copies.flatMap(({ upload_id }) => (upload_id === undefined ? [] : [upload_id]));
      const uploads = await takeUploads(writer, personId, named, clock.now());
      const after = { ...before, updated_at: clock.now() };
      const own = () => fileText({ id: ids.uuid(), ...kept });
      let followers: readonly Follower[] = [];
      const saved = await fields.store(
        writer,
        { before, after },
        {
          value: own(),
          copies: (slots) => {
            followers = slots;
            return [
              ...copies.map((copy, index) => readCopy(copy, index, uploads)),
              ...(kept.form === 'sealed'
                ? []
                : unnamed(slots, copies).map((slot) => ({ ...slot, value: own() }))),
            ];
          },
        },
      );
      await this.#keepForOthers(writer, personId, { copies, uploads, followers });
      return saved;
    });
  }

  /** @throws {PlatformError} contact_data.not_found, contact_data.file_not_found */
  async get(personId: string, id: string): Promise<StoredFile> {
    const { database, fields } = this.#deps;
    const file = storedFile((await fields.require(database.reader, personId, id)).value);
    if (file === undefined) throw new PlatformError('contact_data.file_not_found');
    return file;
  }

  open(file: StoredFile): Promise<StoredBlob> {
    return this.#deps.blobs.open(file.hash);
  }

  /** Keeps the copies for slots in other regions until those have fetched them. */
  async #keepForOthers(
    writer: Writer,
    personId: string,
    edit: {
      copies: readonly FileCopy[];
      uploads: ReadonlyMap<string, StoredFile>;
      followers: readonly Follower[];
    },
  ): Promise<void> {
    const elsewhere = edit.followers.filter((slot) => 'registration' in slot);
    for (const copy of edit.copies) {
      const file = copy.upload_id === undefined ? undefined : edit.uploads.get(copy.upload_id);
      if (file === undefined || !elsewhere.some((slot) => sameSlot(copy, slot))) continue;
      await insertUpload(writer, {
        id: file.id,
        customer_id: personId,
        value: fileText(file),
        bytes: file.bytes,
        expires_at: this.#deps.clock.now() + limits.fileTravelMs,
      });
    }
  }

  /** @throws {PlatformError} contact_data.value_invalid, contact_data.file_too_large, platform.busy */
  #keepPlain(personId: string, type: string, text: LargeText): Promise<Kept> {
    const { blobs, registry } = this.#deps;
    return this.#checks.run(personId, async () => {
      const envelope = (await text.read()).toString();
      const members = readEnvelope(registry, type, envelope);
      const resolved = registry.resolve(type);
      if (resolved?.input === 'pages' || (resolved?.fields ?? []).length > 0) {
        const bytes = Buffer.from(JSON.stringify(members));
        return { hash: await blobs.keep(bytes), bytes: bytes.length, form: 'envelope' };
      }
      const [uri = ''] = filesIn(members);
      const bytes = await decodeFile(uri.slice(uri.indexOf(',') + 1));
      if (bytes === undefined) throw new PlatformError('contact_data.value_invalid');
      return { hash: await blobs.keep(bytes), bytes: bytes.length, form: 'raw', type: servedType(uri) };
    });
  }
}

/** The content type of a raw file: clients take every type with these letters for an answer in JSON or XML (wire 4.3). */
function servedType(uri: string): string {
  const [, type = ''] = /^data:([^;,]+)/i.exec(uri.slice(0, 200)) ?? [];
  const plain = type.trim().toLowerCase();
  return plain === '' || /json|xml/.test(plain) ? 'application/octet-stream' : plain;
}

const sameSlot = (one: Pick<FileCopy, 'connection_id' | 'request_field_id'>, other: typeof one) =>
  one.connection_id === other.connection_id && one.request_field_id === other.request_field_id;

/** The slots for which no copy is named. */
function unnamed(slots: readonly Follower[], copies: readonly FileCopy[]) {
  return slots.filter((slot) => !copies.some((copy) => sameSlot(copy, slot)));
}

/** @throws {PlatformError} request.invalid, contact_data.upload_not_found */
function readCopy(
  { connection_id, request_field_id, upload_id, withheld }: FileCopy,
  index: number,
  uploads: ReadonlyMap<string, StoredFile>,
): Copy {
  if ((upload_id === undefined) === (withheld === undefined)) {
    const issue = { path: `/copies/${index}`, message: 'needs either an upload_id or withheld' };
    throw new PlatformError('request.invalid', { details: { issues: [issue] } });
  }
  const upload = upload_id === undefined ? undefined : uploads.get(upload_id);
  if (upload_id !== undefined && upload === undefined)
    throw new PlatformError('contact_data.upload_not_found');
  const slot = { connection_id, request_field_id };
  return { ...slot, value: upload && fileText(upload) };
}
