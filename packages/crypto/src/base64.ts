import { asBytes, type Bytes } from './bytes.ts';
import { CryptoError } from './errors.ts';

/** Standard alphabet, padded, one line (RFC 4648 section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  return (bytes as NativeBytes).toBase64?.() ?? encodeInScript(bytes);
}

/**
 * Strict inverse of {@link encodeBase64}: exactly one text stands for a given sequence of bytes. Line breaks, the
 * URL alphabet, missing padding and non-zero trailing bits (RFC 4648 section 3.5) are refused.
 *
 * @throws CryptoError `base64_invalid`
 */
export function decodeBase64(text: string): Bytes {
  const bytes = Native.fromBase64 ? decodeNative(text, Native.fromBase64) : decodeInScript(text);
  if (!bytes) throw new CryptoError('base64_invalid');
  return bytes;
}

/** The number of bytes a canonical base64 text stands for, or `undefined` for any other text. Allocates nothing. */
export function base64Length(text: string): number | undefined {
  if (text.length % 4 !== 0) return undefined;
  const padding = paddingOf(text);
  const digits = text.length - padding;
  let seen = 0;
  for (let index = 0; index < digits; index++) seen |= digitAt(text, index);
  if (seen & INVALID) return undefined;
  if (padding !== 0 && digitAt(text, digits - 1) & TRAILING_BITS[padding]) return undefined;
  return (text.length / 4) * 3 - padding;
}

/** Used where the runtime has no `Uint8Array.prototype.toBase64`. */
export function encodeInScript(bytes: Uint8Array): string {
  const whole = bytes.length - (bytes.length % 3);
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let out = 0;
  for (let index = 0; index < whole; index += 3) {
    const group = (at(bytes, index) << 16) | (at(bytes, index + 1) << 8) | at(bytes, index + 2);
    codes[out++] = at(CODES, group >> 18);
    codes[out++] = at(CODES, (group >> 12) & 63);
    codes[out++] = at(CODES, (group >> 6) & 63);
    codes[out++] = at(CODES, group & 63);
  }
  if (whole < bytes.length) {
    const group = (at(bytes, whole) << 16) | (at(bytes, whole + 1) << 8);
    codes[out++] = at(CODES, group >> 18);
    codes[out++] = at(CODES, (group >> 12) & 63);
    codes[out++] = whole + 1 < bytes.length ? at(CODES, (group >> 6) & 63) : PAD;
    codes[out++] = PAD;
  }
  return ascii.decode(codes);
}

/** Used where the runtime has no `Uint8Array.fromBase64`. */
export function decodeInScript(text: string): Bytes | undefined {
  const length = base64Length(text);
  if (length === undefined) return undefined;
  const bytes = new Uint8Array(length);
  let out = 0;
  for (let index = 0; index < text.length; index += 4) {
    const group =
      (digitAt(text, index) << 18) |
      (digitAt(text, index + 1) << 12) |
      ((digitAt(text, index + 2) & 63) << 6) |
      (digitAt(text, index + 3) & 63);
    // Writes past the end, which padding causes in the last group, are ignored by typed arrays.
    bytes[out++] = group >> 16;
    bytes[out++] = group >> 8;
    bytes[out++] = group;
  }
  return bytes;
}

function decodeNative(text: string, fromBase64: FromBase64): Bytes | undefined {
  try {
    const bytes = asBytes(fromBase64.call(Uint8Array, text, { lastChunkHandling: 'strict' }));
    // The native decoder skips white space even in strict mode; the length shows it.
    return Math.ceil(bytes.length / 3) * 4 === text.length ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function paddingOf(text: string): 0 | 1 | 2 {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

function digitAt(text: string, index: number): number {
  return DIGITS[text.charCodeAt(index)] ?? INVALID;
}

function at(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

type FromBase64 = (text: string, options: { lastChunkHandling: 'strict' }) => Uint8Array;
type NativeBytes = { toBase64?: () => string };

const Native = Uint8Array as { fromBase64?: FromBase64 };
const INVALID = 128;
const PAD = '='.charCodeAt(0);
const TRAILING_BITS = { 1: 0b11, 2: 0b1111 } as const;
const ascii = new TextDecoder();
const CODES = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const DIGITS = new Uint8Array(256).fill(INVALID);
for (const [digit, code] of CODES.entries()) DIGITS[code] = digit;
