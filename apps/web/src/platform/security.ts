import type {
  PresenceProof,
  RecoveryCodes,
  SessionView,
  TwoFactorEnrolment,
  TwoFactorState,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { call } from './api.ts';
import { onDevice } from './device.ts';
import { derived } from './presence.ts';
import { type Entered, enter, type SignedIn, wrappedKeyOf } from './session.ts';

/** A proof as members of a body. */
export function proofMembers(proof: PresenceProof) {
  const { kind, ...members } = proof;
  return kind === 'passkey' ? { passkey: members } : members;
}

const TOTP = '/api/person/totp';
/** What a proof is made for: the call that it goes with. */
export const acts = {
  enrolTotp: `POST ${TOTP}/enrol`,
  newTotpCodes: `POST ${TOTP}/recovery-codes`,
  totpOff: `POST ${TOTP}/off`,
  recoveryCode: 'PUT /api/person/recovery-code',
  password: 'PUT /api/person/password',
} as const;

export const totpState = () => call<TwoFactorState>('GET', TOTP);
export const enrolTotp = (proof: PresenceProof) =>
  call<TwoFactorEnrolment>('POST', `${TOTP}/enrol`, proofMembers(proof));
export const confirmTotp = async (code: string) =>
  (await call<RecoveryCodes>('POST', `${TOTP}/confirm`, { code: code.replace(/\s/g, '') })).recovery_codes;
export const newTotpCodes = async (proof: PresenceProof) =>
  (await call<RecoveryCodes>('POST', `${TOTP}/recovery-codes`, proofMembers(proof))).recovery_codes;
export const totpOff = (proof: PresenceProof) => call('POST', `${TOTP}/off`, proofMembers(proof));

export const sessions = async () =>
  (await call<{ items: SessionView[] }>('GET', '/api/person/sessions')).items;
export const endSession = (id: string) => call('DELETE', `/api/person/sessions/${encodeURIComponent(id)}`);
export const endOtherSessions = () => call('DELETE', '/api/person/sessions');

/**
 * Opens the private key with the password, for as long as one act takes.
 *
 * @throws SymbolonError `crypto.passphrase_wrong`
 */
async function unwrapping({ person }: SignedIn, password: string) {
  const wrapped: WrappedPrivateKey | undefined = await wrappedKeyOf(person.person_user_id);
  const { wrapKey } = await derived(person.email, password);
  if (wrapped === undefined) throw new Error('This browser does not have the wrapped key of the person.');
  return { wrapped, wrapKey };
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
  await enter(await call<Entered>('PUT', '/api/person/password', body), session.keys, material.version);
}
