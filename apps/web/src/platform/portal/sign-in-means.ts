import type { PasskeySignInOptions, PasswordRequest, PresenceProof } from '@symbolon/protocol';
import { onDevice } from '../device.ts';
import { passkeyProof } from '../passkey-proof.ts';
import { answered, makePasskey } from '../passkeys.ts';
import {
  type NewPasskey,
  type NewPassword,
  passkeyMeans,
  proofMembers,
  type SignInMeans,
  totpMeans,
} from '../sign-in-means.ts';
import { portalCall } from './inner/api.ts';
import { keepLoginKey, keptLoginKey } from './inner/kept-key.ts';
import { portalKeys } from './keys.ts';
import { unwrapping } from './login-key.ts';
import { proverOf } from './presence.ts';
import { enterPortal, type PortalSignedIn } from './session.ts';

const totp = totpMeans(portalCall, '/api/account/2fa', portalKeys.portalTotp);

/** How a login of the portal signs in, and what changes it. */
export function loginMeans(session: PortalSignedIn): SignInMeans {
  const { id, email } = session.login;
  const { options } = proverOf(session);
  const names = { list: portalKeys.portalPasskeys, asked: portalKeys.portalPasskeyOptions };
  return {
    email,
    passkeys: passkeyMeans(portalCall, '/api/account/passkeys', names, options),
    addPasskey: (made) => addPasskey(session, made),
    // The password alone opens the key of a login.
    opensKeys: false,
    totp,
    passwordMeans: {
      key: portalKeys.portalPasswordMeans,
      isFresh: true,
      read: async () => ((await keptLoginKey(id)) === undefined ? 'nothing' : 'password'),
    },
    changePassword: (_, made) => changePassword(session, made),
    newRecoveryCode: (password, proof) => newRecoveryCode(session, password, proof),
  };
}

/** Signs in without an address. */
export async function signInToPortalByPasskey(): Promise<void> {
  const options = await portalCall<PasskeySignInOptions>('POST', '/api/portal/sign-in/passkey/options');
  const { passkey } = await answered(options);
  await enterPortal(
    await portalCall('POST', '/api/portal/sign-in/passkey', { session: 'cookie', ...passkey }),
  );
}

async function addPasskey(session: PortalSignedIn, { name, password, second }: NewPasskey): Promise<void> {
  const prover = proverOf(session);
  const { at, addAct } = loginMeans(session).passkeys;
  const proof =
    second === undefined
      ? await passkeyProof(await prover.options(addAct))
      : await prover.byPassword(password, second);
  await makePasskey(portalCall, at, { name, proof: proofMembers(proof) });
}

/** Sets another password; every other browser must sign in again. */
async function changePassword(
  session: PortalSignedIn,
  { current, next, second }: NewPassword,
): Promise<void> {
  const { id, email, name } = session.login;
  const { loginSecret, wrapping } = await unwrapping(session, current);
  const about = [email, name];
  const material = await onDevice('newPassword', { ...wrapping, password: next, about });
  const body: PasswordRequest = { login_secret: loginSecret, ...second, new: material };
  await portalCall('PUT', '/api/account/password', body);
  await keepLoginKey(id, material.encrypted_private_key);
}

async function newRecoveryCode(
  session: PortalSignedIn,
  password: string,
  proof: PresenceProof,
): Promise<string> {
  const { wrapping } = await unwrapping(session, password);
  const { recovery, recoveryCode } = await onDevice('newRecoveryCode', wrapping);
  await portalCall('PUT', '/api/account/recovery-code', { ...proofMembers(proof), recovery });
  return recoveryCode;
}
