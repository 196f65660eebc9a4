import { type CryptoKey, openText, parseFileEnvelope, sealValue, serializeWrapper } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { DocumentCheck, FileCopy, FileUpload, LiveSlot, PersonField } from '@symbolon/protocol';
import { type BinaryContent, contentOfEnvelope, noEntries } from '../data/binary-handle.ts';
import { type Api, path } from '../http/api.ts';
import { ConflictError, TransportError } from '../http/errors.ts';
import { type OnProgress, partOf, type Transfer } from '../http/progress.ts';
import { type Answer, jsonOf } from '../http/transport.ts';
import type { ConfirmedKeys } from '../known-keys/confirmed-keys.ts';
import { plaintextOf } from '../values/plaintext.ts';
import { liveSlots, usableSlots } from './edit-field.ts';

export type FileTools = {
  api: Pick<Api, 'json' | 'send' | 'done'>;
  keys: ConfirmedKeys;
  publicKey: () => string;
  /** @throws when the client cannot open anything */
  key: () => CryptoKey;
  fieldTypes: () => Promise<FieldTypeRegistry>;
};

/** What a file of the person holds. */
export type PersonFileContent = Pick<BinaryContent, 'files' | 'entries'>;

/** Files of the person: photos, documents, identity documents. */
export class PersonFiles {
  readonly #tools: FileTools;

  constructor(tools: FileTools) {
    this.#tools = tools;
  }

  /**
   * Gives a field its file, for the person and for every service that follows the field. A service whose changed key is not
   * confirmed keeps the former file.
   *
   * @param envelope the text of `buildPhotoEnvelope`, `buildFileEnvelope` or `buildPagesEnvelope`
   * @param options.onProgress called with the progress of all uploads together
   * @param options.plaintext the platform can read the file; only for a field that is not private
   * @throws ValueError for what is no file of the field's type; InvalidRequestError `contact_data.encryption_required`
   */
  async save(
    id: string,
    envelope: string,
    options: { plaintext?: boolean; onProgress?: OnProgress | undefined } = {},
  ): Promise<PersonField> {
    const { onProgress } = options;
    const { api, fieldTypes, publicKey } = this.#tools;
    const { type } = await api.json<PersonField>({ method: 'GET', path: path`/api/person/fields/${id}` });
    const plaintext = plaintextOf(type, envelope, await fieldTypes());
    const slots = await liveSlots(api, id);
    const usable = await usableSlots(this.#tools.keys, slots);
    const withheld = slots
      .filter((_, index) => !usable[index])
      .map((slot) => ({ ...of(slot), withheld: true as const }));
    if (options.plaintext) return this.#put(id, { file: plaintext, copies: withheld }, onProgress);
    const value = await sealed(plaintext, publicKey());
    const copies: FileCopy[] = [...withheld];
    const followed = slots.filter((_, index) => usable[index]);
    const count = followed.length + 1;
    for (const [at, slot] of followed.entries())
      copies.push(await this.#copy(slot, plaintext, partOf(onProgress, { at, count })));
    const last = partOf(onProgress, { at: count - 1, count });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#put(id, { value, copies }, last);
      } catch (error) {
        const isMissing = error instanceof ConflictError && error.errorKey === 'contact_data.copies_missing';
        if (!isMissing || attempt === ATTEMPTS) throw error;
        for (const slot of (error.details.missing ?? []) as LiveSlot[]) {
          const [isUsable] = await usableSlots(this.#tools.keys, [slot]);
          copies.push(isUsable ? await this.#copy(slot, plaintext) : { ...of(slot), withheld: true });
        }
      }
    }
  }

  /** Reads and opens the file of a field. @throws NotFoundError `contact_data.file_not_found` */
  async open(id: string, transfer?: Transfer): Promise<PersonFileContent> {
    const read = await this.#read(id, transfer);
    return typeof read === 'string' ? contentOfEnvelope(parseFileEnvelope(read)) : read;
  }

  /**
   * Has an identity document verified by the provider of the platform. The platform passes it on and keeps nothing of it; what
   * became of it is in {@link PersonFiles.verification}.
   *
   * @throws InvalidRequestError `verification.unsupported` where the platform has no provider; ServiceError
   * `verification.provider_unavailable`
   */
  async verify(id: string): Promise<DocumentCheck> {
    const read = await this.#read(id);
    const json = typeof read === 'string' ? { value: read } : {};
    return this.#tools.api.json({ method: 'POST', path: checkOf(id), json });
  }

  /** The verification that was begun last, as long as its result can be read. */
  async verification(id: string): Promise<DocumentCheck | undefined> {
    type Current = { check: DocumentCheck | null };
    const { check } = await this.#tools.api.json<Current>({ method: 'GET', path: checkOf(id) });
    return check ?? undefined;
  }

  /** Takes the file away from the person and from the services that follow the field. */
  delete(id: string): Promise<void> {
    return this.#tools.api.done({ method: 'DELETE', path: path`/api/person/fields/${id}/file` });
  }

  /** Uploads a file for one service, sealed; the act that answers a row names it within an hour. Gives its id. */
  async upload(plaintext: string, servicePublicKey: string, transfer?: Transfer): Promise<string> {
    const json = { value: await sealed(plaintext, servicePublicKey) };
    const { upload_id } = await this.#tools.api.json<FileUpload>({
      method: 'POST',
      path: '/api/person/files',
      json,
      ...transfer,
    });
    return upload_id;
  }

