import type { Person, PresenceProof, SessionView, WrappedPrivateKey } from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { onDevice } from './device.ts';
import { call, replacingSession } from './inner/api.ts';
import { derived } from './presence.ts';
import { keys, numberOf, type Query } from './queries.ts';
import {
  type Entered,
  enter,
  leave,
  passkeyCopyOf,
  renamed,
  type SignedIn,
  wrappedKeyOf,
} from './session.ts';
import { type NewPassword, type PasswordMeans, proofMembers, totpMeans } from './sign-in-means.ts';

/** What a proof is made for: the call that it goes with. */
export const acts = {
  password: 'PUT /api/person/password',
  email: 'POST /api/person/email',
  deletion: 'DELETE /api/person',
} as const;

/** With other keys there are other means: it is asked again after the password was typed. */
export const passwordMeans = ({ person, keys: opened }: SignedIn): Query<PasswordMeans> => ({
  key: keys.passwordMeans,
  part: numberOf(opened ?? person),
  isFresh: true,
  read: async () => {
    if (opened === undefined) return 'nothing';
    if ((await wrappedKeyOf(person.person_user_id)) !== undefined) return 'password';
    return (await passkeyCopyOf(person.person_user_id)) ?? 'nothing';
  },
});

export const personTotp = totpMeans(call, '/api/person/totp', keys.totp);

export const sessions: Query<readonly SessionView[]> = {
  key: keys.sessions,
  read: async () => (await call<{ items: SessionView[] }>('GET', '/api/person/sessions')).items,
};
export const endSession = (id: string) => call('DELETE', `/api/person/sessions/${encodeURIComponent(id)}`);
export const endOtherSessions = () => call('DELETE', '/api/person/sessions');

/** Changes the name under which companies know the person. */
export async function rename(name: string): Promise<void> {
  renamed(await call<Person>('PUT', '/api/person/me', { display_name: name }));
}

/** Mails a code to another address. @param proof for `acts.email` */
export const startEmailChange = (email: string, proof: PresenceProof) =>
  call('POST', '/api/person/email', { ...proofMembers(proof), new_email: email });
/** Takes the code that was mailed to the new address. */
export async function confirmEmailChange(code: string): Promise<void> {
  renamed(await call<Person>('POST', '/api/person/email/confirm', { code: code.replace(/\s/g, '') }));
}

/** Deletes the account, at once and for good. @param proof for `acts.deletion` */
export async function deleteAccount(proof: PresenceProof): Promise<void> {
  await call('DELETE', '/api/person', proofMembers(proof));
  await leave();
}

/**
 * The private key under the password.
 *
 * @throws SymbolonError `page.password_session` in a browser where the person signed in by a passkey
 */
export async function wrappedKey({ person }: SignedIn): Promise<WrappedPrivateKey> {
  const wrapped = await wrappedKeyOf(person.person_user_id);
  if (wrapped !== undefined) return wrapped;
  throw new SymbolonError({ errorKey: 'page.password_session', message: 'Sign in with the password first.' });
}

/** What opens the private key, for as long as one act takes. */
async function unwrapping(session: SignedIn, password: string) {
  const wrapped = await wrappedKey(session);
  return { wrapped, wrapKey: (await derived(session.person.email, password)).wrapKey };
}

/** @param proof for this call @returns the new recovery code, shown once */
export async function newRecoveryCode(
  session: SignedIn,
  password: string,
  proof: PresenceProof,
): Promise<string> {
  const { recovery, recoveryCode } = await onDevice('newRecoveryCode', await unwrapping(session, password));
  await call('PUT', '/api/person/recovery-code', { ...proofMembers(proof), recovery });
  return recoveryCode;
}

/** Sets another password; every other browser must sign in again. */
export async function changePassword(session: SignedIn, input: NewPassword): Promise<void> {
  const { email, display_name } = session.person;
  const { loginSecret } = await derived(email, input.current);
  const material = await onDevice('newPassword', {
    ...(await unwrapping(session, input.current)),
    password: input.next,
    about: [email, display_name],
  });
  const body = { current_login_secret: loginSecret, ...input.second, session: 'cookie', ...material };
  const answer = await replacingSession(() => call<Entered>('PUT', '/api/person/password', body));
  const { encrypted_private_key: wrapped } = answer;
  await enter(answer, session.keys, { wrapped, version: material.version });
}
