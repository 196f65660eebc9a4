import { fingerprint } from '@symbolon/crypto';
import type {
  AcceptInvitationRequest,
  MailedTicket,
  PortalAccount,
  PortalResetConfirmRequest,
  PortalSecondFactorRequest,
  PortalSession,
  PortalSignInRequest,
} from '@symbolon/protocol';
import { newRecoveryKey } from '../account/recovery-key.ts';
import { InvalidRequestError } from '../http/errors.ts';
import { checkedBase } from '../http/signed-in-session.ts';
import { Transport, type TransportOptions } from '../http/transport.ts';
import { type FromHome, postHome } from '../login/home-call.ts';
import { loginKeysFor } from '../login/login-secret.ts';
import { newLogin } from '../login/material.ts';
import { recoverAccount } from '../login/recovery.ts';
import { type AskCode, registerAccount, withCode } from '../login/registration.ts';
import { type SecondFactor as Code, secondMembers, withSecondFactor } from '../login/second-step.ts';
import { type HeldLogin, openLoginKey } from './portal-login.ts';

export type PortalAccess = PortalOptions & { email: string; password: string };

export type PortalOptions = TransportOptions & {
  baseUrl: string;
  /**
   * SHA-256 of the company's recovery key, 64 hexadecimal digits, that this device has confirmed. Passphrases are sealed to
   * no other key. The device that registers the company knows it.
   */
  recoveryKeyFingerprint?: string | undefined;
  /** `PortalClient.pinsCounter` of the last sign-in, where the device remembers it. */
  lastPinsCounter?: number | undefined;
  /** The word in the platform's header names, when the operator changed it. Default `Platform`. */
  headerName?: string | undefined;
};

export type SecondFactor = Code & {
  /** Skip the second factor on this device for thirty days: see `PortalClient.trustedDevice`. */
  trustDevice?: boolean;
};

export type PortalSessionToken = { token: string; expiresAt: string };

/** A session, and what the device has of its login. */
export type Entered = {
  transport: Transport;
  base: string;
  session: PortalSessionToken;
  trustedDevice?: PortalSessionToken | undefined;
  held?: HeldLogin | undefined;
  recoveryKeyFingerprint?: string | undefined;
};

/** Registers a company with keys that are made here. */
export async function register(
  access: PortalAccess & { name: string; code?: AskCode },
): Promise<{ entered: Entered; recoveryCode: string }> {
  const { name, email } = access;
  const transport = new Transport(access);
  const base = checkedBase(access.baseUrl);
  const making = newLogin(access.password, [email, name]).then(async (made) => ({
    ...made,
    recoveryKey: await newRecoveryKey(made),
  }));
  const account = making.then(
    ({ publicKey, credentials, recoveryKey }): PortalAccount => ({
      name,
      key: { public_key: publicKey },
      ...credentials,
      recovery_key: recoveryKey,
    }),
  );
  const path = '/api/portal/register';
  const sent = await registerAccount<PortalSession>(transport, base, path, { ...access, account });
  const { pkcs8, credentials, recoveryKey, recoveryCode } = await making;
  const held = { email, pkcs8, version: credentials.version };
  const recoveryKeyFingerprint = await fingerprint(recoveryKey.public_key);
  return { entered: { ...enteredBy(transport, sent, held), recoveryKeyFingerprint }, recoveryCode };
}

export type SignInAccess = PortalAccess & {
  secondFactor?: () => Promise<SecondFactor>;
  trustedDevice?: string;
  lastVersion?: number | undefined;
};

