import type { Bytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import {
  type DerElement,
  DerError,
  expectNoParameters,
  readDer,
  readOctets,
  readOid,
  readSequence,
  readSmallInteger,
  TAG,
  writeDer,
  writeOid,
  writeSmallInteger,
} from './der.ts';
import { derivePbkdf2 } from './pbkdf2.ts';

/** An EncryptedPrivateKeyInfo under PBES2 with PBKDF2 and AES-CBC (RFC 5958 section 3, RFC 8018 appendix A). */
export type Pbes2 = Pbkdf2 & {
  cipher: Cipher;
  iv: Uint8Array;
  data: Uint8Array;
};

export type Pbkdf2 = { prf: Prf; salt: Uint8Array; iterations: number };
export type Cipher = keyof typeof CIPHERS;
export type Prf = keyof typeof PRFS;

/** Throws `DerError` for any other structure or scheme, and for parameters beyond the bounds below. */
export function readPbes2(der: Uint8Array): Pbes2 {
  const [scheme, data] = readExactly(readSequence(readDer(der)), 2);
  const [kdf, encryption] = readExactly(readSequence(readAlgorithm(scheme, PBES2)), 2);
  const [cipherOid, ivElement] = readExactly(readSequence(encryption), 2);
  const cipher = nameOf(CIPHERS, readOid(cipherOid));
  const pbkdf2 = readPbkdf2(readAlgorithm(kdf, PBKDF2), CIPHERS[cipher].keyBytes);
  const parsed = { cipher, ...pbkdf2, iv: readOctets(ivElement), data: readOctets(data) };
  if (parsed.iv.length !== BLOCK || parsed.data.length === 0 || parsed.data.length % BLOCK !== 0) {
    throw new DerError('no AES-CBC ciphertext');
  }
  return parsed;
}

export function writePbes2({ cipher, prf, iterations, salt, iv, data }: Pbes2): Bytes {
  const pbkdf2 = sequence(
    writeDer(TAG.octets, salt),
    writeSmallInteger(iterations),
    sequence(writeOid(PRFS[prf].oid), writeDer(TAG.null)),
  );
  const pbes2 = sequence(
    sequence(writeOid(PBKDF2), pbkdf2),
    sequence(writeOid(CIPHERS[cipher].oid), writeDer(TAG.octets, iv)),
  );
  return sequence(sequence(writeOid(PBES2), pbes2), writeDer(TAG.octets, data));
}

/** The AES-CBC key that a passphrase gives under these parameters. */
export async function derivePbes2Key(pbkdf2: Pbkdf2, cipher: Cipher, passphrase: string): Promise<CryptoKey> {
  const { salt, iterations } = pbkdf2;
  const { hash } = PRFS[pbkdf2.prf];
  const raw = await derivePbkdf2(passphrase, { hash, salt, iterations, length: CIPHERS[cipher].keyBytes });
  return globalThis.crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['encrypt', 'decrypt']);
}

/** PBKDF2-params: salt, iterationCount, keyLength OPTIONAL, prf DEFAULT HMAC-SHA1 (RFC 8018 appendix A.2). */
function readPbkdf2(parameters: DerElement, keyBytes: number): Pbkdf2 {
  const [saltElement, iterationsElement, ...optional] = readSequence(parameters);
  const salt = readOctets(saltElement);
  const iterations = readSmallInteger(iterationsElement);
  if (optional[0]?.tag === TAG.integer && readSmallInteger(optional.shift()) !== keyBytes) {
    throw new DerError('key length does not fit the cipher');
  }
  const [prf, ...rest] = optional;
  if (rest.length > 0 || salt.length === 0 || salt.length > MAX_SALT) throw new DerError('unusable PBKDF2');
  if (iterations === 0 || iterations > MAX_ITERATIONS) throw new DerError('unusable iteration count');
  return { prf: prf ? readPrf(prf) : 'HMAC-SHA1', salt, iterations };
}

function readPrf(element: DerElement): Prf {
  const [oid, ...parameters] = readSequence(element);
  expectNoParameters(parameters);
  return nameOf(PRFS, readOid(oid));
}

/** The parameters of an AlgorithmIdentifier that must name this algorithm. */
function readAlgorithm(element: DerElement | undefined, oid: string): DerElement {
  const [named, parameters] = readExactly(readSequence(element), 2);
  if (readOid(named) !== oid || !parameters) throw new DerError('another algorithm');
  return parameters;
}

function readExactly(elements: DerElement[], count: number): DerElement[] {
  if (elements.length !== count) throw new DerError('unexpected number of members');
  return elements;
}

function nameOf<Name extends string>(table: Record<Name, { oid: string }>, oid: string): Name {
  for (const name in table) if (table[name].oid === oid) return name;
  throw new DerError('unknown algorithm');
}

function sequence(...parts: Uint8Array[]): Bytes {
  return writeDer(TAG.sequence, ...parts);
}

export const BLOCK = 16;
const MAX_SALT = 256;
/** A hostile file can keep a processor busy for some seconds at most. */
const MAX_ITERATIONS = 10_000_000;

const PBES2 = '2a864886f70d01050d';
const PBKDF2 = '2a864886f70d01050c';
const PRFS = {
  'HMAC-SHA1': { oid: '2a864886f70d0207', hash: 'SHA-1' },
  'HMAC-SHA256': { oid: '2a864886f70d0209', hash: 'SHA-256' },
  'HMAC-SHA384': { oid: '2a864886f70d020a', hash: 'SHA-384' },
  'HMAC-SHA512': { oid: '2a864886f70d020b', hash: 'SHA-512' },
} as const;
const CIPHERS = {
  'AES-128-CBC': { oid: '608648016503040102', keyBytes: 16 },
  'AES-192-CBC': { oid: '608648016503040116', keyBytes: 24 },
  'AES-256-CBC': { oid: '60864801650304012a', keyBytes: 32 },
} as const;
