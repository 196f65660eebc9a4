import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Availability } from './availability.ts';
import type { Clock } from './clock.ts';
import { PlatformError } from './errors.ts';
import type { Ids } from './ids.ts';
import type { LargeSource } from './large-text.ts';

/**
 * Where bytes are kept that have no place in the database: a folder, or anything else that can do these four things. Keys
 * are `<SHA-256 in hex>.<more>`; a key is never used again for other bytes.
 */
export interface BlobStore {
  /** Resolves once the bytes are there, durably and whole. What is there already under the key stays. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** Like `write`, from a source that may be too large for memory. */
  writeStream(key: string, source: LargeSource): Promise<void>;
  /** Undefined when there is nothing under the key. */
  read(key: string): Promise<Buffer | undefined>;
  /** Like `read`, in pieces. Its reader ends the stream. */
  readStream(key: string): Promise<StoredBlob | undefined>;
  /** Removes what is under the key; nothing there is fine. */
  remove(key: string): Promise<void>;
  /** Clears away what writers that died left half-written. */
  tidy(): Promise<void>;
}

export interface StoredBlob {
  readonly bytes: number;
  readonly stream: Readable;
}

/** What a key looks like; its first part is the hash of the bytes. */
export const BLOB_KEY = /^([0-9a-f]{64})\.[0-9a-z-]{1,64}$/;

/** A writer that takes longer is dead. */
const WRITING_MS = 60 * 60_000;
/** Bytes that are read at a time. */
const PIECE = 128 * 1024;

/**
 * Blobs as files of a folder, fanned out by the first four digits of their hash. A file is written under a
 * temporary name, synced to the disk and renamed: after a crash it is there whole or not at all.
 */
export function folderBlobs(folder: string, { clock, ids }: { clock: Clock; ids: Ids }): BlobStore {
  const unfinished = join(folder, 'unfinished');
  const pathOf = (key: string): string => {
    if (!BLOB_KEY.test(key)) throw new Error('That is no key of a blob.');
    return join(folder, key.slice(0, 2), key.slice(2, 4), key);
  };
  const put = async (key: string, bytes: Uint8Array | Readable): Promise<void> => {
    const path = pathOf(key);
    // The process that wrote it may not have synced the folder yet.
    if (await isThere(path)) return syncFolder(dirname(path));
    await makeFolder(unfinished);
    await makeFolder(dirname(path), folder);
    // The name tells its age: time and order are the leading part of a UUIDv7.
    const writing = join(unfinished, ids.uuid());
    const file = await open(writing, 'wx', 0o600);
    try {
      await writeDurably(file, bytes);
      await rename(writing, path);
    } catch (error) {
      await rm(writing, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  };
  return {
    write: put,

    async writeStream(key, source) {
      const stream = source.open();
      try {
        await put(key, stream);
      } finally {
        stream.destroy();
      }
    },

    async readStream(key) {
      try {
        const file = await open(pathOf(key), 'r');
        const { size } = await file.stat();
        return { bytes: size, stream: file.createReadStream({ highWaterMark: PIECE }) };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async read(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true });
    },

    async tidy() {
      const before = clock.now() - WRITING_MS;
      for (const name of await namesIn(unfinished)) {
        if (timeOf(name) < before) await rm(join(unfinished, name), { force: true });
      }
    },
  };
}

/** Seconds after which a call whose bytes were not reached may be repeated. */
const RETRY_AFTER = '30';

/** What a call is refused with whose bytes are not reached. */
export function filesUnavailable(cause?: unknown): PlatformError {
  return new PlatformError('photos.unavailable', { headers: { 'retry-after': RETRY_AFTER }, cause });
}

/**
 * A store whose errors tell that it is away.
 * @param probe rejects while nothing can be written
 */
export function watchedBlobs(
  store: BlobStore,
  availability: Pick<Availability, 'add'>,
  probe: () => Promise<void>,
): BlobStore {
  const need = availability.add('files', { title: 'photo files', probe, reasonOf: outageOf });
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (outageOf(error) === undefined) throw error;
      need.failed(error);
      throw filesUnavailable(error);
    }
  };
  return {
    write: (key, bytes) => watched(store.write(key, bytes)),
    writeStream: (key, source) => watched(store.writeStream(key, source)),
    readStream: (key) => watched(store.readStream(key)),
    read: (key) => watched(store.read(key)),
    remove: (key) => watched(store.remove(key)),
    tidy: () => watched(store.tidy()),
  };
}

/** Every error that the operating system gives has a code. */
function outageOf(error: unknown): string | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return typeof code === 'string' ? message : undefined;
}

async function writeDurably(file: FileHandle, bytes: Uint8Array | Readable): Promise<void> {
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder; with `root`, every one made on the way from there is brought to the disk too. */
async function makeFolder(path: string, root?: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made === undefined || root === undefined) return;
  for (let parent = dirname(path); !relative(root, parent).startsWith('..'); parent = dirname(parent)) {
    await syncFolder(parent);
  }
}

/** Brings the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Milliseconds in a UUIDv7 (RFC 9562 5.7); NaN for any other name, whose file then stays. */
function timeOf(name: string): number {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f-]{21}$/.exec(name) ?? [];
  return high === undefined || low === undefined ? Number.NaN : Number.parseInt(high + low, 16);
}

const isMissing = (error: unknown) => (error as { code?: string }).code === 'ENOENT';
