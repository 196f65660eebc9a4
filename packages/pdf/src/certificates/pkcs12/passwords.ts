import { createHash } from 'node:crypto';

/** What a key of PKCS#12 is for (RFC 7292 appendix B.3). */
export const PURPOSE = { key: 1, iv: 2, mac: 3 } as const;

/** The bytes that a hash works on at a time. */
const BLOCKS: Readonly<Record<string, number>> = {
  md5: 64,
  sha1: 64,
  sha256: 64,
  sha384: 128,
  sha512: 128,
};

export interface Derivation {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly rounds: number;
}

/** Derives a key from a password as PKCS#12 does (RFC 7292 appendix B.2). */
export function derivedKey(
  hash: string,
  purpose: number,
  { password, salt, rounds }: Derivation,
  length: number,
): Buffer {
  const block = BLOCKS[hash];
  if (block === undefined) throw new Error(`Keys are not derived with ${hash}`);
  const input = Buffer.concat([filled(salt, block), filled(utf16(password), block)]);
  const diversifier = Buffer.alloc(block, purpose);
  const parts: Buffer[] = [];
  for (let made = 0; made < length; ) {
    let part = digest(hash, Buffer.concat([diversifier, input]));
    for (let round = 1; round < rounds; round++) part = digest(hash, part);
    parts.push(part);
    made += part.length;
    const summand = filled(part, block).subarray(0, block);
    for (let at = 0; at < input.length; at += block) addOneMore(input.subarray(at, at + block), summand);
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Repeated up to a multiple of the block. */
function filled(bytes: Uint8Array, block: number): Buffer {
  return bytes.length === 0
    ? Buffer.alloc(0)
    : Buffer.alloc(Math.ceil(bytes.length / block) * block, Buffer.from(bytes));
}

/** Adds a number and one to a number, without what does not fit. */
function addOneMore(number: Buffer, summand: Buffer): void {
  let carry = 1;
  for (let at = number.length - 1; at >= 0; at--) {
    carry += (number[at] ?? 0) + (summand[at] ?? 0);
    number[at] = carry & 0xff;
    carry >>= 8;
  }
}

/** A BMPString with a zero at its end (appendix B.1). */
function utf16(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16();
}

function digest(hash: string, bytes: Uint8Array): Buffer {
  return createHash(hash).update(bytes).digest();
}
