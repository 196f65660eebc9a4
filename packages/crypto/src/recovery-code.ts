import { type Bytes, randomBytes } from './bytes.ts';
import { CryptoError } from './errors.ts';

/** A fresh recovery code: 32 random bytes in Crockford's base 32, thirteen groups of four with dashes between. */
export function generateRecoveryCode(): string {
  return formatRecoveryCode(randomBytes(32));
}

/**
 * Reads a recovery code as a person types it: in any case, with spaces and dashes anywhere, `O` for `0`, `I` or `L` for
 * `1`.
 *
 * @throws CryptoError `key_invalid`
 */
export function parseRecoveryCode(text: string): Bytes {
  const digits = text
    .replace(/[\s\p{Dash}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  if (digits.length !== 52) throw new CryptoError('key_invalid', 'A recovery code has 52 characters.');
  const bits = Array.from(digits, digitBits).join('');
  if (bits.slice(256) !== '0000') throw new CryptoError('key_invalid', 'The recovery code is mistyped.');
  return Uint8Array.from(bits.slice(0, 256).match(/.{8}/g) ?? [], (octet) => Number.parseInt(octet, 2));
}

/** The text form of 32 bytes; the last four of its 260 bits are zero. */
export function formatRecoveryCode(bytes: Uint8Array): string {
  const bits = `${Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')}0000`;
  const digits = Array.from(bits.match(/.{5}/g) ?? [], (group) => ALPHABET[Number.parseInt(group, 2)]);
  return digits.join('').replace(/.{4}(?=.)/g, '$&-');
}

function digitBits(digit: string): string {
  const value = ALPHABET.indexOf(digit);
  if (value < 0)
    throw new CryptoError('key_invalid', 'The recovery code has a character that none contains.');
  return value.toString(2).padStart(5, '0');
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
