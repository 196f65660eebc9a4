import { hash, type KeyObject } from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;

/**
 * HMAC-SHA-256 (RFC 2104) under one key, for texts. The same bytes as `createHmac`, at a fraction of its time: two one-shot
 * hashes need no native object to be set up and collected, and every request of a machine makes one or two of these.
 */
export class HmacSha256 {
  /** The key xor ipad, then room for the text. */
  #inner: Buffer;
  /** The key xor opad, then room for the inner digest. */
  readonly #outer: Buffer;

  /** @param key of at most 64 bytes, which is taken as it is */
  constructor(key: KeyObject) {
    const bytes = key.export();
    if (bytes.length > BLOCK) throw new RangeError('The key is longer than a block.');
    this.#inner = Buffer.alloc(BLOCK + 512, 0);
    this.#inner.fill(0x36, 0, BLOCK);
    this.#outer = Buffer.alloc(BLOCK + DIGEST, 0x5c);
    for (const [index, byte] of bytes.entries()) {
      this.#inner[index] = byte ^ 0x36;
      this.#outer[index] = byte ^ 0x5c;
    }
    bytes.fill(0);
  }

  /** The code of a text's UTF-8 bytes. */
  digest(text: string, encoding: 'hex' | 'base64url'): string {
    // A character takes at most three bytes of UTF-8.
    if (BLOCK + text.length * 3 > this.#inner.length) this.#grow(BLOCK + text.length * 3);
    const end = BLOCK + this.#inner.write(text, BLOCK, 'utf8');
    const inner = hash('sha256', this.#inner.subarray(0, end), 'binary');
    this.#inner.fill(0, BLOCK, end);
    this.#outer.write(inner, BLOCK, 'latin1');
    return hash('sha256', this.#outer, encoding);
  }

  #grow(length: number): void {
    const larger = Buffer.alloc(length);
    this.#inner.copy(larger, 0, 0, BLOCK);
    this.#inner.fill(0);
    this.#inner = larger;
  }
}
