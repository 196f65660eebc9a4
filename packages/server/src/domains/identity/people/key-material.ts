import { CryptoError, checkPublicKey, decodeBase64 } from '@symbolon/crypto';
import type { WrappedPrivateKey } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Members of a request that are key material. Those that are absent are not looked at. */
export interface KeyMaterial {
  readonly publicKey?: string;
  readonly salt?: string;
  readonly secrets?: readonly string[];
  readonly wrapped?: readonly WrappedPrivateKey[];
}

/**
 * Checks key material as far as the platform can: canonical base64 of the exact lengths, an RSA-2048 public key. What is
 * wrapped stays closed to it.
 * @throws {PlatformError} people.key_invalid
 */
export async function checkKeyMaterial(material: KeyMaterial): Promise<void> {
  try {
    if (material.publicKey !== undefined) await checkPublicKey(material.publicKey);
    if (material.salt !== undefined) require(decodeBase64(material.salt).length === SALT_BYTES);
    for (const secret of material.secrets ?? []) require(decodeBase64(secret).length === SECRET_BYTES);
    for (const { iv, data } of material.wrapped ?? []) {
      require(decodeBase64(iv).length === IV_BYTES);
      require(decodeBase64(data).length > TAG_BYTES);
    }
  } catch (error) {
    if (error instanceof CryptoError) throw new PlatformError('people.key_invalid', { cause: error });
    throw error;
  }
}

function require(holds: boolean): void {
  if (!holds) throw new PlatformError('people.key_invalid');
}
