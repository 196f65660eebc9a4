import type {
  Passkey,
  PresenceOptions,
  PresenceProof,
  RecoveryCodes,
  TwoFactorEnrolment,
  TwoFactorState,
} from '@symbolon/protocol';
import type { Call } from '@symbolon/sdk/device';
import type { Second } from './presence.ts';
import type { Key, Query } from './queries.ts';
import type { PasskeyCopy } from './session.ts';

export type Caller = <T>(method: Call['method'], path: string, json?: unknown) => Promise<T>;

/** What this browser can open the private key with, which a new password wraps again. */
export type PasswordMeans = 'password' | 'nothing' | PasskeyCopy;
export type NewPassword = {
  current: string;
  next: string;
  /** Where there is a second factor. */
  second?: { code: string } | { recovery_code: string };
};
export type NewPasskey = { name: string; password: string; second: Second | undefined };

/** What an account signs in with, and how that is changed: the account of a person, or a login of the portal. */
export interface SignInMeans {
  readonly email: string;
  readonly passkeys: ReturnType<typeof passkeyMeans>;
  /** Makes a passkey. Without a second, another passkey proves who asks. */
  readonly addPasskey: (made: NewPasskey) => Promise<void>;
  /** Whether passkeys open the private key where their device can. */
  readonly opensKeys: boolean;
  readonly totp: TotpMeans;
  readonly passwordMeans: Query<PasswordMeans>;
  readonly changePassword: (means: 'password' | PasskeyCopy, made: NewPassword) => Promise<void>;
  /** @param proof by the password @returns the new recovery code, shown once */
  readonly newRecoveryCode: (password: string, proof: PresenceProof) => Promise<string>;
}

/** A proof as members of a body. */
export function proofMembers(proof: PresenceProof) {
  const { kind, ...members } = proof;
  return kind === 'passkey' ? { passkey: members } : members;
}

/** Codes of an authenticator app. @param at where the routes begin */
export const totpMeans = (call: Caller, at: string, key: Key) => {
  /** What a proof is made for: the call that it goes with. */
  const acts = {
    enrol: `POST ${at}/enrol`,
    newCodes: `POST ${at}/recovery-codes`,
    off: `POST ${at}/off`,
  } as const;
  const state: Query<TwoFactorState> = { key, read: () => call('GET', at) };
  return {
    acts,
    state,
    enrol: (proof: PresenceProof) => call<TwoFactorEnrolment>('POST', `${at}/enrol`, proofMembers(proof)),
    confirm: async (code: string) =>
      (await call<RecoveryCodes>('POST', `${at}/confirm`, { code: code.replace(/\s/g, '') })).recovery_codes,
    newCodes: async (proof: PresenceProof) =>
      (await call<RecoveryCodes>('POST', `${at}/recovery-codes`, proofMembers(proof))).recovery_codes,
    off: (proof: PresenceProof) => call<unknown>('POST', `${at}/off`, proofMembers(proof)),
  };
};
export type TotpMeans = ReturnType<typeof totpMeans>;

/** Passkeys, but for the making of one. @param at where the routes begin */
export const passkeyMeans = (
  call: Caller,
  at: string,
  { list, asked }: { list: Key; asked: Key },
  optionsFor: (act: string) => Promise<PresenceOptions>,
) => {
  const addAct = `POST ${at}/options`;
  const all: Query<readonly Passkey[]> = {
    key: list,
    read: async () => (await call<{ items: Passkey[] }>('GET', at)).items,
  };
  /** What the device is asked when a passkey is added. */
  const options: Query<PresenceOptions> = { key: asked, read: () => optionsFor(addAct), isFresh: true };
  return {
    at,
    addAct,
    all,
    options,
    /** What a proof for removing a passkey is made for. */
    removalOf: (id: string) => `POST ${at}/${id}/remove`,
    remove: (id: string, proof: PresenceProof) =>
      call<unknown>('POST', `${at}/${encodeURIComponent(id)}/remove`, proofMembers(proof)),
  };
};
