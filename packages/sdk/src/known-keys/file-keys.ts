import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { textOfFile } from '@symbolon/crypto/node';
import { ConfigurationError } from '../http/errors.ts';
import { type Fingerprints, type KeyStore, MemoryKeyStore } from './key-store.ts';

/** Where a client keeps fingerprints. */
export type KnownKeysOptions = {
  /** A file that keeps the fingerprints of the keys that are sealed to, and whose connections, runs and documents are. Without one they are kept while the process lives. */
  knownKeysFile?: string | undefined;
  /** Keeps them instead of a file. */
  knownKeys?: KeyStore | undefined;
};

export function openKeyStore({ knownKeys, knownKeysFile }: KnownKeysOptions): KeyStore {
  return knownKeys ?? (knownKeysFile === undefined ? new MemoryKeyStore() : new FileKeyStore(knownKeysFile));
}

/**
 * Keeps fingerprints in a JSON file that only its owner reads. It is read and written as a whole, so it suits some ten thousand
 * keys.
 */
export class FileKeyStore implements KeyStore {
  readonly #file: string;
  #keys: Promise<Fingerprints> | undefined;
  #storing: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  read(_names: readonly string[], { fresh = false } = {}): Promise<Fingerprints> {
    if (fresh) this.#keys = undefined;
    this.#keys ??= this.#readFile();
    return this.#keys;
  }

  async remember(keys: Fingerprints): Promise<Fingerprints> {
    const known = await this.read([]);
    if (Object.keys(keys).every((name) => known[name] !== undefined)) return known;
    return this.#store((before) => ({ ...keys, ...before }));
  }

  async confirm(keys: Fingerprints): Promise<void> {
    await this.#store((before) => ({ ...before, ...keys }));
  }

  #store(change: (known: Fingerprints) => Fingerprints): Promise<Fingerprints> {
    const stored = this.#storing.then(async () => {
      const before = await this.read([], { fresh: true });
      const after = change(before);
      if (JSON.stringify(after) === JSON.stringify(before)) return before;
      await this.#write(after);
      this.#keys = Promise.resolve(after);
      return after;
    });
    this.#storing = stored.catch(() => undefined);
    return stored;
  }

  async #write(keys: Fingerprints): Promise<void> {
    // A reader never sees half a file.
    const part = `${this.#file}.${randomUUID()}`;
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      await writeFile(part, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
      await rename(part, this.#file);
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException;
      const message = `Nothing was sealed: the keys that were used cannot be kept in ${this.#file} (${code}). Name a file that can be written, by known_keys_file or SYMBOLON_KNOWN_KEYS_FILE.`;
      throw new ConfigurationError({ errorKey: 'sdk.configuration', message, cause });
    }
  }

  async #readFile(): Promise<Fingerprints> {
    try {
      const keys: unknown = JSON.parse(textOfFile(await readFile(this.#file)));
      const isList = typeof keys === 'object' && keys !== null && !Array.isArray(keys);
      if (isList && Object.values(keys).every((key) => typeof key === 'string')) return { ...keys };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      if (!(error instanceof SyntaxError)) throw error;
    }
    const message = `${this.#file} is not a file of known keys. Restore it, or delete it and compare the keys again.`;
    throw new ConfigurationError({ errorKey: 'sdk.configuration', message });
  }
}
