import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { passkeyPrfInput } from '@symbolon/crypto';
import type {
  AuthenticationResponseJSON,
  Passkey,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeySignInOptions,
  PresenceOptions,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { onDevice } from './device.ts';
import { call, replacingSession } from './inner/api.ts';
import type { PasskeyCopy } from './inner/key-store.ts';
import { passkeyProof, sendable } from './passkey-proof.ts';
import { derived, proofOptions, secondMembers } from './presence.ts';
import { keys } from './queries.ts';
import { acts, changePassword, newRecoveryCode, passwordMeans, personTotp, wrappedKey } from './security.ts';
import { type Entered, enter, type SignedIn } from './session.ts';
import {
  type Caller,
  type NewPasskey,
  passkeyMeans,
  proofMembers,
  type SignInMeans,
} from './sign-in-means.ts';

export const hasPasskeys = () => 'PublicKeyCredential' in globalThis;
export const personPasskeys = passkeyMeans(
  call,
  '/api/person/passkeys',
  { list: keys.passkeys, asked: keys.passkeyOptions },
  proofOptions,
);

/** How the person signs in, and what changes it. */
export const personMeans = (session: SignedIn): SignInMeans => ({
  email: session.person.email,
  passkeys: personPasskeys,
  addPasskey: (made) => addPasskey(session, made),
  opensKeys: true,
  totp: personTotp,
  passwordMeans: passwordMeans(session),
  changePassword: (means, made) =>
    means === 'password' ? changePassword(session, made) : changePasswordByPasskey(session, means, made.next),
  newRecoveryCode: (password, proof) => newRecoveryCode(session, password, proof),
});

/**
 * Sets another password where this browser has the private key under a passkey alone: that passkey proves who asks, and
 * opens the key for the new password.
 */
async function changePasswordByPasskey(
  session: SignedIn,
  { wrapped, credentialId }: PasskeyCopy,
  next: string,
): Promise<void> {
  const { passkey, output } = await answered(await proofOptions(acts.password), credentialId);
  if (output === undefined) throw new SymbolonError({ errorKey: 'page.password_session', message: '' });
  const { email, display_name } = session.person;
  const about = [email, display_name];
  const material = await onDevice('newPasswordByPasskey', { wrapped, output, password: next, about });
  const body = { passkey, session: 'cookie', ...material };
  const answer = await replacingSession(() => call<Entered>('PUT', '/api/person/password', body));
  const { encrypted_private_key } = answer;
  await enter(answer, session.keys, { wrapped: encrypted_private_key, version: material.version });
}

/** Asks the passkey for the secret that it has for this site. It never leaves the browser. */
const withPrf = () => ({ prf: { eval: { first: passkeyPrfInput() } } });

/** What the PRF extension gave, where the passkey has it. */
function prfOutput({ clientExtensionResults }: { clientExtensionResults: unknown }): Uint8Array | undefined {
  const { prf } = clientExtensionResults as { prf?: { results?: { first?: ArrayBuffer } } };
  return prf?.results?.first === undefined ? undefined : new Uint8Array(prf.results.first);
}

/** Has a passkey answer a nonce, and keeps what it gives to this browser alone apart. */
export async function answered(
  { nonce, rp_id: rpId }: Pick<PresenceOptions, 'nonce' | 'rp_id'>,
  credentialId?: string,
): Promise<{ passkey: PasskeyAnswer; output: Uint8Array | undefined }> {
  const given = await startAuthentication({
    optionsJSON: {
      challenge: nonce,
      rpId,
      userVerification: 'required',
      ...(credentialId !== undefined && {
        allowCredentials: [{ type: 'public-key' as const, id: credentialId }],
      }),
      extensions: withPrf() as object,
    },
  });
  const credential = sendable(given) as AuthenticationResponseJSON;
  return { passkey: { nonce, credential }, output: prfOutput(given) };
}

/** Signs in without an address. Where the passkey opens the private key, so does this browser. */
export async function signInWithPasskey(): Promise<void> {
  const options = await call<PasskeySignInOptions>('POST', '/api/person/login/passkey/options');
  const { passkey, output } = await answered(options);
  type Answer = Omit<Entered, 'encrypted_private_key'> & { encrypted_private_key: WrappedPrivateKey | null };
  const answer = await call<Answer>('POST', '/api/person/login/passkey', {
    session: 'cookie',
    ...passkey,
  });
  const wrapped = answer.encrypted_private_key;
  const keys = output && wrapped ? await onDevice('openByPasskey', { wrapped, output }) : undefined;
  const copy = keys && wrapped ? { wrapped, credentialId: passkey.credential.id } : undefined;
  await enter(answer, keys, undefined, copy);
}

/** Makes a passkey that signs in and, where it can, opens the private key. */
async function addPasskey(session: SignedIn, { name, password, second }: NewPasskey): Promise<void> {
  const wrapped = await wrappedKey(session);
  const { loginSecret, wrapKey } = await derived(session.person.email, password);
  // The platform does not check the password then.
  if (second === undefined) await onDevice('open', { wrapped, wrapKey });
  const proof =
    second === undefined
      ? proofMembers(await passkeyProof(await proofOptions(personPasskeys.addAct)))
      : { login_secret: loginSecret, ...secondMembers(second) };
  const wrapFor = (output: Uint8Array) => onDevice('wrapForPasskey', { wrapped, wrapKey, output });
  const { passkey, rpId, wrapsLater } = await makePasskey(call, personPasskeys.at, { name, proof, wrapFor });
  if (wrapsLater) await wrapLater(passkey, rpId, wrapFor);
}

/** Has the device make a passkey. @param made.wrapFor wraps a private key for what the PRF extension gives */
export async function makePasskey(
  by: Caller,
  at: string,
  made: {
    name: string;
    proof: object;
    wrapFor?: (output: Uint8Array) => Promise<WrappedPrivateKey>;
  },
) {
  const { name, proof, wrapFor } = made;
  const options = await by<PasskeyCreationOptions>('POST', `${at}/options`, proof);
  const given = await startRegistration({
    optionsJSON: {
      ...options,
      excludeCredentials: options.excludeCredentials.map(({ type, id }) => ({ type, id })),
      extensions: { ...options.extensions, ...(wrapFor && withPrf()) } as object,
    },
  });
  const output = prfOutput(given);
  const passkey = await by<Passkey>('POST', at, {
    nonce: options.challenge,
    name,
    credential: sendable(given),
    ...(output && wrapFor && { encrypted_private_key: await wrapFor(output) }),
  });
  return { passkey, rpId: options.rp.id, wrapsLater: output === undefined && isPrfEnabled(given) };
}

/** Some devices give the secret only when the passkey is used. */
async function wrapLater(
  { id, credential_id }: Passkey,
  rpId: string,
  wrapFor: (output: Uint8Array) => Promise<WrappedPrivateKey>,
): Promise<void> {
  const { nonce } = await proofOptions(`wrap key of passkey ${id}`);
  const { passkey, output } = await answered({ nonce, rp_id: rpId }, credential_id);
  if (output === undefined) return;
  await call('PUT', `${personPasskeys.at}/${encodeURIComponent(id)}/key`, {
    passkey,
    encrypted_private_key: await wrapFor(output),
  });
}

function isPrfEnabled({ clientExtensionResults }: { clientExtensionResults: unknown }): boolean {
  return (clientExtensionResults as { prf?: { enabled?: boolean } }).prf?.enabled === true;
}
