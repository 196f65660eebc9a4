import {
  type CryptoKey,
  deriveLoginKeys,
  deriveRecoveryKeys,
  encodeBase64,
  generateKeyPair,
  generateRecoveryCode,
  LOGIN_VERSION,
  unwrapPrivateKey,
  wrapPrivateKey,
} from '@symbolon/crypto';
import type { PasswordMaterial, RecoveryMaterial } from '@symbolon/protocol';
import { checkPassword } from './password-rules.ts';

type Pkcs8 = Uint8Array<ArrayBuffer>;

/** A login as its device makes it. `credentials` are sent; the rest stays here. */
export type NewLogin = {
  publicKey: string;
  credentials: PasswordMaterial & { recovery: RecoveryMaterial };
  /** PKCS#8 DER. */
  pkcs8: Pkcs8;
  loginSecret: string;
  recoveryCode: string;
};

/** Keys for a new login. @throws InvalidRequestError `sdk.password_weak` */
export async function newLogin(password: string, about: readonly string[]): Promise<NewLogin> {
  await checkPassword(password, about);
  const { publicKey, privateKey: pkcs8 } = await generateKeyPair();
  return { publicKey, pkcs8, ...(await newCredentials(password, pkcs8, about)) };
}

/** A new password and a new recovery code for a private key. @throws InvalidRequestError `sdk.password_weak` */
export async function newCredentials(password: string, pkcs8: Pkcs8, about: readonly string[]) {
  const [{ material, loginSecret }, { recovery, recoveryCode }] = await Promise.all([
    passwordMaterial(password, pkcs8, about),
    recoveryMaterial(pkcs8),
  ]);
  return { credentials: { ...material, recovery }, loginSecret, recoveryCode };
}

/** What is sent when a password is set: no password and no readable key. @throws InvalidRequestError `sdk.password_weak` */
export async function passwordMaterial(
  password: string,
  pkcs8: Pkcs8,
  about: readonly string[],
): Promise<{ material: PasswordMaterial; loginSecret: string }> {
  await checkPassword(password, about);
  const salt = globalThis.crypto.getRandomValues(new Uint8Array(16));
  const { loginSecret, wrapKey } = await deriveLoginKeys(password, { version: LOGIN_VERSION, salt });
  const material = {
    version: LOGIN_VERSION,
    salt: encodeBase64(salt),
    login_secret: loginSecret,
    encrypted_private_key: await wrapAndCheck(pkcs8, wrapKey),
  };
  return { material, loginSecret };
}

/** A new recovery code, and what is sent for it. */
export async function recoveryMaterial(
  pkcs8: Pkcs8,
): Promise<{ recovery: RecoveryMaterial; recoveryCode: string }> {
  const recoveryCode = generateRecoveryCode();
  const { recoverySecret, wrapKey } = await deriveRecoveryKeys(recoveryCode);
  const recovery = {
    secret: recoverySecret,
    encrypted_private_key: await wrapAndCheck(pkcs8, wrapKey),
  };
  return { recovery, recoveryCode };
}

/** Nothing is stored that this device could not open. */
async function wrapAndCheck(pkcs8: Pkcs8, wrapKey: CryptoKey) {
  const wrapped = await wrapPrivateKey(pkcs8, wrapKey);
  const opened = await unwrapPrivateKey(wrapped, wrapKey);
  const isSame = opened.length === pkcs8.length && opened.every((byte, index) => byte === pkcs8[index]);
  opened.fill(0);
  if (!isSame) throw new Error('The wrapped private key does not open to the same key.');
  return wrapped;
}
