import type { CryptoKey } from '@symbolon/crypto';
import { SymbolonError } from '@symbolon/sdk/device';

/** The key that opens what was sealed to the person. @throws SymbolonError `sdk.key_locked` */
export function keyOf({ key }: { key: CryptoKey | undefined }): CryptoKey {
  if (key !== undefined) return key;
  throw new SymbolonError({ errorKey: 'sdk.key_locked', message: 'This browser has no key.' });
}
