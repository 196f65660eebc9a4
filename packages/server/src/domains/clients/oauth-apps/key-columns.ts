import { checkPublicKey, fingerprint } from '@symbolon/crypto';
import type { CreateOAuthAppRequest } from '@symbolon/protocol';
import { refuseCryptoError } from '../../../core/crypto-errors.ts';
import { PlatformError } from '../../../core/errors.ts';
import { checkKeyPair } from '../../../core/key-pair.ts';
import type { OAuthAppRow } from './tables.ts';

type KeyColumns = Pick<
  OAuthAppRow,
  'public_key' | 'public_key_sha256' | 'encrypted_private_key' | 'private_key_pem'
>;
type SentKey = Pick<CreateOAuthAppRequest, 'public_key' | 'encrypted_private_key' | 'private_key_pem'>;

/**
 * The columns of a key. A company may keep the private half itself and send the public one alone.
 * @throws {PlatformError} oauth_apps.public_key_invalid, oauth_apps.encrypted_private_key_invalid,
 *   oauth_apps.private_key_pem_invalid
 */
export async function checkedKey(sent: SentKey): Promise<KeyColumns> {
  const { public_key, encrypted_private_key, private_key_pem } = sent;
  if (public_key === undefined || public_key === null) {
    if (encrypted_private_key !== undefined) {
      throw new PlatformError('oauth_apps.encrypted_private_key_invalid');
    }
    if (private_key_pem !== undefined) throw new PlatformError('oauth_apps.private_key_pem_invalid');
    return {
      public_key: null,
      public_key_sha256: null,
      encrypted_private_key: null,
      private_key_pem: null,
    };
  }
  if (encrypted_private_key === undefined) {
    if (private_key_pem !== undefined) throw new PlatformError('oauth_apps.private_key_pem_invalid');
    await refuseCryptoError('oauth_apps.public_key_invalid', () => checkPublicKey(public_key));
  } else {
    await checkKeyPair(
      { public_key, encrypted_private_key, private_key_pem },
      {
        publicKey: 'oauth_apps.public_key_invalid',
        encryptedPrivateKey: 'oauth_apps.encrypted_private_key_invalid',
        pem: 'oauth_apps.private_key_pem_invalid',
      },
    );
  }
  return {
    public_key,
    public_key_sha256: await fingerprint(public_key),
    encrypted_private_key: encrypted_private_key === undefined ? null : JSON.stringify(encrypted_private_key),
    private_key_pem: private_key_pem ?? null,
  };
}
