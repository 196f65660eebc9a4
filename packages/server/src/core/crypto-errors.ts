import { CryptoError } from '@symbolon/crypto';
import type { ErrorKey } from '@symbolon/protocol';
import { PlatformError } from './errors.ts';

/** Runs a check of key material; a `CryptoError` becomes the platform's error `key`. */
export async function refuseCryptoError<T>(key: ErrorKey, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof CryptoError) throw new PlatformError(key, { cause: error });
    throw error;
  }
}