/** Signs in, with the second factor when it is on. */
export async function signIn(access: SignInAccess): Promise<Entered> {
  const { email, secondFactor, trustedDevice } = access;
  const transport = new Transport(access);
  const keys = await loginKeysFor(transport, checkedBase(access.baseUrl), '/api/portal', access);
  const json: PortalSignInRequest = {
    email,
    login_secret: keys.loginSecret,
    ...(trustedDevice === undefined ? {} : { trusted_device: trustedDevice }),
  };
  const send = (path: string, body: object) => postHome<PortalSession>(transport, keys.base, path, body);
  const first = send('/api/portal/sign-in', json);
  const sent = await withSecondFactor(first, secondFactor, (given, ticket) => {
    const step: PortalSecondFactorRequest = {
      ticket,
      ...secondMembers(given),
      trust_device: given.trustDevice ?? false,
    };
    return send('/api/portal/sign-in/second-factor', step);
  });
  const pkcs8 = await openLoginKey(sent.body.encrypted_private_key, keys.wrapKey);
  return enteredBy(transport, sent, { email, pkcs8, version: keys.version });
}

/** Accepts an invitation with a key pair that is made here. */
export async function acceptInvitation(
  access: PortalOptions & { token: string; name: string; password: string },
): Promise<{ entered: Entered; recoveryCode: string }> {
  const { token, name } = access;
  const transport = new Transport(access);
  const base = checkedBase(access.baseUrl);
  const { publicKey, credentials, pkcs8, recoveryCode } = await newLogin(access.password, [name]);
  const json: AcceptInvitationRequest = { token, name, key: { public_key: publicKey }, ...credentials };
  const sent = await postHome<PortalSession>(transport, base, '/api/portal/invitation/accept', json);
  const { email } = sent.body.login;
  const held = { email, pkcs8, version: credentials.version };
  return { entered: enteredBy(transport, sent, held), recoveryCode };
}

/** Sets a new password by the recovery code. The second factor still holds at the next sign-in. */
export async function recover(
  access: PortalOptions & { email: string; recoveryCode: string; newPassword: string },
): Promise<{ recoveryCode: string }> {
  const base = checkedBase(access.baseUrl);
  const recovered = await recoverAccount(new Transport(access), base, '/api/portal', access);
  recovered.pkcs8.fill(0);
  return { recoveryCode: recovered.recoveryCode };
}

/**
 * Gives a login from before login secrets a password and keys, by a mailed code. The company's own login, and no other, gets a
 * new recovery key: only the platform knows which one it is.
 */
export async function reset(
  access: PortalOptions & { email: string; newPassword: string; code: AskCode },
): Promise<{ recoveryCode: string; recoveryKeyFingerprint: string | undefined }> {
  const { email } = access;
  const transport = new Transport(access);
  const path = '/api/portal/reset';
  const made = await newLogin(access.newPassword, [email]);
  const first = await postHome<MailedTicket>(transport, checkedBase(access.baseUrl), path, { email });
  const { ticket } = first.body;
  const key = { public_key: made.publicKey };
  const confirm = (json: PortalResetConfirmRequest) =>
    postHome(transport, first.base, `${path}/confirm`, json);
  const recoveryKey = await withCode(access.code, async (code) => {
    const json: PortalResetConfirmRequest = { ticket, code, key, ...made.credentials };
    try {
      await confirm(json);
      return undefined;
    } catch (error) {
      const isCompany =
        error instanceof InvalidRequestError && error.errorKey === 'account.recovery_key_required';
      if (!isCompany) throw error;
    }
    const recovery_key = await newRecoveryKey(made);
    await confirm({ ...json, recovery_key });
    return recovery_key;
  });
  made.pkcs8.fill(0);
  const recoveryKeyFingerprint = recoveryKey && (await fingerprint(recoveryKey.public_key));
  return { recoveryCode: made.recoveryCode, recoveryKeyFingerprint };
}

function enteredBy(transport: Transport, { body, base }: FromHome<PortalSession>, held: HeldLogin): Entered {
  const { token, expires_at: expiresAt, trusted_device: device } = body;
  const trustedDevice = device && { token: device.token, expiresAt: device.expires_at };
  return { transport, base, session: { token, expiresAt }, trustedDevice, held };
}
