import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { checkPublicKey, decodeBase64, decryptPem, fingerprint } from '@symbolon/crypto';
import { Problem } from '../problem.ts';

export type PublicKeyView = {
  /** Base64 of the DER SPKI. */
  publicKey: string;
  /** Lower-case hex SHA-256 of the DER. */
  sha256: string;
};

/**
 * The public key in any usual form: SPKI as PEM, base64 or DER, or a private key in PEM or DER.
 *
 * @param passphrase asked for only when the key is encrypted
 * @throws Problem when it is no RSA-2048 key
 */
export async function readPublicKey(
  bytes: Buffer,
  passphrase: () => Promise<string>,
): Promise<PublicKeyView> {
  const text = bytes.toString('latin1').trim();
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----/.test(text)) {
    return publicKeyOf(await decryptPem(text, await passphrase()));
  }
  const key = text.includes('-----BEGIN ') ? fromPem(text) : (fromDer(asBase64(text)) ?? fromDer(bytes));
  if (key === undefined) throw new Problem('This is no public key: give SPKI as PEM, base64 or DER.');
  return viewOf(key);
}

/** The public half of a PKCS#8 DER. */
export function publicKeyOf(pkcs8: Uint8Array): Promise<PublicKeyView> {
  return viewOf(createPublicKey(createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })));
}

/** The public key as an SPKI PEM. */
export function publicKeyPem(publicKey: string): string {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return key.export({ format: 'pem', type: 'spki' }).toString();
}

async function viewOf(key: KeyObject): Promise<PublicKeyView> {
  const publicKey = key.export({ format: 'der', type: 'spki' }).toString('base64');
  await checkPublicKey(publicKey).catch(() => {
    const bits = key.asymmetricKeyDetails?.modulusLength;
    const kind = `${key.asymmetricKeyType?.toUpperCase()}${bits === undefined ? '' : `-${bits}`}`;
    throw new Problem(`This is a key of type ${kind}; Symbolon's are RSA-2048 with exponent 65537.`);
  });
  return { publicKey, sha256: await fingerprint(publicKey) };
}

function fromPem(pem: string): KeyObject | undefined {
  return attempt(() => createPublicKey({ key: pem, format: 'pem' }));
}

function fromDer(der: Uint8Array | undefined): KeyObject | undefined {
  if (der === undefined) return undefined;
  const key = Buffer.from(der);
  return (
    attempt(() => createPublicKey({ key, format: 'der', type: 'spki' })) ??
    attempt(() => createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })))
  );
}

function asBase64(text: string): Uint8Array | undefined {
  return attempt(() => decodeBase64(text.replaceAll(/\s+/g, '')));
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
