import { generateKeyPair, type KeyPair } from '@symbolon/crypto';
import { RUN_FOLDER_VARIABLE, valueMadeOnce } from './made-once.ts';

/*
 * Half the time of a test that registers companies and people goes into two operations of WebCrypto. In a run of tests, whatever loads
 * this module does each of them once:
 * - an RSA key takes a tenth of a second to make, so the first ones of a process come from a store that all processes share, each of
 *   them once;
 * - a key derived from a password takes two tenths, so it is remembered: the same password and salt give the same key.
 */

const READY = 32;
const { subtle } = globalThis.crypto;
const original = {
  generateKey: subtle.generateKey.bind(subtle) as (...args: unknown[]) => Promise<CryptoKeyPair>,
  importKey: subtle.importKey.bind(subtle) as (...args: unknown[]) => Promise<CryptoKey>,
  deriveBits: subtle.deriveBits.bind(subtle) as (...args: unknown[]) => Promise<ArrayBuffer>,
};
let ready: Promise<readonly KeyPair[]> | undefined;
let taken = 0;
const passwords = new WeakMap<CryptoKey, string>();
const derived = new Map<string, Promise<ArrayBuffer>>();

if (process.env[RUN_FOLDER_VARIABLE] !== undefined) {
  Object.assign(subtle, { generateKey });
  rememberDerivations();
}

/** In a process that makes keys of its own. */
export function rememberDerivations(): void {
  Object.assign(subtle, { importKey, deriveBits });
}

async function generateKey(...args: unknown[]): Promise<CryptoKeyPair> {
  const [algorithm, extractable, usages] = args as [Partial<RsaHashedKeyGenParams>, boolean, KeyUsage[]];
  const isUsual = algorithm.name === 'RSA-OAEP' && algorithm.modulusLength === 2048 && extractable;
  if (!isUsual || taken === READY) return original.generateKey(...args);
  const index = taken++;
  ready ??= valueMadeOnce('ready-keys', () => freshKeys(READY));
  const pair = (await ready)[index] as KeyPair;
  const form = { name: algorithm.name, hash: algorithm.hash };
  const [publicKey, privateKey] = await Promise.all([
    original.importKey('spki', Buffer.from(pair.publicKey, 'base64'), form, true, usages.filter(isPublic)),
    original.importKey(
      'pkcs8',
      pair.privateKey,
      form,
      true,
      usages.filter((usage) => !isPublic(usage)),
    ),
  ]);
  return { publicKey, privateKey };
}

const isPublic = (usage: KeyUsage) => usage === 'encrypt' || usage === 'wrapKey';

/** Keys that are in no store: no other code has them. */
export async function freshKeys(count: number): Promise<KeyPair[]> {
  const { generateKey: present } = subtle;
  Object.assign(subtle, { generateKey: original.generateKey });
  try {
    return await Promise.all(Array.from({ length: count }, generateKeyPair));
  } finally {
    Object.assign(subtle, { generateKey: present });
  }
}

async function importKey(...args: unknown[]): Promise<CryptoKey> {
  const [, data, algorithm] = args as [string, Uint8Array, unknown];
  const key = await original.importKey(...args);
  if (algorithm === 'PBKDF2') passwords.set(key, textOf(data));
  return key;
}

function deriveBits(...args: unknown[]): Promise<ArrayBuffer> {
  const [algorithm, key, length] = args as [Pbkdf2Params, CryptoKey, number];
  const password = passwords.get(key);
  if (algorithm.name !== 'PBKDF2' || password === undefined) return original.deriveBits(...args);
  const { hash, iterations, salt } = algorithm;
  const name = JSON.stringify([password, textOf(salt as Uint8Array), hash, iterations, length]);
  const known = derived.get(name) ?? original.deriveBits(...args);
  derived.set(name, known);
  return known.then((bits) => bits.slice(0));
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
