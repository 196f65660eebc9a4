import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type BlobStore, filesUnavailable, type StoredBlob } from '../../../core/blobs.ts';
import type { BlobRef, LargeSource } from '../../../core/large-text.ts';
import type { Writer } from '../../../db/database.ts';
import { inSteps } from '../../../db/expired-rows.ts';
import type { Core } from '../../domain.ts';
import {
  countChanges,
  countReference,
  doomedKeys,
  doomUnreferenced,
  forgetDoomed,
  holdBlob,
  holdOn,
  keyByHash,
} from './store.ts';

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
    await this.#deps.store.write(await this.#hold(digest, bytes.length), bytes);
    return digest;
  }

  /** Like `keep`, for bytes that may be too many for memory. */
  async keepStream(source: LargeSource): Promise<BlobRef> {
    const ref = { hash: source.sha256, bytes: source.bytes };
    await this.#deps.store.writeStream(await this.#hold(ref.hash, ref.bytes), source);
    return ref;
  }

  async #hold(digest: string, size: number): Promise<string> {
    const row = {
      hash: digest,
      key: `${digest}.${this.#deps.ids.uuid()}`,
      size,
      refs: 0,
      held_until: this.#deps.clock.now() + HOLD_MS,
    };
    return this.#deps.database.write((writer) => holdBlob(writer, row));
  }

  /**
   * Makes sure, in the caller's transaction, that a blob is there for a value of that transaction that names it (see
   * `StoredFile`). Such values are counted by triggers.
   */
  async holdOn(writer: Writer, hash: string): Promise<void> {
    if (!(await holdOn(writer, hash, this.#deps.clock.now() + HOLD_MS)))
      throw new Error(`Blob ${hash} is not kept.`);
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
    const bytes = await this.find(digest);
    if (bytes === undefined) {
      const [row] = await keyByHash(this.#deps.database.reader, digest);
      this.#deps.log.error({ blob: row?.key ?? digest }, 'a file is missing');
      throw filesUnavailable();
    }
    return bytes;
  }

  /** Like `read` of a blob that may not be here: then undefined. @throws {PlatformError} photos.unavailable */
  async find(digest: string): Promise<Buffer | undefined> {
    const [row] = await keyByHash(this.#deps.database.reader, digest);
    const bytes = row && (await this.#deps.store.read(row.key));
    if (bytes !== undefined && hash('sha256', bytes, 'hex') !== digest)
      throw new Error(`Blob ${digest} is damaged.`);
    return bytes;
  }

  /**
   * Like `read`, in pieces. When the bytes turn out not to be what the hash says, the stream fails before its last piece.
   * @throws {PlatformError} photos.unavailable
   */
  async open(digest: string): Promise<StoredBlob> {
    const [row] = await keyByHash(this.#deps.database.reader, digest);
    const stored = row && (await this.#deps.store.readStream(row.key));
    if (stored === undefined) {
      this.#deps.log.error({ blob: row?.key ?? digest }, 'a file is missing');
      throw filesUnavailable();
    }
    const stream = Readable.from(checked(stored.stream, digest), { objectMode: false });
    // Also when the stream is never read.
    stream.once('close', () => stored.stream.destroy());
    return { bytes: stored.bytes, stream };
  }

  /** Removes what nothing names. */
  async sweep(stopping?: AbortSignal): Promise<void> {
    const now = this.#deps.clock.now();
    const { engine } = this.#deps.database;
    await inSteps(this.#deps, (writer, most) => countChanges(engine, writer, most), stopping);
    await inSteps(this.#deps, (writer, most) => doomUnreferenced(engine, writer, now, most), stopping);
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

/** Holds each piece back until the next one, so that damaged bytes are never taken for whole ones. */
async function* checked(stream: Readable, digest: string): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  let last: Buffer | undefined;
  for await (const piece of stream) {
    if (last !== undefined) yield last;
    last = piece as Buffer;
    sum.update(last);
  }
  if (sum.digest('hex') !== digest) throw new Error(`Blob ${digest} is damaged.`);
  if (last !== undefined) yield last;
}
