import { createHmac, timingSafeEqual } from 'node:crypto';
import { childrenOf } from '../../asn1/read.ts';
import { decrypt, roundsOf } from './decrypt.ts';
import { derivedKey, PURPOSE } from './passwords.ts';
import { algorithmOf, octetsOf, oidOf } from './values.ts';

const CONTENT = { data: '1.2.840.113549.1.7.1', encrypted: '1.2.840.113549.1.7.6' };
const BAG = {
  key: '1.2.840.113549.1.12.10.1.1',
  encryptedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
};
const HASHES: Readonly<Record<string, { readonly name: string; readonly bytes: number }>> = {
  '1.2.840.113549.2.5': { name: 'md5', bytes: 16 },
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64 },
};

/** What a file holds, as DER. */
export interface Opened {
  /** PKCS#8. */
  readonly keys: Uint8Array[];
  /** X.509. */
  readonly certificates: Uint8Array[];
}

/**
 * Opens a PKCS#12 file (RFC 7292) that is protected with a password.
 * @throws for a wrong password, or when it is no such file
 */
export function openPkcs12(bytes: Uint8Array, password: string): Opened {
  const [, authenticated, mac] = childrenOf(bytes);
  const safe = dataOf(authenticated);
  if (mac) checkMac(mac, safe, password);
  const opened: Opened = { keys: [], certificates: [] };
  for (const content of childrenOf(safe)) {
    for (const bag of childrenOf(contentOf(content, password))) readBag(bag, password, opened);
  }
  return opened;
}

/** A ContentInfo: what its octets hold. */
function dataOf(content: Uint8Array | undefined): Uint8Array {
  const [type, wrapped] = childrenOf(content ?? new Uint8Array());
  if (oidOf(type) !== CONTENT.data) throw new Error('The file is protected by a certificate');
  return octetsOf(inner(wrapped));
}

function contentOf(content: Uint8Array, password: string): Uint8Array {
  const [type, wrapped] = childrenOf(content);
  if (oidOf(type) !== CONTENT.encrypted) return dataOf(content);
  const [, encrypted] = childrenOf(inner(wrapped));
  const [, algorithm, data] = childrenOf(encrypted ?? new Uint8Array());
  if (!algorithm || !data) throw new Error('There is nothing encrypted');
  return decrypt(algorithm, implicitOctets(data), password);
}

function readBag(bag: Uint8Array, password: string, { keys, certificates }: Opened): void {
  const [type, wrapped] = childrenOf(bag);
  const value = inner(wrapped);
  const id = oidOf(type);
  if (id === BAG.key) keys.push(value);
  if (id === BAG.encryptedKey) {
    const [algorithm, data] = childrenOf(value);
    keys.push(decrypt(algorithm ?? new Uint8Array(), octetsOf(data), password));
  }
  if (id === BAG.certificate) certificates.push(octetsOf(inner(childrenOf(value)[1])));
}

/** RFC 7292 section 4. */
function checkMac(mac: Uint8Array, safe: Uint8Array, password: string): void {
  const [info, salt, rounds] = childrenOf(mac);
  const [algorithm, digest] = childrenOf(info ?? new Uint8Array());
  const hash = HASHES[algorithmOf(algorithm).id];
  if (!hash) throw new Error('The checksum is of another kind');
  const derivation = { password, salt: octetsOf(salt), rounds: rounds ? roundsOf(rounds) : 1 };
  const key = derivedKey(hash.name, PURPOSE.mac, derivation, hash.bytes);
  const [computed, stored] = [createHmac(hash.name, key).update(safe).digest(), octetsOf(digest)];
  if (computed.length !== stored.length || !timingSafeEqual(computed, stored))
    throw new Error('The checksum differs');
}

/** What an explicit tag is around. */
function inner(wrapped: Uint8Array | undefined): Uint8Array {
  const [value] = childrenOf(wrapped ?? new Uint8Array());
  if (!value) throw new Error('A value is missing');
  return value;
}

/** Octets with a tag of their own in place of the usual one; they may come in parts. */
function implicitOctets(element: Uint8Array): Uint8Array {
  const usual = Uint8Array.from(element);
  usual[0] = 0x04 | ((element[0] ?? 0) & 0x20);
  return octetsOf(usual);
}
