import { type FileUpload, limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { clearsIn, PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { fileText, type StoredFile } from '../../../core/stored-file.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import { fullUntil, insertUpload, uploadBytes } from './upload-store.ts';

interface Deps extends Pick<Core, 'clock' | 'config' | 'database' | 'ids'> {
  readonly blobs: Blobs;
}

/** Whose upload it is. */
interface Uploader {
  readonly table: 'persons' | 'companies';
  readonly id: string;
  /** Called after the write that needs the room. @throws account.storage_full */
  checkRoom(writer: Writer): Promise<void>;
}

/** Sealed files of people and companies that wait for the act that names them: a connection, a consent, an edit. */
export class Uploads {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} contact_data.wrapper_invalid, contact_data.uploads_limit, account.storage_full */
  async keep(by: Uploader, value: LargeText): Promise<FileUpload> {
    const { blobs, clock, database, ids } = this.#deps;
    const kept = await sealedFile(value);
    const id = ids.uuid();
    const expiresAt = clock.now() + limits.fileUploadMs;
    await writeLocked(database, by.table, by.id, async (writer) => {
      const until = await fullUntil(writer, by.id, limits.fileUploadsMost);
      if (until !== undefined)
        throw new PlatformError('contact_data.uploads_limit', { details: clearsIn(until - clock.now()) });
      await blobs.holdOn(writer, kept.hash);
      const row = { customer_id: by.id, value: fileText({ id, ...kept }), bytes: kept.bytes };
      await insertUpload(writer, { id, ...row, expires_at: expiresAt });
      await by.checkRoom(writer);
    });
    return { upload_id: id, sha256: kept.hash, bytes: kept.bytes, expires_at: isoTime(expiresAt) };
  }

  /**
   * An upload of a company. All that wait may take as much room as the files of a person.
   * @throws {PlatformError} contact_data.wrapper_invalid, contact_data.uploads_limit, account.storage_full
   */
  ofCompany(companyId: string, value: LargeText): Promise<FileUpload> {
    const most = this.#deps.config.personFilesBytes;
    const checkRoom = async (writer: Writer) => {
      if (most > 0 && (await uploadBytes(writer, companyId)) > most)
        throw new PlatformError('account.storage_full', { details: { most } });
    };
    return this.keep({ table: 'companies', id: companyId, checkRoom }, value);
  }
}

/** @throws {PlatformError} contact_data.wrapper_invalid */
export async function sealedFile(text: LargeText): Promise<Omit<StoredFile, 'id'>> {
  if (!text.sealed) throw new PlatformError('contact_data.wrapper_invalid');
  return { ...(await text.store()), form: 'sealed' };
}
