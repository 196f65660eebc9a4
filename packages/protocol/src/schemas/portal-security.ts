import { type Static, Type } from 'typebox';
import { EncryptedPrivateKey, Exact, Id, Nullable, Page, Time } from './common.ts';

const Password = Type.String({ maxLength: 200 });
const code = Type.Optional(Type.String({ maxLength: 20, description: 'of the authenticator app' }));
const recovery_code = Type.Optional(Type.String({ maxLength: 40 }));

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

export const PasswordRequest = Exact({
  current_password: Password,
  new_password: Password,
  recovery_private_key: Type.Optional(EncryptedPrivateKey),
});
export type PasswordRequest = Static<typeof PasswordRequest>;

/** The public halves of the company's own keys. */
export const ProfileKeys = Type.Object({
  account_public_key: Type.String(),
  account_public_key_sha256: Type.String(),
  recovery_public_key: Type.String(),
  recovery_public_key_sha256: Type.String(),
});
export type ProfileKeys = Static<typeof ProfileKeys>;
export const ProfileKeysRequest = Exact({
  password: Password,
  recovery_private_key: EncryptedPrivateKey,
});
export type ProfileKeysRequest = Static<typeof ProfileKeysRequest>;

export const EmailChangeRequest = Exact({
  password: Password,
  new_email: Type.String({ maxLength: 254 }),
  code,
  recovery_code,
});
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
export const TwoFactorEnrolRequest = Exact({ password: Password });
export type TwoFactorEnrolRequest = Static<typeof TwoFactorEnrolRequest>;
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
/** The proof that some calls need beside the session: the password and, when the second factor is on, a code. */
export const ProofRequest = Exact({ password: Password, code, recovery_code });
export type ProofRequest = Static<typeof ProofRequest>;

export const TrustedDevice = Type.Object({
  id: Id,
  user_agent: Type.String(),
  created_at: Time,
  last_used_at: Time,
  expires_at: Time,
});
export type TrustedDevice = Static<typeof TrustedDevice>;
export const TrustedDeviceList = Type.Object({ items: Type.Array(TrustedDevice) });

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
