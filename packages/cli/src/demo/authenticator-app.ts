import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;

/** An authenticator app (RFC 6238). It may be a step ahead, which is accepted, so that a second code need not be waited for. */
export class AuthenticatorApp {
  readonly #secret: Buffer;
  #last = 0;

  /** @param secret in base32, as the platform shows it */
  constructor(secret: string) {
    this.#secret = fromBase32(secret);
  }

  /** The next code: each is good once. */
  next(): string {
    this.#last = Math.max(this.#last + 1, Math.floor(Date.now() / STEP_MS));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(this.#last));
    const mac = createHmac('sha1', this.#secret).update(counter).digest();
    const number = mac.readUInt32BE(mac.readUInt8(mac.length - 1) & 0xf) & 0x7fff_ffff;
    return String(number % 1_000_000).padStart(6, '0');
  }
}

function fromBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(text, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
