import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';

/** What the keys of one version are for. */
export type KeyPurpose = 'key encryption' | 'access token' | 'pepper' | 'peer' | 'forwarder' | 'check';

/** A key for one purpose from 32 bytes of base64, by HKDF-SHA-256. */
function deriveKey(base64: string, purpose: KeyPurpose): KeyObject {
  const bytes = Buffer.from(base64, 'base64');
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', bytes, new Uint8Array(), `symbolon ${purpose} v1`, 32)),
  );
}

/** Where a data folder has the secret. */
export const KEY_FILE = 'secret.key';

/** Whether there is a secret. No backup holds it. */
export function hasKeys({
  secret,
  dataDir,
}: {
  readonly secret?: string | undefined;
  readonly dataDir: string;
}): boolean {
  return secret !== undefined || existsSync(join(dataDir, KEY_FILE));
}

const SECRET = /^[A-Za-z0-9+/]{43}=$/;
const ENTRY = /^([1-9]\d{0,5}):([A-Za-z0-9+/]{43}=)$/;

/**
 * The versions of the server's secret. From each, keys for all purposes derive. They stand in SYMBOLON_SECRET, which an operator
 * edits in every process, or in the data folder, where the platform adds and drops them itself. Every version there is can
 * decrypt, verify and compare; the current one encrypts, signs and hashes.
 */
export class KeyRing {
  readonly #path: string | undefined;
  #secrets: ReadonlyMap<number, string>;
  readonly #derived = new Map<string, KeyObject>();
  #isRetired: (version: number) => boolean = () => false;
  #current: number;
  /** Identifies the content of the file that was read last. */
  #stamp = '';

  /** @param configured SYMBOLON_SECRET; without it the file of the data folder, made there on the first start */
  constructor(configured: string | undefined, dataDir: string) {
    this.#path = configured === undefined ? join(dataDir, KEY_FILE) : undefined;
    this.#secrets =
      this.#path === undefined
        ? parse(configured ?? '', 'SYMBOLON_SECRET')
        : parse(readOrMake(dataDir, this.#path), this.#path);
    this.#current = this.oldest;
  }

  /** Where the secret stands, for messages. */
  get source(): string {
    return this.#path ?? 'SYMBOLON_SECRET';
  }

  /** The version that encrypts, signs and hashes. */
  get current(): number {
    return this.#current;
  }

  /** Every version there is, oldest first. */
  get versions(): number[] {
    this.#refresh();
    return [...this.#secrets.keys()].filter((version) => !this.#isRetired(version)).sort((a, b) => a - b);
  }

  get oldest(): number {
    return Math.min(...this.versions);
  }

  get newest(): number {
    return Math.max(...this.versions);
  }

  /** Whether the platform may add and drop versions itself. */
  get ownsFile(): boolean {
    return this.#path !== undefined;
  }

  has(version: number): boolean {
    // Another process that shares the data folder may have added it.
    if (!this.#secrets.has(version)) this.#refresh();
    return this.#secrets.has(version) && !this.#isRetired(version);
  }

  /** @throws Error for a version that is not there */
  key(purpose: KeyPurpose, version: number): KeyObject {
    if (!this.has(version)) throw new Error(`Version ${version} of the secret is not in ${this.source}.`);
    const name = `${purpose} ${version}`;
    let key = this.#derived.get(name);
    if (key === undefined) {
      key = deriveKey(this.#secrets.get(version) ?? '', purpose);
      this.#derived.set(name, key);
    }
    return key;
  }

  /** Encrypts, signs and hashes with this version from now on. @throws Error for a version that is not there */
  use(version: number): void {
    this.key('key encryption', version);
    this.#current = version;
  }

  /** From now on these versions count as not there: they were dropped, and SYMBOLON_SECRET still names them. */
  retire(isRetired: (version: number) => boolean): void {
    this.#isRetired = isRetired;
  }

  /** Adds a new random secret to the data folder's file; gives its version. */
  add(): number {
    const version = this.newest + 1;
    this.#write(new Map([...this.#secrets, [version, randomBytes(32).toString('base64')]]));
    return version;
  }

  /** Takes a version out of the data folder's file: whatever is still under it can never be read again. */
  drop(version: number): void {
    const secrets = new Map(this.#secrets);
    secrets.delete(version);
    this.#write(secrets);
  }

  /** Reads the file again when another process replaced it. */
  #refresh(): void {
    if (this.#path === undefined) return;
    const stamp = stampOf(this.#path);
    if (stamp === this.#stamp) return;
    this.#secrets = parse(readFileSync(this.#path, 'utf8'), this.#path);
    this.#stamp = stamp;
  }

  /** Whole or not at all, and on the disk when it returns: a key that encrypted something must not get lost. */
  #write(secrets: ReadonlyMap<number, string>): void {
    if (this.#path === undefined) throw new Error('The keys are those of SYMBOLON_SECRET.');
    const lines = [...secrets].map(([version, secret]) => (version === 1 ? secret : `${version}:${secret}`));
    const fresh = `${this.#path}.new`;
    writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600, flush: true });
    renameSync(fresh, this.#path);
    const folder = openSync(join(this.#path, '..'), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
    this.#secrets = secrets;
    this.#stamp = stampOf(this.#path);
  }
}

/** Every change makes a new file, so its number changes. */
function stampOf(path: string): string {
  const { ino, mtimeMs, size } = statSync(path);
  return `${ino} ${mtimeMs} ${size}`;
}

/** @param source names the text in errors: a variable or a file */
function parse(text: string, source: string): ReadonlyMap<number, string> {
  const secrets = new Map<number, string>();
  for (const [index, entry] of text
    .trim()
    .split(/[\s,]+/)
    .entries()) {
    const [, version, secret] = ENTRY.exec(entry) ?? [];
    const number = index === 0 && SECRET.test(entry) ? 1 : Number(version);
    if (!Number.isInteger(number) || secrets.has(number) || (number === 1 && version !== undefined)) {
      throw new ConfigError(
        index === 0
          ? `${source} takes the base64 of exactly 32 bytes, such as openssl rand -base64 32 makes.`
          : `After the first secret ${source} takes further ones as <version>:<base64 of 32 bytes>, versions from 2 on, each once.`,
      );
    }
    secrets.set(number, secret ?? entry);
  }
  return secrets;
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
