import { checkPublicKey, inspectPem, parseEncryptedPrivateKey } from '@symbolon/crypto';
import type { EncryptedPrivateKey, ErrorKey } from '@symbolon/protocol';
import { refuseCryptoError } from './crypto-errors.ts';
import { PlatformError } from './errors.ts';

/** A key pair that a company made, as it is sent (wire 2.2). */
export interface SentKeyPair {
  readonly public_key: string;
  readonly encrypted_private_key: EncryptedPrivateKey;
  readonly private_key_pem?: string | undefined;
}

/** The error keys by which a feature refuses the parts of a key pair. */
export interface KeyPairErrors {
  readonly publicKey: ErrorKey;
  readonly encryptedPrivateKey: ErrorKey;
  readonly pem: ErrorKey;
}

/** Checks that a key pair follows the recipe. @throws {PlatformError} the errors given */
export async function checkKeyPair(pair: SentKeyPair, errors: KeyPairErrors): Promise<void> {
  await refuseCryptoError(errors.publicKey, () => checkPublicKey(pair.public_key));
  await refuseCryptoError(errors.encryptedPrivateKey, () =>
    parseEncryptedPrivateKey(pair.encrypted_private_key),
  );
  const pem = pair.private_key_pem;
  if (pem === undefined) return;
  // OpenSSL must open it with the passphrase, and it is no weaker than the recipe.
  const found = await refuseCryptoError(errors.pem, () => inspectPem(pem));
  if (found.cipher !== 'AES-256-CBC' || found.prf !== 'HMAC-SHA256' || found.iterations < 100_000) {
    throw new PlatformError(errors.pem);
  }
}
