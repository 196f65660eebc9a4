import { createHash, createPrivateKey, pbkdf2 as pbkdf2Callback } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type Bytes,
  decryptPrivateKey,
  type EncryptedPrivateKey,
  importPrivateKey,
  openBytes,
  parseEncryptedPrivateKey,
  parseWrapper,
  unwrapPrivateKey,
  type WrappedPrivateKey,
  type Wrapper,
} from '@symbolon/crypto';
import { isAtLength } from '@symbolon/testkit/thoroughness';

const pbkdf2 = promisify(pbkdf2Callback);

/** Something that was opened, and what opened it. */
export interface Opened {
  readonly plaintext: Buffer;
  readonly of: 'wrapper' | 'service key' | 'wrapped key';
}

/**
 * Whoever holds everything that the platform ever held, and tries each secret in it on each ciphertext in it. What opens is
 * searched for further secrets, until nothing new opens.
 */
export class Adversary {
  readonly #texts = new Set<string>();
  /** Texts that a caller sent or that were logged: passwords and passphrases can only be among these. */
  readonly #typed = new Set<string>();
  readonly #wrappers = new Map<string, Wrapper>();
  readonly #serviceKeys = new Map<string, EncryptedPrivateKey>();
  readonly #wrappedKeys = new Map<string, WrappedPrivateKey>();
  readonly #bytes = new Map<string, Buffer>();
  /** In base64: what is called so. */
  readonly #salts = new Set<string>();
  /** Texts that were opened: all of them are tried. */
  readonly #opened = new Set<string>();
  /** Tried on every service key and on all that is called a salt, also in a usual run. */
  readonly #guesses = new Set<string>();
  #isOpening = false;
  readonly #tried = new Set<string>();

  /** Everything that was added, as text: for looking up what must not be in it. */
  get texts(): ReadonlySet<string> {
    return this.#texts;
  }

  get sealed(): { wrappers: number; serviceKeys: number; wrappedKeys: number } {
    return {
      wrappers: this.#wrappers.size,
      serviceKeys: this.#serviceKeys.size,
      wrappedKeys: this.#wrappedKeys.size,
    };
  }

  /** @param typed whether a caller wrote it: a candidate for a password */
  add(value: unknown, { typed = false } = {}): void {
    if (typeof value === 'string') this.#addText(value, typed);
    else if (value instanceof Uint8Array) this.#addBytes(Buffer.from(value));
    else if (Array.isArray(value)) for (const item of value) this.add(item, { typed });
    else if (typeof value === 'object' && value !== null) this.#addObject(value, typed);
  }

  /** A password that whoever holds everything has heard of. */
  guess(password: string): void {
    this.#guesses.add(password);
    this.add(password, { typed: true });
  }

