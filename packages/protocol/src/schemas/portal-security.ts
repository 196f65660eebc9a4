import { type Static, Type } from 'typebox';
import { Exact, Id, Nullable, Page, Time } from './common.ts';
import { Email, PasswordMaterial, RecoveryMaterial } from './logins.ts';
import { proofMembers } from './presence.ts';

/** A session of the caller's login. */
export const SessionView = Type.Object({
  id: Id,
  transport: Type.Union([Type.Literal('token'), Type.Literal('cookie')]),
  user_agent: Type.String({ description: 'browser and system, or the program' }),
  created_at: Time,
  last_seen_at: Time,
  expires_at: Time,
  current: Type.Boolean(),
});
export type SessionView = Static<typeof SessionView>;
export const SessionList = Type.Object({ items: Type.Array(SessionView) });

export const PasswordRequest = Exact({ ...proofMembers, new: PasswordMaterial });
export type PasswordRequest = Static<typeof PasswordRequest>;
export const RecoveryCodeRequest = Exact({ ...proofMembers, recovery: RecoveryMaterial });
export type RecoveryCodeRequest = Static<typeof RecoveryCodeRequest>;

/** Asks for a proof of presence that one request sends along. */
export const ActProofRequest = Exact({
  ...proofMembers,
  for: Type.String({
    maxLength: 200,
    description: 'method and path of the request that the proof is good for',
    examples: ['GET /api/services/0198c0de-0000-7000-8000-000000000000/private-key'],
  }),
});
export type ActProofRequest = Static<typeof ActProofRequest>;
export const ActProof = Type.Object({
  proof: Type.String({ description: 'send it once, as X-<word>-Proof' }),
  expires_at: Time,
});
export type ActProof = Static<typeof ActProof>;

/** The public halves of the company's own keys. */
export const ProfileKeys = Type.Object({
  account_public_key: Type.String(),
  account_public_key_sha256: Type.String(),
  recovery_public_key: Type.String(),
  recovery_public_key_sha256: Type.String(),
});
export type ProfileKeys = Static<typeof ProfileKeys>;

export const EmailChangeRequest = Exact({ ...proofMembers, new_email: Email });
export type EmailChangeRequest = Static<typeof EmailChangeRequest>;
/** A code was sent by mail. */
export const CodeMailed = Type.Object({ expires_at: Time });
export type CodeMailed = Static<typeof CodeMailed>;
export const MailedCodeRequest = Exact({ code: Type.String({ maxLength: 20 }) });
export type MailedCodeRequest = Static<typeof MailedCodeRequest>;

export const TwoFactorState = Type.Object({
  enabled: Type.Boolean(),
  enabled_at: Nullable(Time),
  recovery_codes_left: Type.Integer(),
});
export type TwoFactorState = Static<typeof TwoFactorState>;
export const TwoFactorEnrolment = Type.Object({
  secret: Type.String({ description: 'base32, for typing in' }),
  otpauth_url: Type.String({ description: 'for a QR code' }),
});
export type TwoFactorEnrolment = Static<typeof TwoFactorEnrolment>;
export const TwoFactorConfirmRequest = Exact({ code: Type.String({ maxLength: 20 }) });
export type TwoFactorConfirmRequest = Static<typeof TwoFactorConfirmRequest>;
export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'shown this once; each is good for one use' }),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;
export const TrustedDevice = Type.Object({
  id: Id,
  user_agent: Type.String(),
  created_at: Time,
  last_used_at: Time,
  expires_at: Time,
});
export type TrustedDevice = Static<typeof TrustedDevice>;
export const TrustedDeviceList = Type.Object({ items: Type.Array(TrustedDevice) });

const SecondFactorRule = Type.Union([Type.Literal('optional'), Type.Literal('required')]);
/** How the logins of a company have to sign in. */
export const SignInPolicy = Type.Object({
  second_factor: SecondFactorRule,
  tried: Type.Boolean({ description: 'this session was opened with a second factor or a passkey' }),
  without_second_factor: Type.Array(Type.Object({ id: Id, name: Type.String(), email: Type.String() }), {
    description: 'logins with neither an authenticator app nor a passkey',
  }),
});
export type SignInPolicy = Static<typeof SignInPolicy>;
export const SignInPolicyRequest = Exact({ ...proofMembers, second_factor: SecondFactorRule });
export type SignInPolicyRequest = Static<typeof SignInPolicyRequest>;

export const DeletionState = Type.Object({
  pending: Type.Boolean(),
  confirmed_at: Nullable(Time),
  deletes_at: Nullable(Time),
});
export type DeletionState = Static<typeof DeletionState>;

/** An administrative act: who did what to what, when, from where. */
export const AuditEntryView = Type.Object({
  id: Id,
  at: Time,
  actor: Type.Object({
    kind: Type.Union([
      Type.Literal('portal'),
      Type.Literal('account_client'),
      Type.Literal('operator'),
      Type.Literal('platform'),
    ]),
    id: Type.String({ description: 'login or client id; empty for the platform' }),
    name: Nullable(Type.String({ description: 'e-mail address of the login' })),
    source: Nullable(Type.String({ description: 'the address the call came from' })),
  }),
  action: Type.String(),
  target: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditEntryView = Static<typeof AuditEntryView>;
export const AuditLogPage = Page(AuditEntryView);
export type AuditLogPage = Static<typeof AuditLogPage>;
