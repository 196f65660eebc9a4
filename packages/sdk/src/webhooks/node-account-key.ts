import { type CryptoKey, importPrivateKey } from '@symbolon/crypto';
import { loadPrivateKey } from '../data/options.ts';
import type { PrivateKeySource } from '../values/private-key-source.ts';

/** Reads files and every PEM that OpenSSL reads, at once. */
export function loadAccountKey(source: PrivateKeySource): Promise<CryptoKey> {
  return importPrivateKey(loadPrivateKey(source).export({ type: 'pkcs8', format: 'der' }), 'SHA-1');
}
