import {
  CryptoError,
  checkPublicKey,
  inspectPem,
  parseEncryptedPrivateKey,
  parseWrapper,
  type Wrapper,
} from '@symbolon/crypto';
import type { ErrorKey, ReplaceServiceKeyRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

/**
 * Checks the keys that a company made for a service (wire 2.2); gives the copy of the passphrase for its recovery key.
 * @throws {PlatformError} services.public_key_invalid, services.encrypted_private_key_invalid,
 *   services.private_key_pem_invalid, contact_data.wrapper_invalid
 */
export async function checkServiceKey(request: ReplaceServiceKeyRequest): Promise<Wrapper | undefined> {
  await refuseCryptoError('services.public_key_invalid', () => checkPublicKey(request.public_key));
  await refuseCryptoError('services.encrypted_private_key_invalid', () =>
    parseEncryptedPrivateKey(request.encrypted_private_key),
  );
  await checkPem(request.private_key_pem);
  const copy = request.passphrase_recovery_copy;
  if (copy === undefined) return undefined;
  return refuseCryptoError('contact_data.wrapper_invalid', () => parseWrapper(copy));
}

/** The download opens with OpenSSL and the passphrase, at the strength of wire 2.2; nothing else is kept as one. */
async function checkPem(pem: string | undefined): Promise<void> {
  if (pem === undefined) return;
  const found = await refuseCryptoError('services.private_key_pem_invalid', () => inspectPem(pem));
  if (found.cipher !== 'AES-256-CBC' || found.prf !== 'HMAC-SHA256' || found.iterations < 100_000) {
    throw new PlatformError('services.private_key_pem_invalid');
  }
}

/** Key material that does not hold water is refused under the key that names it. */
async function refuseCryptoError<T>(key: ErrorKey, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof CryptoError) throw new PlatformError(key, { cause: error });
    throw error;
  }
}
