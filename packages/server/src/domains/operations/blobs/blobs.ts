import { hash } from 'node:crypto';
import type { BlobStore } from '../../../core/blobs.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { countReference, doomedKeys, doomUnreferenced, forgetDoomed, holdBlob, keyByHash } from './store.ts';

/** From writing the bytes to the commit of the row that names them. */
const HOLD_MS = 15 * 60_000;
const DOOMED_AT_ONCE = 200;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly store: BlobStore;
}

/**
 * Bytes outside the database, known by their hash: the same bytes are kept once, however many rows name them. The life of a
 * blob:
 * 1. `keep` puts a row for it into the database, held for a while, and only then writes its bytes: everything the store
 *    has, a row knows of; 2. whoever names it counts its reference in the transaction of the row that does; 3. nobody names
 *    or holds it any more: a sweep ends it, in one statement that looks at references and holds under the row's lock, and
 *    notes its key as doomed; 4. the store lets go of the key, and then the note goes.
 *
 * Kept anew after 3, the same bytes get a key of their own. So a sweep that is slow, or runs twice, or in two processes, or
 * dies half-way, can only ever remove what nothing names.
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

  /** Counts a row of the caller's transaction that names the blobs. */
  async refer(writer: Writer, hashes: readonly string[]): Promise<void> {
    await this.#count(writer, hashes, 1);
  }

  /** Counts a row of the caller's transaction that named the blobs and is no more. */
  async release(writer: Writer, hashes: readonly string[]): Promise<void> {
    await this.#count(writer, hashes, -1);
  }

  /** The bytes of a blob that a row names; they are what the hash says. */
  async read(digest: string): Promise<Buffer> {
    const [row] = await keyByHash(this.#deps.database.reader, digest);
    const bytes = row && (await this.#deps.store.read(row.key));
    if (bytes === undefined) throw new Error(`Blob ${digest} is missing.`);
    if (hash('sha256', bytes, 'hex') !== digest) throw new Error(`Blob ${digest} is damaged.`);
    return bytes;
  }

  /** Removes what nothing names. */
  async sweep(stopping?: AbortSignal): Promise<void> {
    await this.#deps.database.write((writer) => doomUnreferenced(writer, this.#deps.clock.now()));
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
