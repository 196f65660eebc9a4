import { checkPublicKey, decodeBase64 } from '@symbolon/crypto';
import type { ErrorKey, PasswordMaterial, RecoveryMaterial, WrappedPrivateKey } from '@symbolon/protocol';
import { refuseCryptoError } from '../core/crypto-errors.ts';
import { PlatformError } from '../core/errors.ts';
import type { Secrets } from '../core/secrets.ts';
import { hashPassword } from './passwords.ts';

const SECRET_BYTES = 32;
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What is stored of a login's password. */
export interface PasswordColumns {
  /** By which recipe the device derives its keys from the password. */
  login_version: number;
  login_salt: string;
  /** Argon2id of the login secret. */
  login_hash: string;
  /** JSON {iv, data}, under the password's wrap key. */
  encrypted_private_key: string;
}
export interface RecoveryColumns {
  /** Keyed hash of the recovery secret. */
  recovery_hash: string;
  /** JSON {iv, data}, under the recovery code. */
  recovery_private_key: string;
}
/** What is stored of a login's secrets, whether a person's or one of the portal. */
export interface CredentialColumns extends PasswordColumns, RecoveryColumns {}
/** And its public key; the private half is in `encrypted_private_key`. */
export interface LoginKeyColumns extends CredentialColumns {
  public_key: string;
  public_key_sha256: string;
}

/** Key material of a request; what is absent is not checked. */
interface KeyMaterial {
  readonly publicKey?: string;
  readonly password?: PasswordMaterial;
  readonly recovery?: RecoveryMaterial;
  readonly secrets?: readonly string[];
  readonly wrapped?: WrappedPrivateKey;
}

/**
 * Checks key material as far as the platform can: canonical base64 of the exact lengths, an RSA-2048 public key. The
 * platform cannot open what is wrapped.
 * @throws {PlatformError} account.key_invalid
 */
export function checkKeyMaterial({
  publicKey,
  password,
  recovery,
  secrets = [],
  wrapped,
}: KeyMaterial): Promise<void> {
  return refuseCryptoError('account.key_invalid', async () => {
    if (publicKey !== undefined) await checkPublicKey(publicKey);
    for (const secret of secrets) checkSecret(secret);
    if (wrapped !== undefined) checkWrapped(wrapped);
    if (password !== undefined) {
      assertValid(decodeBase64(password.salt).length === SALT_BYTES);
      checkSecret(password.login_secret);
      checkWrapped(password.encrypted_private_key);
    }
    if (recovery !== undefined) {
      checkSecret(recovery.secret);
      checkWrapped(recovery.encrypted_private_key);
    }
  });
}

function checkSecret(secret: string): void {
  assertValid(decodeBase64(secret).length === SECRET_BYTES);
}

function checkWrapped({ iv, data }: WrappedPrivateKey): void {
  assertValid(decodeBase64(iv).length === IV_BYTES);
  assertValid(decodeBase64(data).length > TAG_BYTES);
}

function assertValid(isValid: boolean): void {
  if (!isValid) throw new PlatformError('account.key_invalid');
}

const MEMBERS = ['/version', '/salt', '/login_secret', '/encrypted_private_key', '/recovery/secret'];
const WRAPPED = ['', '/recovery'].flatMap((parent) =>
  ['', '/iv', '/data'].map((member) => `${parent}/encrypted_private_key${member}`),
);

/**
 * The members of a request that are key material: they answer with one key, whatever is wrong with them.
 * @param parent JSON pointer of the object they are in
 * @param further pointers beside those of a password and a recovery code
 */
export function keyMembers(parent = '', ...further: readonly string[]): Record<string, ErrorKey> {
  const pointers = [...MEMBERS, ...WRAPPED, ...further].map((member) => `${parent}${member}`);
  return Object.fromEntries(pointers.map((pointer) => [pointer, 'account.key_invalid']));
}

/** Hashing is slow: no transaction waits for it. */
export async function passwordColumns(password: PasswordMaterial): Promise<PasswordColumns> {
  return {
    login_version: password.version,
    login_salt: password.salt,
    login_hash: await hashPassword(password.login_secret),
    encrypted_private_key: JSON.stringify(password.encrypted_private_key),
  };
}

export function recoveryColumns(secrets: Pick<Secrets, 'hash'>, recovery: RecoveryMaterial): RecoveryColumns {
  return {
    recovery_hash: secrets.hash(recovery.secret),
    recovery_private_key: JSON.stringify(recovery.encrypted_private_key),
  };
}

export async function credentialColumns(
  secrets: Pick<Secrets, 'hash'>,
  material: PasswordMaterial & { readonly recovery: RecoveryMaterial },
): Promise<CredentialColumns> {
  return { ...(await passwordColumns(material)), ...recoveryColumns(secrets, material.recovery) };
}

export const wrappedKey = (stored: string) => JSON.parse(stored) as WrappedPrivateKey;
