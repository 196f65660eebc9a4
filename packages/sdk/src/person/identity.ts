import { derivePublicKey, unwrapPrivateKey } from '@symbolon/crypto';
import type {
  PasskeySignInOptions,
  PasskeySignInRequest,
  Person,
  PersonAccount,
  PersonLoginRequest,
  PersonPasskeySession,
  PersonSecondFactorRequest,
  PersonSession,
} from '@symbolon/protocol';
import { TransportError } from '../http/errors.ts';
import { openingKey } from '../http/opening-key.ts';
import type { Transport } from '../http/transport.ts';
import { type FromHome, postHome } from '../login/home-call.ts';
import { keyLocked, loginKeysFor } from '../login/login-secret.ts';
import { newLogin } from '../login/material.ts';
import { recoverAccount } from '../login/recovery.ts';
import { type AskCode, registerAccount } from '../login/registration.ts';
import { type SecondFactor, secondMembers, withSecondFactor } from '../login/second-step.ts';
import { type Authenticator, answerOf, openByPrf } from './authenticator.ts';

export type AskSecondFactor = () => Promise<SecondFactor>;

/** The signed-in person, with what the device keeps of the sign-in. */
export type Identity = {
  email: string;
  /** The base URL of the home region. */
  base: string;
  person: Person;
  token: string;
  /** Signs in again. Missing after a sign-in by passkey. */
  loginSecret?: string | undefined;
  /** The private key. Missing after a sign-in by a passkey that does not open it. */
  pkcs8?: Uint8Array<ArrayBuffer> | undefined;
  /** The recipe of the login keys; 0 while no password was used. */
  version: number;
};

/** The private key. @throws DecryptionError `sdk.key_locked` */
export function heldKey({ pkcs8 }: Identity): Uint8Array<ArrayBuffer> {
  if (pkcs8 === undefined) throw keyLocked();
  return pkcs8;
}

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

/** Signs in with a password. @throws AuthenticationError `auth.credentials_invalid`, `auth.two_factor_required` */
export async function login(
  transport: Transport,
  base: string,
  access: {
    email: string;
    password: string;
    lastVersion?: number | undefined;
    secondFactor?: AskSecondFactor | undefined;
  },
): Promise<Identity> {
  const { email, secondFactor } = access;
  const keys = await loginKeysFor(transport, base, '/api/person', access);
  const { loginSecret, wrapKey, version } = keys;
  const session = await loginAgain(transport, keys.base, { email, loginSecret, secondFactor });
  const pkcs8 = await openingKey(unwrapPrivateKey(session.body.encrypted_private_key, wrapKey));
  return identityOf(session, { email, loginSecret, pkcs8, version });
}

/** Signs in again without the password, with the secret derived from it. */
export function loginAgain(
  transport: Transport,
  base: string,
  access: { email: string; loginSecret: string; secondFactor?: AskSecondFactor | undefined },
): Promise<FromHome<PersonSession>> {
  const { email, loginSecret, secondFactor } = access;
  const json: PersonLoginRequest = { email, login_secret: loginSecret };
  const first = postHome<PersonSession>(transport, base, '/api/person/login', json);
  return withSecondFactor(first, secondFactor, (given, ticket) => {
    const step: PersonSecondFactorRequest = { ticket, ...secondMembers(given) };
    return postHome<PersonSession>(transport, base, '/api/person/login/second-factor', step);
  });
}

/** Signs in by a passkey, which knows its account. @throws AuthenticationError `auth.passkey_invalid` */
export async function loginWithPasskey(
  transport: Transport,
  base: string,
  authenticator: Authenticator,
): Promise<Identity> {
  const address = '/api/person/login/passkey';
  const found = await postHome<PasskeySignInOptions>(transport, base, `${address}/options`, undefined);
  const { nonce, rp_id } = found.body;
  const { credential, prfOutput } = await answerOf(authenticator, { nonce, rpId: rp_id });
  const json: PasskeySignInRequest = { nonce, credential };
  const session = await postHome<PersonPasskeySession>(transport, found.base, address, json);
  const { person, encrypted_private_key: wrapped } = session.body;
  const token = 'access_token' in session.body ? session.body.access_token : '';
  const pkcs8 = wrapped && prfOutput ? await openByPrf(wrapped, prfOutput) : undefined;
  return { email: person.email, base: session.base, person, token, pkcs8, version: 0 };
}

/** Sets a new password by the recovery code. @throws AuthenticationError `account.recovery_invalid` */
export async function recover(
  transport: Transport,
  base: string,
  input: { email: string; recoveryCode: string; newPassword: string; secondFactor?: AskSecondFactor },
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
  if (pkcs8 === undefined || (await derivePublicKey(pkcs8)) === person.public_key) return;
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
