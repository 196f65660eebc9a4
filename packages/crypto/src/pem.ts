import { asBytes, type Bytes, randomBytes } from './bytes.ts';
import { readDer, readOctets, readOid, readSequence, readSmallInteger } from './der.ts';
import { CryptoError } from './errors.ts';
import { BLOCK, type Cipher, derivePbes2Key, type Pbkdf2 } from './pbes2.ts';
import { readEncryptedPem, writeEncryptedPem } from './pem-text.ts';

/**
 * The downloadable service private key: an encrypted PKCS#8 PEM, PBES2 with PBKDF2-HMAC-SHA-256, 100,000
 * iterations and AES-256-CBC, which OpenSSL opens (wire 2.2).
 *
 * @param pkcs8 PKCS#8 DER, not encrypted
 * @param passphrase used as UTF-8
 */
export async function encryptPem(pkcs8: Uint8Array, passphrase: string): Promise<string> {
  const cipher: Cipher = 'AES-256-CBC';
  const pbkdf2: Pbkdf2 = { prf: 'HMAC-SHA256', salt: randomBytes(16), iterations: 100_000 };
  const key = await derivePbes2Key(pbkdf2, cipher, passphrase);
  const iv = randomBytes(BLOCK);
  const data = await globalThis.crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, asBytes(pkcs8));
  return writeEncryptedPem({ ...pbkdf2, cipher, iv, data: new Uint8Array(data) });
}

/**
 * The PKCS#8 DER inside an encrypted PEM. It also opens PEMs of OpenSSL with other
 * iteration counts, salts and AES key sizes, and with HMAC-SHA-1, 384 and 512 (AES-192 not in every browser).
 *
 * @throws CryptoError `pem_malformed` (also for a cipher the runtime lacks), `passphrase_wrong`
 */
export async function decryptPem(pem: string, passphrase: string): Promise<Bytes> {
  const { cipher, iv, data, ...pbkdf2 } = readEncryptedPem(pem);
  const key = await derivePbes2Key(pbkdf2, cipher, passphrase).catch(() => undefined);
  if (!key) throw new CryptoError('pem_malformed', `This runtime cannot do ${cipher}.`);
  try {
    const algorithm = { name: 'AES-CBC', iv: asBytes(iv) };
    const pkcs8 = new Uint8Array(await globalThis.crypto.subtle.decrypt(algorithm, key, asBytes(data)));
    expectPrivateKeyInfo(pkcs8);
    return pkcs8;
  } catch {
    throw new CryptoError('passphrase_wrong');
  }
}

/** One wrong passphrase in 256 gives valid CBC padding by chance, but no PKCS#8 structure. */
function expectPrivateKeyInfo(der: Uint8Array): void {
  const [version, algorithm, privateKey] = readSequence(readDer(der));
  readSmallInteger(version);
  readOid(readSequence(algorithm)[0]);
  readOctets(privateKey);
}
