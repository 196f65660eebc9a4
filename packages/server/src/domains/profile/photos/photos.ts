import { limits, type Photo, type UploadPhotoRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import { lock, type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit, Blobs } from '../../operations/index.ts';
import { renderImage, THUMB_TYPE } from './image.ts';
import { readPhotoFile } from './photo-file.ts';
import {
  companyExists,
  countPhotos,
  deletePhoto,
  deletePhotosOf,
  insertPhoto,
  photoBytes,
  photoOf,
  photoShownTo,
  photosOf,
  profilePhotoOf,
  setLabel,
  setProfilePhoto,
} from './store.ts';
import type { PhotoRow } from './tables.ts';
import { toPhoto } from './views.ts';

/** An image as it is served. */
export interface ServedImage {
  readonly mediaType: string;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string;
}

export type ImageForm = 'file' | 'thumb';

/**
 * A decoded image takes up to 200 MB, and it uses threads that files and password hashes need too. Images that take long hold up
 * their company alone.
 */
const TURNS = { perParty: 1, inAll: 2, waitingMost: 8, waitingInAll: 40, busy: 'photos.busy' } as const;

interface Deps extends Pick<Core, 'clock' | 'config' | 'database' | 'ids'> {
  readonly blobs: Blobs;
  readonly audit: Audit;
  /** Images of one company that may wait for their turn. */
  readonly waitingMost?: number;
}

/** The photos of a company. Each stored image is rendered again from its pixels (see `renderImage`). */
export class Photos {
  readonly #deps: Deps;
  readonly #rendering: FairTurns;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { waitingMost = TURNS.waitingMost } = deps;
    this.#rendering = new FairTurns({ ...TURNS, waitingMost });
  }

  /**
   * @throws {PlatformError} photos.file_invalid, photos.bad_mime, photos.too_large, photos.too_many_pixels,
   *   photos.invalid_image, photos.limit_reached, photos.busy, account.storage_full
   */
  async upload(companyId: string, actor: Actor, request: UploadPhotoRequest): Promise<Photo> {
    const file = await readPhotoFile(request.file);
    await this.#refuseMore(this.#deps.database.reader, companyId, 0);
    const image = await this.#rendering.run(companyId, () => renderImage(file));
    const [hash, thumbHash] = await Promise.all([
      this.#deps.blobs.keep(image.bytes),
      this.#deps.blobs.keep(image.thumb),
    ]);
    const row: PhotoRow = {
      company_id: companyId,
      id: this.#deps.ids.uuid(),
      label: request.label ?? null,
      media_type: image.mediaType,
      width: image.width,
      height: image.height,
      size: image.bytes.length,
      hash,
      thumb_hash: thumbHash,
      is_profile: 0,
      created_at: this.#deps.clock.now(),
    };
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      // A photo stored after its company was deleted would keep its blobs forever.
      if (!(await companyExists(writer, companyId))) throw new PlatformError('auth.invalid');
      await this.#refuseMore(writer, companyId, row.size);
      await this.#deps.blobs.refer(writer, blobsOf(row));
      await insertPhoto(writer, row);
      await this.#deps.audit.record(writer, { companyId, actor, action: 'photo.uploaded', target: row.id });
    });
    return toPhoto(row);
  }

  /** Oldest first. */
  async list(companyId: string): Promise<Photo[]> {
    return (await photosOf(this.#deps.database.reader, companyId)).map(toPhoto);
  }

  /** @throws {PlatformError} photos.not_found */
  async get(companyId: string, id: string): Promise<Photo> {
    return toPhoto(await this.require(this.#deps.database.reader, companyId, id));
  }

  /** @throws {PlatformError} photos.not_found unless the company has the photo */
  async require(reader: Reader, companyId: string, id: string): Promise<PhotoRow> {
    const row = await photoOf(reader, companyId, id);
    if (row === undefined) throw new PlatformError('photos.not_found');
    return row;
  }

  /** @throws {PlatformError} photos.not_found */
  async relabel(companyId: string, actor: Actor, id: string, label: string | null): Promise<Photo> {
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const row = await this.require(writer, companyId, id);
      await setLabel(writer, companyId, id, label);
      await this.#deps.audit.record(writer, { companyId, actor, action: 'photo.relabelled', target: id });
      return toPhoto({ ...row, label });
    });
  }

  /**
   * Deletes a photo; services and the profile no longer show it.
   * @throws {PlatformError} photos.not_found
   */
  async delete(companyId: string, actor: Actor, id: string): Promise<void> {
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const row = await this.require(writer, companyId, id);
      await deletePhoto(writer, companyId, id);
      await this.#deps.blobs.release(writer, blobsOf(row));
      await this.#deps.audit.record(writer, { companyId, actor, action: 'photo.deleted', target: id });
    });
  }

  /** The profile photo of a company, if it has one. */
  async profilePhoto(reader: Reader, companyId: string): Promise<Photo | null> {
    const row = await profilePhotoOf(reader, companyId);
    return row === undefined ? null : toPhoto(row);
  }

  /** Makes a photo the profile photo; null takes it off. @throws {PlatformError} photos.not_found */
  async setProfilePhoto(companyId: string, actor: Actor, id: string | null): Promise<Photo | null> {
    return writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const row = id === null ? undefined : await this.require(writer, companyId, id);
      await setProfilePhoto(writer, companyId, id);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'profile.photo_changed',
        target: id ?? '',
      });
      return row === undefined ? null : toPhoto({ ...row, is_profile: 1 });
    });
  }

  /** An image of one of the company's photos. @throws {PlatformError} photos.not_found */
  async image(companyId: string, id: string, form: ImageForm): Promise<ServedImage> {
    return servedImage(await this.require(this.#deps.database.reader, companyId, id), form);
  }

  /** An image that people are shown. @throws {PlatformError} photos.not_found unless this person is */
  async imageShownTo(personId: string, id: string, form: ImageForm): Promise<ServedImage> {
    const row = await photoShownTo(this.#deps.database.reader, personId, id);
    if (row === undefined) throw new PlatformError('photos.not_found');
    return servedImage(row, form);
  }

  bytes(image: ServedImage): Promise<Buffer> {
    return this.#deps.blobs.read(image.hash);
  }

  /** Part of deleting a company: all of its photos, in the caller's transaction, which deletes the company itself. */
  async dropForCompany(writer: Writer, companyId: string): Promise<void> {
    await lock(this.#deps.database.engine, writer, 'companies', [companyId]);
    const rows = await photosOf(writer, companyId);
    await deletePhotosOf(writer, companyId);
    await this.#deps.blobs.release(writer, rows.flatMap(blobsOf));
  }

  async #refuseMore(reader: Reader, companyId: string, bytes: number): Promise<void> {
    const most = this.#deps.config.companyStorageBytes;
    if (most > 0 && (await photoBytes(reader, companyId)) + bytes > most) {
      throw new PlatformError('account.storage_full', { details: { most } });
    }
    if ((await countPhotos(reader, companyId)) >= limits.photosMost) {
      throw new PlatformError('photos.limit_reached');
    }
  }
}

const blobsOf = (row: PhotoRow) => [row.hash, row.thumb_hash];

function servedImage(row: PhotoRow, form: ImageForm): ServedImage {
  return form === 'file'
    ? { mediaType: row.media_type, hash: row.hash }
    : { mediaType: THUMB_TYPE, hash: row.thumb_hash };
}
