import type {
  PresenceProof,
  RecoveryCodes,
  SessionView,
  TwoFactorEnrolment,
  TwoFactorState,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { SymbolonError } from '@symbolon/sdk/device';
import { onDevice } from './device.ts';
import { call, replacingSession } from './inner/api.ts';
import { derived } from './presence.ts';
import { keys, type Query } from './queries.ts';
import { type Entered, enter, leave, type SignedIn, wrappedKeyOf } from './session.ts';

/** A proof as members of a body. */
export function proofMembers(proof: PresenceProof) {
  const { kind, ...members } = proof;
  return kind === 'passkey' ? { passkey: members } : members;
}

const TOTP = '/api/person/totp';
/** What a proof is made for: the call that it goes with. */
export const acts = {
  addPasskey: 'POST /api/person/passkeys/options',
  enrolTotp: `POST ${TOTP}/enrol`,
  newTotpCodes: `POST ${TOTP}/recovery-codes`,
  totpOff: `POST ${TOTP}/off`,
  recoveryCode: 'PUT /api/person/recovery-code',
  password: 'PUT /api/person/password',
  deletion: 'DELETE /api/person',
} as const;

export const totpState: Query<TwoFactorState> = { key: keys.totp, read: () => call('GET', TOTP) };
export const enrolTotp = (proof: PresenceProof) =>
  call<TwoFactorEnrolment>('POST', `${TOTP}/enrol`, proofMembers(proof));
export const confirmTotp = async (code: string) =>
  (await call<RecoveryCodes>('POST', `${TOTP}/confirm`, { code: code.replace(/\s/g, '') })).recovery_codes;
export const newTotpCodes = async (proof: PresenceProof) =>
  (await call<RecoveryCodes>('POST', `${TOTP}/recovery-codes`, proofMembers(proof))).recovery_codes;
export const totpOff = (proof: PresenceProof) => call('POST', `${TOTP}/off`, proofMembers(proof));

export const sessions: Query<SessionView[]> = {
  key: keys.sessions,
  read: async () => (await call<{ items: SessionView[] }>('GET', '/api/person/sessions')).items,
};
export const endSession = (id: string) => call('DELETE', `/api/person/sessions/${encodeURIComponent(id)}`);
export const endOtherSessions = () => call('DELETE', '/api/person/sessions');

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

/** @param proof for `acts.recoveryCode` @returns the new recovery code, shown once */
export async function newRecoveryCode(
  session: SignedIn,
  password: string,
  proof: PresenceProof,
): Promise<string> {
  const { recovery, recoveryCode } = await onDevice('newRecoveryCode', await unwrapping(session, password));
  await call('PUT', '/api/person/recovery-code', { ...proofMembers(proof), recovery });
  return recoveryCode;
}

/** Sets another password; every other browser must sign in again. @param second where there is a second factor */
export async function changePassword(
  session: SignedIn,
  input: { current: string; next: string; second?: { code: string } | { recovery_code: string } },
): Promise<void> {
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
