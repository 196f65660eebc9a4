import { importGcmKey } from './aes-gcm.ts';
import { encodeBase64 } from './base64.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { derivePbkdf2 } from './pbkdf2.ts';

/** What the server keeps for a login beside its hash, and tells everybody who asks for that address. */
export type LoginRecipe = {
  /** Names one of the fixed recipes below. */
  version: number;
  /** The account's 16 bytes. */
  salt: Uint8Array;
};

export type LoginKeys = {
  /** Base64 of 32 bytes, which the server gets instead of the password. */
  loginSecret: string;
  /** Wraps the private key; never leaves the device and cannot be exported. */
  wrapKey: CryptoKey;
};

/** The version of the recipe for a new password. */
export const LOGIN_VERSION = 1;

/**
 * Derives two independent keys from a password by the recipe of the version. The server names a version, never a number
 * of iterations, so it cannot make the derivation weak. The password is normalized to Unicode NFC first (RFC 8265
 * section 4.2), because keyboards compose letters differently.
 *
 * @param options.lastVersion the version that this account had before, where the device remembers it
 * @throws CryptoError `login_version_unknown`; `login_version_lowered` for a version below `lastVersion`; `key_invalid`
 * for a salt of another length
 */
export async function deriveLoginKeys(
  password: string,
  { version, salt }: LoginRecipe,
  options: { lastVersion?: number | undefined } = {},
): Promise<LoginKeys> {
  const recipe = RECIPES.get(version);
  if (recipe === undefined) throw new CryptoError('login_version_unknown');
  if (version < (options.lastVersion ?? 0)) throw new CryptoError('login_version_lowered');
  if (salt.length !== 16) throw new CryptoError('key_invalid', 'The salt must be 16 bytes long.');
  const derived = await derivePbkdf2(password.normalize('NFC'), { ...recipe, salt, length: 64 });
  const wrapKey = await importGcmKey(derived.subarray(32));
  return { loginSecret: encodeBase64(derived.subarray(0, 32)), wrapKey };
}

/** A recipe is never changed. A stronger one gets the next version. */
const RECIPES = new Map([[1, { hash: 'SHA-256', iterations: 600_000 }]]);
