import {
  checkPublicKey,
  inspectPem,
  parseEncryptedPrivateKey,
  parseWrapper,
  type Wrapper,
} from '@symbolon/crypto';
import type { ReplaceServiceKeyRequest } from '@symbolon/protocol';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
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

/** Refuses a PEM that OpenSSL would not open with the passphrase, or that is weaker than wire 2.2 asks for. */
async function checkPem(pem: string | undefined): Promise<void> {
  if (pem === undefined) return;
  const found = await refuseCryptoError('services.private_key_pem_invalid', () => inspectPem(pem));
  if (found.cipher !== 'AES-256-CBC' || found.prf !== 'HMAC-SHA256' || found.iterations < 100_000) {
    throw new PlatformError('services.private_key_pem_invalid');
  }
}
