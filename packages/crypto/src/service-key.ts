import { generateKeyPair } from './keys.ts';
import { encryptPem } from './pem.ts';
import { type EncryptedPrivateKey, encryptPrivateKey, generatePassphrase } from './private-key-recipe.ts';

export type ServiceKey = {
  /** Base64 SPKI: goes to the server as `public_key`. */
  publicKey: string;
  /** Goes to the server as `encrypted_private_key`. */
  encryptedPrivateKey: EncryptedPrivateKey;
  /** Opens both encrypted forms. Shown once, stays with the company. */
  passphrase: string;
  /** The download: an encrypted PKCS#8 PEM that OpenSSL opens with the passphrase. */
  privateKeyPem: string;
};

/** The keys of a new service. They are made by the company, never on the server (wire 2.2). */
export async function createServiceKey(): Promise<ServiceKey> {
  const passphrase = generatePassphrase();
  const { publicKey, privateKey } = await generateKeyPair();
  const [encryptedPrivateKey, privateKeyPem] = await Promise.all([
    encryptPrivateKey(privateKey, passphrase),
    encryptPem(privateKey, passphrase),
  ]);
  privateKey.fill(0);
  return { publicKey, encryptedPrivateKey, passphrase, privateKeyPem };
}
