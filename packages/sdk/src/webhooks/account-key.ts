import type { AccountPrivateKey, CryptoKey } from '@symbolon/crypto';
import { loadAccountKey } from '#account-key';
import { ConfigurationError } from '../http/errors.ts';
import type { PrivateKeySource } from '../values/private-key-source.ts';

/** The company's account private key: a PEM with its passphrase, the path of a PEM, PKCS#8 DER, or an imported key. */
export type AccountKeySource = PrivateKeySource | AccountPrivateKey;

/**
 * The key that opens the envelopes of `encrypt_payload`, whose OAEP digest is SHA-1 (wire 6.4). In Node, a key that
 * cannot be used throws synchronously. Elsewhere the promise rejects, and the source is DER or an imported key:
 * `decryptPem` of `@symbolon/crypto` opens the PEM.
 *
 * @throws ConfigurationError `sdk.private_key`, `sdk.configuration`
 */
export function importAccountKey(source: AccountKeySource): Promise<CryptoKey> {
  if (source instanceof globalThis.CryptoKey) return Promise.resolve(checkedDigest(source));
  return loadAccountKey(source instanceof Uint8Array ? { pkcs8: source } : source);
}

function checkedDigest(key: CryptoKey): CryptoKey {
  const { name, hash } = key.algorithm as { name: string; hash?: { name: string } };
  if (name === 'RSA-OAEP' && hash?.name === 'SHA-1') return key;
  throw new ConfigurationError({
    errorKey: 'sdk.private_key',
    message: 'The account key must be imported for RSA-OAEP with SHA-1.',
  });
}
