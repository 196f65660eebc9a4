import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config.ts';

/** A 32-byte key, from which the server's keys derive by HKDF-SHA-256. */
export function deriveKey(base64: string, purpose: string): KeyObject {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 32) throw new ConfigError('SYMBOLON_SECRET takes the base64 of exactly 32 bytes.');
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', bytes, new Uint8Array(), `symbolon ${purpose} v1`, 32)),
  );
}

/** The root secret and the key-encryption keys that stand beside it, by version; version 1 derives from the root. */
interface Entries {
  readonly root: string;
  readonly keys: ReadonlyMap<number, string>;
}

const ENTRY = /^([1-9]\d{0,5}):([A-Za-z0-9+/]{43}=)$/;

/**
 * The versioned key-encryption keys. They stand where the root secret stands: in SYMBOLON_SECRET, which an operator edits in
 * every process, or in the data folder, where the platform adds and drops them itself. Every key there is can decrypt; the
 * current one encrypts.
 */
export class KeyRing {
  readonly #path: string | undefined;
  #entries: Entries;
  #derived = new Map<number, KeyObject>();
  #current = 1;

  /** @param configured SYMBOLON_SECRET; without it the file of the data folder, made there on the first start */
  constructor(configured: string | undefined, dataDir: string) {
    this.#path = configured === undefined ? join(dataDir, 'secret.key') : undefined;
    this.#entries = parse(configured ?? readOrMake(dataDir, join(dataDir, 'secret.key')));
  }

  get root(): string {
    return this.#entries.root;
  }

  /** The version that encrypts. */
  get current(): number {
    return this.#current;
  }

  /** Every version there is, oldest first. */
  get versions(): number[] {
    return [1, ...this.#entries.keys.keys()].sort((a, b) => a - b);
  }

  /** Whether the platform may add and drop keys itself. */
  get ownsFile(): boolean {
    return this.#path !== undefined;
  }

  has(version: number): boolean {
    if (version === 1 || this.#entries.keys.has(version)) return true;
    // Another process that shares the data folder may have added it.
    if (this.#path !== undefined) this.#entries = parse(readFileSync(this.#path, 'utf8'));
    return this.#entries.keys.has(version);
  }

  /** @throws Error for a version that is not there */
  key(version: number): KeyObject {
    let key = this.#derived.get(version);
    if (key === undefined) {
      if (!this.has(version))
        throw new Error(`Encrypted under version ${version} of the key, which is not there.`);
      key = deriveKey(this.#entries.keys.get(version) ?? this.#entries.root, 'key encryption');
      this.#derived.set(version, key);
    }
    return key;
  }

  /** Encrypts under this version from now on. @throws Error for a version that is not there */
  use(version: number): void {
    this.key(version);
    this.#current = version;
  }

  /** Adds a new random key to the data folder's file; gives its version. */
  add(): number {
    const version = Math.max(...this.versions) + 1;
    this.#write(new Map([...this.#entries.keys, [version, randomBytes(32).toString('base64')]]));
    return version;
  }

  /** Takes a key out of the data folder's file: whatever is still under it can never be read again. */
  drop(version: number): void {
    const keys = new Map(this.#entries.keys);
    keys.delete(version);
    this.#write(keys);
    this.#derived.delete(version);
  }

  /** Whole or not at all, and on the disk when it returns: a key that encrypted something must not get lost. */
  #write(keys: ReadonlyMap<number, string>): void {
    if (this.#path === undefined) throw new Error('The keys are those of SYMBOLON_SECRET.');
    const lines = [this.root, ...[...keys].map(([version, key]) => `${version}:${key}`)];
    const fresh = `${this.#path}.new`;
    writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, this.#path);
    const folder = openSync(join(this.#path, '..'), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    this.#entries = { root: this.root, keys };
  }
}

function parse(text: string): Entries {
  const [root = '', ...rest] = text.trim().split(/[\s,]+/);
  // Checked here, so that a start with a bad secret stops at once.
  deriveKey(root, 'key encryption');
  const keys = new Map<number, string>();
  for (const entry of rest) {
    const [, version, key] = ENTRY.exec(entry) ?? [];
    if (version === undefined || key === undefined || version === '1' || keys.has(Number(version))) {
      throw new ConfigError(
        'After the root secret SYMBOLON_SECRET takes further keys as <version>:<base64 of 32 bytes>, versions from 2 on, each once.',
      );
    }
    keys.set(Number(version), key);
  }
  return { root, keys };
}

function readOrMake(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // 'wx' settles the race of two first starts: one writes, the other reads.
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8');
}
