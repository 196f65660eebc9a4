import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decryptPem } from '@symbolon/crypto';
import type { PrivateKeySource } from '@symbolon/sdk';
import { Problem } from '../problem.ts';

/** The configured private key as PKCS#8 DER. @throws Problem, CryptoError */
export async function pkcs8Of(source: PrivateKeySource): Promise<Uint8Array> {
  if ('pkcs8' in source) return source.pkcs8;
  const pem = 'file' in source ? readFileSync(source.file, 'utf8') : source.pem;
  if (!pem.includes('-----BEGIN ')) throw new Problem(notPem(pem));
  if (pem.includes('ENCRYPTED')) {
    if (!source.passphrase)
      throw new Problem('The private key is encrypted, and no passphrase is configured.');
    return decryptPem(pem, source.passphrase);
  }
  try {
    return createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' });
  } catch {
    throw new Problem('The private key is a damaged PEM.');
  }
}

/** Tells of the JSON in which the platform keeps a key, which is easily taken for the PEM. */
function notPem(text: string): string {
  const isJson = text.trimStart().startsWith('{');
  return `The private key is not a PEM.${isJson ? ' It is JSON: symbolon keys pem makes a PEM of encrypted_private_key.' : ''}`;
}
