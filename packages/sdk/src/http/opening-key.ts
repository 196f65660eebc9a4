import { CryptoError } from '@symbolon/crypto';
import { DecryptionError } from './errors.ts';

/**
 * Waits until a private key is unwrapped, and turns failures into errors of this library.
 *
 * @throws DecryptionError `sdk.password_wrong`, `sdk.key_malformed`
 */
export async function openingKey<T>(unwrapping: Promise<T>): Promise<T> {
  try {
    return await unwrapping;
  } catch (error) {
    if (!(error instanceof CryptoError)) throw error;
    const wrong = error.code === 'passphrase_wrong';
    throw new DecryptionError({
      errorKey: wrong ? 'sdk.password_wrong' : 'sdk.key_malformed',
      message: wrong ? 'The password or code does not open the key.' : 'The wrapped key is damaged.',
    });
  }
}
