import {
  decodeBase64,
  deriveLoginKeys,
  deriveRecoveryKeys,
  encodeBase64,
  generateKeyPair,
  generateRecoveryCode,
  unwrapPrivateKey,
  wrapPrivateKey,
} from '@symbolon/crypto';
import type {
  LoginParameters,
  Person,
  PersonLoginRequest,
  PersonRegisterRequest,
  PersonSession,
  RecoverRequest,
  RecoveryKeyRequest,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { sendHome } from '../http/home.ts';
import { openingKey } from '../http/opening-key.ts';
import { jsonOf, type Transport } from '../http/transport.ts';

/** The signed-in person, with the secret that signs in again and the private key. */
export type Identity = {
  email: string;
  /** The base URL of the home region. */
  base: string;
  person: Person;
  token: string;
  loginSecret: string;
  pkcs8: Uint8Array<ArrayBuffer>;
};

/** Registers a person. Keys are made and wrapped here; the password and the readable key are never sent. */
export async function register(
  transport: Transport,
  base: string,
  input: { email: string; displayName: string; password: string },
): Promise<Identity & { recoveryCode: string }> {
  const { email, displayName } = input;
  const recoveryCode = generateRecoveryCode();
  const [pair, recovery] = await Promise.all([generateKeyPair(), deriveRecoveryKeys(recoveryCode)]);
  const { loginSecret, ...members } = await passwordMembers(input.password, pair.privateKey);
  const json: PersonRegisterRequest = {
    email,
    display_name: displayName,
    public_key: pair.publicKey,
    ...members,
    recovery: {
      secret: recovery.recoverySecret,
      encrypted_private_key: await wrapPrivateKey(pair.privateKey, recovery.wrapKey),
    },
  };
  const made = await post<PersonSession>(transport, base, '/api/person/register', json);
  return { ...identityOf(made, email, loginSecret, pair.privateKey), recoveryCode };
}

/** Signs in with a password. @throws AuthenticationError `auth.credentials_invalid` */
export async function login(
  transport: Transport,
  base: string,
  email: string,
  password: string,
): Promise<Identity> {
  const parameters = await post<LoginParameters>(transport, base, '/api/person/login/parameters', { email });
  const { loginSecret, wrapKey } = await deriveLoginKeys(password, decodeBase64(parameters.body.key_salt));
  const session = await loginAgain(transport, parameters.base, email, loginSecret);
  const pkcs8 = await openingKey(unwrapPrivateKey(session.body.encrypted_private_key, wrapKey));
  return identityOf(session, email, loginSecret, pkcs8);
}

/** Signs in again without the password, with the secret derived from it. */
export function loginAgain(
  transport: Transport,
  base: string,
  email: string,
  loginSecret: string,
): Promise<FromHome<PersonSession>> {
  const json: PersonLoginRequest = { email, login_secret: loginSecret };
  return post(transport, base, '/api/person/login', json);
}

/** Sets a new password by the recovery code. @throws AuthenticationError `people.recovery_invalid` */
export async function recover(
  transport: Transport,
  base: string,
  input: { email: string; recoveryCode: string; newPassword: string },
): Promise<Identity> {
  const { email } = input;
  const { recoverySecret, wrapKey } = await openingKey(deriveRecoveryKeys(input.recoveryCode));
  const proof: RecoveryKeyRequest = { email, recovery_secret: recoverySecret };
  type Found = { encrypted_private_key: WrappedPrivateKey };
  const found = await post<Found>(transport, base, '/api/person/recover/key', proof);
  const pkcs8 = await openingKey(unwrapPrivateKey(found.body.encrypted_private_key, wrapKey));
  const { loginSecret, ...members } = await passwordMembers(input.newPassword, pkcs8);
  const json: RecoverRequest = { ...proof, ...members };
  const session = await post<PersonSession>(transport, found.base, '/api/person/recover', json);
  return identityOf(session, email, loginSecret, pkcs8);
}

/** The members that are sent when a password is set, and the login secret. */
export async function passwordMembers(password: string, pkcs8: Uint8Array) {
  const salt = globalThis.crypto.getRandomValues(new Uint8Array(16));
  const { loginSecret, wrapKey } = await deriveLoginKeys(password, salt);
  return {
    key_salt: encodeBase64(salt),
    login_secret: loginSecret,
    encrypted_private_key: await wrapPrivateKey(pkcs8, wrapKey),
    loginSecret,
  };
}

function identityOf(
  { body, base }: FromHome<PersonSession>,
  email: string,
  loginSecret: string,
  pkcs8: Uint8Array<ArrayBuffer>,
): Identity {
  return { email, base, person: body.person, token: body.access_token, loginSecret, pkcs8 };
}

/** A response, and the base URL of the person's home region, which gave it. */
type FromHome<T> = { body: T; base: string };

async function post<T>(
  transport: Transport,
  base: string,
  path: string,
  json: unknown,
): Promise<FromHome<T>> {
  const sent = await sendHome(transport, base, { method: 'POST', path, json });
  return { body: jsonOf(sent.answer) as T, base: sent.base };
}
