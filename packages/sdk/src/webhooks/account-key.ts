import type { CryptoKey } from '@symbolon/crypto';
import { type AccountPrivateKey, importPrivateKey } from '@symbolon/crypto';
import { loadPrivateKey, type PrivateKeySource } from '../data/options.ts';
import { ConfigurationError } from '../http/errors.ts';

/** The company's account private key: a PEM with its passphrase, the path of a PEM, PKCS#8 DER, or an imported key. */
export type AccountKeySource = PrivateKeySource | AccountPrivateKey;

/**
 * The key that opens the envelopes of `encrypt_payload`, whose OAEP digest is SHA-1 (wire 6.4). A key that
 * cannot be used throws synchronously.
 *
 * @throws ConfigurationError `sdk.private_key`, `sdk.configuration`
 */
export function importAccountKey(source: AccountKeySource): Promise<CryptoKey> {
  if (source instanceof globalThis.CryptoKey) return Promise.resolve(checkedDigest(source));
  const key = loadPrivateKey(source instanceof Uint8Array ? { pkcs8: source } : source);
  return importPrivateKey(key.export({ type: 'pkcs8', format: 'der' }), 'SHA-1');
}

function checkedDigest(key: CryptoKey): CryptoKey {
  const { name, hash } = key.algorithm as RsaHashedKeyAlgorithm;
  if (name === 'RSA-OAEP' && hash.name === 'SHA-1') return key;
  throw new ConfigurationError({
    errorKey: 'sdk.private_key',
    message: 'The account key must be imported for RSA-OAEP with SHA-1.',
  });
}
