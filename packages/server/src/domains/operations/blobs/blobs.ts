import { hash } from 'node:crypto';
import { type BlobStore, filesUnavailable } from '../../../core/blobs.ts';
import type { Writer } from '../../../db/database.ts';
import { inSteps } from '../../../db/expired-rows.ts';
import type { Core } from '../../domain.ts';
import { countReference, doomedKeys, doomUnreferenced, forgetDoomed, holdBlob, keyByHash } from './store.ts';

/** From writing the bytes to the commit of the row that names them. */
const HOLD_MS = 15 * 60_000;
const DOOMED_AT_ONCE = 200;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'log' | 'timers'> {
  readonly store: BlobStore;
}

/**
 * Bytes outside the database, identified by their hash: the same bytes are stored once, however many rows name them. The
 * life of a blob:
 * 1. `keep` inserts its row, reserved for 15 minutes, and only then writes its bytes: the store has nothing without a row;
 * 2. a row that names it counts the reference in the same transaction; 3. a blob without references or reservation is
 * deleted by a sweep, in one statement that checks both under the row's lock, and its key is noted in `doomed_blobs`;
 * 4. the store removes the bytes under that key, and then the note is deleted.
 *
 * When the same bytes are kept again after 3, they get a new key. So a sweep that is slow, runs in two processes, or dies
 * half-way can only remove what no row names.
 */
export class Blobs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Keeps bytes for as long as it takes to name them: see `refer`. Gives their hash. */
  async keep(bytes: Buffer): Promise<string> {
    const digest = hash('sha256', bytes, 'hex');
    const row = {
      hash: digest,
      key: `${digest}.${this.#deps.ids.uuid()}`,
      size: bytes.length,
      refs: 0,
      held_until: this.#deps.clock.now() + HOLD_MS,
    };
    const key = await this.#deps.database.write((writer) => holdBlob(writer, row));
    await this.#deps.store.write(key, bytes);
    return digest;
  }

  /** Counts a row that names the blobs, in the caller's transaction. */
  async refer(writer: Writer, hashes: readonly string[]): Promise<void> {
    await this.#count(writer, hashes, 1);
  }

  /** Counts that a row which named the blobs is deleted in the caller's transaction. */
  async release(writer: Writer, hashes: readonly string[]): Promise<void> {
    await this.#count(writer, hashes, -1);
  }

  /**
   * The bytes of a blob that a row names; they are what the hash says.
   * @throws {PlatformError} photos.unavailable, also when they are missing: their disk may not be mounted
   */
  async read(digest: string): Promise<Buffer> {
    const [row] = await keyByHash(this.#deps.database.reader, digest);
    const bytes = row && (await this.#deps.store.read(row.key));
    if (bytes === undefined) {
      this.#deps.log.error({ blob: row?.key ?? digest }, 'a photo file is missing');
      throw filesUnavailable();
    }
    if (hash('sha256', bytes, 'hex') !== digest) throw new Error(`Blob ${digest} is damaged.`);
    return bytes;
  }

  /** Removes what nothing names. */
  async sweep(stopping?: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    await inSteps(
      this.#deps,
      (writer, most) => doomUnreferenced(this.#deps.database.engine, writer, now, most),
      stopping,
    );
    for (;;) {
      const keys = await doomedKeys(this.#deps.database.reader, DOOMED_AT_ONCE);
      if (keys.length === 0 || stopping?.aborted) break;
      for (const key of keys) await this.#deps.store.remove(key);
      await this.#deps.database.write((writer) => forgetDoomed(writer, keys));
    }
    await this.#deps.store.tidy();
  }

  /** In the order of the hashes, so that two transactions never wait for each other. */
  async #count(writer: Writer, hashes: readonly string[], by: 1 | -1): Promise<void> {
    for (const digest of hashes.toSorted()) {
      if (!(await countReference(writer, digest, by))) throw new Error(`Blob ${digest} is not kept.`);
    }
  }
}