  /** Tries everything on everything. */
  async open(): Promise<Opened[]> {
    const opened: Opened[] = [];
    for (;;) {
      // What is derived from passwords are further keys.
      const more = [...(await this.#openWithPasswords()), ...(await this.#openWithKeys())];
      if (more.length === 0) return opened;
      this.#isOpening = true;
      for (const found of more) {
        opened.push(found);
        this.#addBytes(found.plaintext);
      }
      this.#isOpening = false;
    }
  }

  #addObject(value: object, typed: boolean): void {
    remember(this.#wrappers, value, parseWrapper);
    remember(this.#serviceKeys, value, parseEncryptedPrivateKey);
    remember(this.#wrappedKeys, value, parseWrappedKey);
    for (const [name, member] of Object.entries(value)) {
      if (name.includes('salt') && typeof member === 'string') this.#salts.add(member);
      this.#addText(name, false);
      this.add(member, { typed });
    }
  }

  #addText(text: string, typed: boolean): void {
    if (typed) this.#typed.add(text);
    if (this.#isOpening) this.#opened.add(text);
    if (this.#texts.has(text)) return;
    this.#texts.add(text);
    if (/^\s*[[{"]/.test(text)) {
      try {
        this.add(JSON.parse(text), { typed });
      } catch {}
    }
    if (text.length <= 8000 && BASE64.test(text)) this.#addBytes(Buffer.from(text, 'base64'));
    if (/^[0-9a-f]{32,8000}$/.test(text)) this.#addBytes(Buffer.from(text, 'hex'));
    for (const [, body = ''] of text.matchAll(/-----BEGIN PRIVATE KEY-----([^-]+)-----END/g))
      this.#addBytes(Buffer.from(body, 'base64'));
  }

  #addBytes(bytes: Buffer): void {
    if (bytes.length < 16) return;
    const key = bytes.toString('base64');
    if (this.#bytes.has(key)) return;
    this.#bytes.set(key, bytes);
    const text = bytes.toString('utf8');
    if (!text.includes('\ufffd')) this.#addText(text, true);
  }

  /** Every run of 32 bytes as an AES key on what is wrapped, every private key on every wrapper. */
  async #openWithKeys(): Promise<Opened[]> {
    const opened: Opened[] = [];
    for (const [id, bytes] of this.#bytes) {
      for (const raw of bytes.length === 32 ? [bytes] : bytes.length === 64 ? halves(bytes) : []) {
        for (const [sealed, wrapped] of this.#wrappedKeys)
          if (this.#first(`${raw.toString('base64')} ${sealed}`))
            await attempt(opened, 'wrapped key', () => unwrapWith(wrapped, raw));
      }
      if (bytes.length < 600 || bytes.length > 3000 || !isPrivateKey(bytes)) continue;
      for (const [sealed, wrapper] of this.#wrappers) {
        if (!this.#first(`${id} ${sealed}`)) continue;
        for (const hash of ['SHA-256', 'SHA-1'] as const)
          await attempt(opened, 'wrapper', async () =>
            openBytes(wrapper, await importPrivateKey(bytes as unknown as Bytes, hash)),
          );
      }
    }
    return opened;
  }

  /** Every text that was typed as a passphrase of the service keys, and as a password that derives login keys. */
  async #openWithPasswords(): Promise<Opened[]> {
    const opened: Opened[] = [];
    const passwords = [...this.#typed].filter(
      (text) => text.length >= 8 && text.length <= 200 && !isId(text),
    );
    const salts = [...this.#bytes].filter(([, bytes]) => bytes.length === 16);
    await Promise.all(
      passwords.flatMap((password) => [
        ...[...this.#serviceKeys].map(async ([sealed, key]) => {
          const pair = `${password} ${sealed}`;
          const isKnown = this.#guesses.has(password) || this.#opened.has(password);
          if (!isKnown && !isDrawn(pair, isToken(password) ? 16 : 4)) return;
          if (this.#first(pair)) await attempt(opened, 'service key', () => decryptPrivateKey(key, password));
        }),
        ...(isToken(password) ? [] : salts).map(async ([id, salt]) => {
          const pair = `${password} ${salt.toString('hex')}`;
          if (!(this.#guesses.has(password) && this.#salts.has(id)) && !isDrawn(pair, 8)) return;
          if (this.#first(pair))
            this.#addBytes(await pbkdf2(password.normalize('NFC'), salt, 600_000, 64, 'sha256'));
        }),
      ]),
    );
    return opened;
  }

  /** Whether a pair was not tried before. */
  #first(pair: string): boolean {
    if (this.#tried.has(pair)) return false;
    this.#tried.add(pair);
    return true;
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const halves = (bytes: Buffer) => [bytes.subarray(0, 32), bytes.subarray(32)];

/** What programs write and people never type: addresses, JSON, forms, tokens, base64. A derivation takes too long to try all these. */
const isToken = (text: string) =>
  /^(?:[{[/]|Bearer )|[?&]\w+=/.test(text) || /^[A-Za-z0-9+/_-]{12,}={0,2}$/.test(text) || text.length > 80;

/** Derivations are most of what the test takes: a usual run makes some of them, always the same. */
const isDrawn = (text: string, ofSoMany: number) =>
  isAtLength || createHash('sha256').update(text).digest()[0]! % ofSoMany === 0;

const isId = (text: string) => /^[0-9a-f-]{36}$/.test(text) || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

function isPrivateKey(der: Buffer): boolean {
  try {
    createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return true;
  } catch {
    return false;
  }
}

async function unwrapWith(wrapped: WrappedPrivateKey, raw: Buffer): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(raw), 'AES-GCM', false, ['decrypt']);
  return unwrapPrivateKey(wrapped, key);
}

function parseWrappedKey(value: unknown): WrappedPrivateKey {
  const { iv, data } = value as Record<string, unknown>;
  if (Object.keys(value as object).length !== 2 || typeof iv !== 'string' || typeof data !== 'string')
    throw new Error('Not a wrapped key.');
  return { iv, data };
}

function remember<T>(found: Map<string, T>, value: object, parse: (value: unknown) => T): void {
  try {
    const parsed = parse(value);
    found.set(JSON.stringify(parsed), parsed);
  } catch {}
}

async function attempt(opened: Opened[], of: Opened['of'], open: () => Promise<Uint8Array>): Promise<void> {
  try {
    opened.push({ of, plaintext: Buffer.from(await open()) });
  } catch {}
}
