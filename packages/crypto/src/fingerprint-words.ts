import { wordlist } from '@scure/bip39/wordlists/english.js';
import { CryptoError } from './errors.ts';
import { derivePbkdf2 } from './pbkdf2.ts';

/**
 * Four words of the BIP-39 English list that stand for a public key. Two people compare them over another channel, for
 * example on the telephone, before one of them trusts the key.
 *
 * Four words are 44 bits. Another key with the same words could be searched for, so the fingerprint is stretched by PBKDF2
 * first: each try costs the searcher 600,000 iterations.
 *
 * @param sha256 the key's fingerprint: 64 hexadecimal digits
 * @throws CryptoError `key_invalid` for another text
 */
export async function fingerprintWords(sha256: string): Promise<string> {
  const digits = sha256.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digits)) {
    throw new CryptoError('key_invalid', 'A fingerprint has 64 hexadecimal digits.');
  }
  const bytes = await derivePbkdf2(digits, { hash: 'SHA-256', salt: LABEL, iterations: 600_000, length: 8 });
  const view = new DataView(bytes.buffer);
  return [0, 2, 4, 6].map((at) => wordlist[view.getUint16(at) % wordlist.length]).join(' ');
}

const LABEL = new TextEncoder().encode('symbolon fingerprint words');
