import { type CryptoKey, importPrivateKey } from '@symbolon/crypto';
import { ConfigurationError } from '../http/errors.ts';
import type { PrivateKeySource } from '../values/private-key-source.ts';

/** Where only Web Crypto is. Receivers there stay small, so that what opens a PEM comes by an import of their own. */
export async function loadAccountKey(source: PrivateKeySource): Promise<CryptoKey> {
  if (!('pkcs8' in source))
    throw refuse('Outside of Node, open the PEM first: { pkcs8: await decryptPem(pem, passphrase) }.');
  // The cause is left out, because its text could contain a part of the key.
  return importPrivateKey(source.pkcs8, 'SHA-1').catch(() => {
    throw refuse('The account key is no RSA-2048 key in PKCS#8.');
  });
}

function refuse(message: string): ConfigurationError {
  return new ConfigurationError({ errorKey: 'sdk.private_key', message });
}
