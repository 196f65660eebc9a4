import { checkPublicKey, decodeBase64 } from '@symbolon/crypto';
import type { WrappedPrivateKey } from '@symbolon/protocol';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { PlatformError } from '../../../core/errors.ts';

const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Members of a request that are key material; absent members are not checked. */
export interface KeyMaterial {
  readonly publicKey?: string;
  readonly salt?: string;
  readonly secrets?: readonly string[];
  readonly wrapped?: readonly WrappedPrivateKey[];
}

/**
 * Checks key material as far as the platform can: canonical base64 of the exact lengths, an RSA-2048 public key. The
 * platform cannot open what is wrapped.
 * @throws {PlatformError} people.key_invalid
 */
export function checkKeyMaterial(material: KeyMaterial): Promise<void> {
  return refuseCryptoError('people.key_invalid', async () => {
    if (material.publicKey !== undefined) await checkPublicKey(material.publicKey);
    if (material.salt !== undefined) assertValid(decodeBase64(material.salt).length === SALT_BYTES);
    for (const secret of material.secrets ?? []) assertValid(decodeBase64(secret).length === SECRET_BYTES);
    for (const { iv, data } of material.wrapped ?? []) {
      assertValid(decodeBase64(iv).length === IV_BYTES);
      assertValid(decodeBase64(data).length > TAG_BYTES);
    }
  });
}

function assertValid(isValid: boolean): void {
  if (!isValid) throw new PlatformError('people.key_invalid');
}