  /** Uploads the sealed file of a field for a service. A file in plaintext needs no upload. */
  async uploadOf(id: string, servicePublicKey: string): Promise<string> {
    const read = await this.#read(id);
    if (typeof read === 'string') return this.upload(read, servicePublicKey);
    throw new TransportError({
      errorKey: 'sdk.unexpected_answer',
      message: 'The file is not sealed any more.',
    });
  }

  async #copy(slot: LiveSlot, plaintext: string, onProgress?: OnProgress): Promise<FileCopy> {
    const upload_id = await this.upload(plaintext, slot.service_public_key, { onProgress });
    return { ...of(slot), upload_id };
  }

  #put(
    id: string,
    json: { value?: string; file?: string; copies: readonly FileCopy[] },
    onProgress: OnProgress | undefined,
  ): Promise<PersonField> {
    const address = path`/api/person/fields/${id}/file`;
    return this.#tools.api.json({ method: 'PUT', path: address, json, onProgress });
  }

  /** The text of a sealed envelope, or what a file in plaintext holds. */
  async #read(id: string, transfer?: Transfer): Promise<string | PersonFileContent> {
    const call = { method: 'GET', path: path`/api/person/fields/${id}/file`, accept: '*/*' } as const;
    return readFileAnswer(await this.#tools.api.send({ ...call, ...transfer }), this.#tools.key);
  }
}

/**
 * What a route of files answered to any type of content.
 * @param key is asked for where the file is sealed
 */
export async function openFileAnswer(answer: Answer, key: () => CryptoKey): Promise<PersonFileContent> {
  const read = await readFileAnswer(answer, key);
  return typeof read === 'string' ? contentOfEnvelope(parseFileEnvelope(read)) : read;
}

async function readFileAnswer(answer: Answer, key: () => CryptoKey): Promise<string | PersonFileContent> {
  const mimeType = answer.headers.get('content-type') ?? 'application/octet-stream';
  if (!/^application\/json\b/i.test(mimeType)) {
    return { files: [{ label: null, name: null, mimeType, bytes: answer.bytes }], entries: noEntries() };
  }
  const { encrypted, value } = (jsonOf(answer) ?? {}) as { encrypted?: unknown; value?: unknown };
  if (typeof value !== 'string') {
    const message = 'The shape of the file answer is not known.';
    throw new TransportError({ errorKey: 'sdk.unexpected_answer', message });
  }
  return encrypted === true ? openText(value, key()) : contentOfEnvelope(parseFileEnvelope(value));
}

const ATTEMPTS = 4;

const checkOf = (id: string) => path`/api/person/fields/${id}/verification/document`;

const of = ({ connection_id, request_field_id }: LiveSlot) => ({ connection_id, request_field_id });

async function sealed(plaintext: string, publicKey: string): Promise<string> {
  return serializeWrapper(await sealValue(plaintext, publicKey));
}
