import { parseWrapper, type Wrapper } from '@symbolon/crypto';
import type { ReplaceServiceKeyRequest } from '@symbolon/protocol';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { checkKeyPair } from '../../../core/key-pair.ts';

/**
 * Checks the keys that a company made for a service (wire 2.2); gives the copy of the passphrase for its recovery key.
 * @throws {PlatformError} services.public_key_invalid, services.encrypted_private_key_invalid,
 *   services.private_key_pem_invalid, contact_data.wrapper_invalid
 */
export async function checkServiceKey(request: ReplaceServiceKeyRequest): Promise<Wrapper | undefined> {
  await checkKeyPair(request, {
    publicKey: 'services.public_key_invalid',
    encryptedPrivateKey: 'services.encrypted_private_key_invalid',
    pem: 'services.private_key_pem_invalid',
  });
  const copy = request.passphrase_recovery_copy;
  if (copy === undefined) return undefined;
  return refuseCryptoError('contact_data.wrapper_invalid', () => parseWrapper(copy));
}
