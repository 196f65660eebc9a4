import { limits, type Photo } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit, ServiceLogs } from '../../operations/index.ts';
import type { PhotoRow, Photos } from '../../profile/index.ts';
import { replaceSharedPhotos, sharedPhotos, toPhoto } from '../../profile/index.ts';
import type { ServiceRef, Services } from '../services/services.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly services: Services;
  readonly photos: Photos;
  readonly audit: Audit;
  readonly logs: ServiceLogs;
}

/** Which of the company's photos a service shows to people, and in which order (wire 4.6). */
export class SharePhotos {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {PlatformError} services.not_found */
  async list(ref: ServiceRef): Promise<Photo[]> {
    const { reader } = this.#deps.database;
    await this.#deps.services.require(reader, ref);
    return (await sharedPhotos(reader, ref)).map(toPhoto);
  }

  /** Shows a photo after the others; one that is shown stays where it is. @throws {PlatformError} what `arrange` does */
  async attach(ref: ServiceRef, actor: Actor, photoId: string): Promise<Photo[]> {
    return this.#change(ref, actor, (shown) => (shown.includes(photoId) ? shown : [...shown, photoId]));
  }

  /**
   * Shows exactly these photos, in this order.
   * @throws {PlatformError} services.not_found, photos.not_found, photos.limit_reached
   */
  async arrange(ref: ServiceRef, actor: Actor, photoIds: readonly string[]): Promise<Photo[]> {
    return this.#change(ref, actor, () => photoIds);
  }

  /** @throws {PlatformError} services.not_found; photos.not_found when the service does not show it */
  async detach(ref: ServiceRef, actor: Actor, photoId: string): Promise<void> {
    await this.#change(ref, actor, (shown) => {
      if (!shown.includes(photoId)) throw new PlatformError('photos.not_found');
      return shown.filter((id) => id !== photoId);
    });
  }

  async #change(
    ref: ServiceRef,
    actor: Actor,
    change: (shown: readonly string[]) => readonly string[],
  ): Promise<Photo[]> {
    return this.#deps.database.write(async (writer) => {
      const { engine } = this.#deps.database;
      await lock(engine, writer, 'companies', [ref.companyId]);
      await lock(engine, writer, 'services', [ref.serviceId]);
      await this.#deps.services.require(writer, ref);
      const known = new Map((await sharedPhotos(writer, ref)).map((row) => [row.id, row]));
      const before = [...known.keys()];
      const after = change(before);
      if (after.length > limits.sharePhotosMost) throw new PlatformError('photos.limit_reached');
      const rows: PhotoRow[] = [];
      for (const id of after)
        rows.push(known.get(id) ?? (await this.#deps.photos.require(writer, ref.companyId, id)));
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await replaceSharedPhotos(writer, ref, after);
        await this.#record(writer, ref, actor, after);
      }
      return rows.map(toPhoto);
    });
  }

  async #record(writer: Writer, ref: ServiceRef, actor: Actor, photoIds: readonly string[]): Promise<void> {
    await this.#deps.logs.write(writer, {
      ...ref,
      type: 'config',
      message: 'Share photos changed',
      metadata: { photos: photoIds.length },
    });
    await this.#deps.audit.record(writer, {
      companyId: ref.companyId,
      actor,
      action: 'service.share_photos_changed',
      target: ref.serviceId,
      details: { photo_ids: photoIds },
    });
  }
}
