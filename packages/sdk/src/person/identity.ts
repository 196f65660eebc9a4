import { derivePublicKey, unwrapPrivateKey } from '@symbolon/crypto';
import type { Person, PersonAccount, PersonLoginRequest, PersonSession } from '@symbolon/protocol';
import { TransportError } from '../http/errors.ts';
import { openingKey } from '../http/opening-key.ts';
import type { Transport } from '../http/transport.ts';
import { type FromHome, postHome } from '../login/home-call.ts';
import { loginKeysFor } from '../login/login-secret.ts';
import { newLogin } from '../login/material.ts';
import { recoverAccount } from '../login/recovery.ts';
import { type AskCode, registerAccount } from '../login/registration.ts';

/** The signed-in person, with the secret that signs in again and the private key. */
export type Identity = {
  email: string;
  /** The base URL of the home region. */
  base: string;
  person: Person;
  token: string;
  loginSecret: string;
  pkcs8: Uint8Array<ArrayBuffer>;
  /** The recipe of the login keys. */
  version: number;
};

/** Registers a person. Keys are made and wrapped here; the password and the readable key are never sent. */
export async function register(
  transport: Transport,
  base: string,
  input: { email: string; displayName: string; password: string; code?: AskCode | undefined },
): Promise<Identity & { recoveryCode: string }> {
  const { email, displayName, code } = input;
  const making = newLogin(input.password, [email, displayName]);
  const account = making.then(
    ({ publicKey, credentials }): PersonAccount => ({
      display_name: displayName,
      public_key: publicKey,
      ...credentials,
    }),
  );
  const path = '/api/person/register';
  const made = await registerAccount<PersonSession>(transport, base, path, { email, account, code });
  const { pkcs8, loginSecret, recoveryCode, credentials } = await making;
  return { ...identityOf(made, { email, loginSecret, pkcs8, version: credentials.version }), recoveryCode };
}

/** Signs in with a password. @throws AuthenticationError `auth.credentials_invalid` */
export async function login(
  transport: Transport,
  base: string,
  access: { email: string; password: string; lastVersion?: number | undefined },
): Promise<Identity> {
  const { email } = access;
  const keys = await loginKeysFor(transport, base, '/api/person', access);
  const { loginSecret, wrapKey, version } = keys;
  const session = await loginAgain(transport, keys.base, email, loginSecret);
  const pkcs8 = await openingKey(unwrapPrivateKey(session.body.encrypted_private_key, wrapKey));
  return identityOf(session, { email, loginSecret, pkcs8, version });
}

/** Signs in again without the password, with the secret derived from it. */
export function loginAgain(
  transport: Transport,
  base: string,
  email: string,
  loginSecret: string,
): Promise<FromHome<PersonSession>> {
  const json: PersonLoginRequest = { email, login_secret: loginSecret };
  return postHome(transport, base, '/api/person/login', json);
}

/** Sets a new password by the recovery code. @throws AuthenticationError `account.recovery_invalid` */
export async function recover(
  transport: Transport,
  base: string,
  input: { email: string; recoveryCode: string; newPassword: string },
): Promise<Identity & { recoveryCode: string }> {
  const recovered = await recoverAccount<PersonSession>(transport, base, '/api/person', input);
  return {
    ...identityOf(recovered, { email: input.email, ...recovered }),
    recoveryCode: recovered.recoveryCode,
  };
}

/**
 * Values are sealed to the person's own public key too, so it must be the other half of the private one: a platform that named
 * one of its own could read everything that is saved from then on.
 *
 * @throws TransportError `sdk.own_key_mismatch`
 */
export async function checkOwnKey({ pkcs8, person }: Pick<Identity, 'pkcs8' | 'person'>): Promise<void> {
  if ((await derivePublicKey(pkcs8)) === person.public_key) return;
  const message = 'The platform names another public key for this account than the one of its private key.';
  throw new TransportError({ errorKey: 'sdk.own_key_mismatch', message });
}

function identityOf(
  { body, base }: FromHome<PersonSession>,
  kept: Pick<Identity, 'email' | 'loginSecret' | 'pkcs8' | 'version'>,
): Identity {
  const { email, loginSecret, pkcs8, version } = kept;
  return { email, base, person: body.person, token: body.access_token, loginSecret, pkcs8, version };
}
