import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { childrenOf } from '../../asn1/read.ts';
import { PdfError } from '../../errors.ts';
import { derivedKey, PURPOSE } from './passwords.ts';
import { algorithmOf, numberOf, octetsOf } from './values.ts';

const PBES2 = '1.2.840.113549.1.5.13';
const PBKDF2 = '1.2.840.113549.1.5.12';
/** With keys of PKCS#12 (RFC 7292 appendix C). */
const TRIPLE_DES = '1.2.840.113549.1.12.1.3';
/** With 128 bits and with 40. */
const RC2 = ['1.2.840.113549.1.12.1.5', '1.2.840.113549.1.12.1.6'];

const HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHERS: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', bytes: 24 },
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', bytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', bytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', bytes: 32 },
};
/** A file is the operator's own; a mistyped number must not hold the start for ever. */
const MOST_ROUNDS = 10_000_000;

/** Decrypts with a password. @param algorithm its AlgorithmIdentifier @throws for a wrong password, or another algorithm */
export function decrypt(algorithm: Uint8Array, data: Uint8Array, password: string): Buffer {
  const { id, parameters } = algorithmOf(algorithm);
  if (id === PBES2) return decryptPbes2(parameters, data, password);
  if (RC2.includes(id))
    throw new PdfError('certificate_unusable', {
      message:
        'The PKCS#12 file is encrypted with RC2, which protects nothing today. Export it again with AES-256: choose that in Windows, or run openssl pkcs12 -legacy -in old.p12 -nodes | openssl pkcs12 -export -out new.p12.',
    });
  const [salt, rounds] = childrenOf(parameters);
  const derivation = { password, salt: octetsOf(salt), rounds: roundsOf(rounds) };
  const key = (length: number) => derivedKey('sha1', PURPOSE.key, derivation, length);
  const iv = derivedKey('sha1', PURPOSE.iv, derivation, 8);
  if (id === TRIPLE_DES) return decipher('des-ede3-cbc', key(24), iv, data);
  throw new Error(`Files are not encrypted with ${id}`);
}

/** RFC 8018 section 6.2. */
function decryptPbes2(parameters: Uint8Array, data: Uint8Array, password: string): Buffer {
  const [derivation, scheme] = childrenOf(parameters).map(algorithmOf);
  const cipher = CIPHERS[scheme?.id ?? ''];
  if (derivation?.id !== PBKDF2 || !scheme || !cipher)
    throw new Error('The file is encrypted in another way');
  const [salt, rounds, ...rest] = childrenOf(derivation.parameters);
  // The length of the key may stand before the function.
  const last = rest.at(-1);
  const hash = last?.[0] === 0x30 ? HASHES[algorithmOf(last).id] : 'sha1';
  if (hash === undefined) throw new Error('The key is derived in another way');
  const key = pbkdf2Sync(password, octetsOf(salt), roundsOf(rounds), cipher.bytes, hash);
  return decipher(cipher.name, key, octetsOf(scheme.parameters), data);
}

function decipher(name: string, key: Buffer, iv: Uint8Array, data: Uint8Array): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

export function roundsOf(element: Uint8Array | undefined): number {
  const rounds = numberOf(element);
  if (rounds < 1 || rounds > MOST_ROUNDS) throw new Error(`The key takes ${rounds} rounds`);
  return rounds;
}
