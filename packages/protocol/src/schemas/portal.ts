import { type Static, Type } from 'typebox';
import { portalRoles } from '../access.ts';
import { CompanyLevelName } from './admin.ts';
import { Base64, DisplayName, Exact, Id, Nullable, Time, Wrapper } from './common.ts';
import {
  credentialMembers,
  Email,
  PublicKeyInput,
  Secret32,
  SessionTransport,
  secondFactorMembers,
  ticketMembers,
  WrappedPrivateKey,
} from './logins.ts';
import { PasskeyWrap, proofMembers } from './presence.ts';

const session = Type.Optional(SessionTransport);

/** A key pair that a device made: the private half is in `encrypted_private_key` of the same request. */
const LoginKey = Exact({ public_key: PublicKeyInput });
/** A private key, as base64 of the PKCS#8 DER, sealed to the public key of a login. */
const SealedKey = Exact({ ...Wrapper.properties, d: Base64(4000) });
/** The company's recovery key. */
export const NewRecoveryKey = Exact({ public_key: PublicKeyInput, sealed: SealedKey });
export type NewRecoveryKey = Static<typeof NewRecoveryKey>;
export const PortalAccount = Exact({
  name: DisplayName,
  key: LoginKey,
  ...credentialMembers,
  recovery_key: NewRecoveryKey,
});
export type PortalAccount = Static<typeof PortalAccount>;
/** The first step of registering takes the address alone; `account` is for closed installations, which skip the mail. */
export const PortalRegisterRequest = Exact({ email: Email, session, account: Type.Optional(PortalAccount) });
export type PortalRegisterRequest = Static<typeof PortalRegisterRequest>;
export const PortalConfirmRequest = Exact({ ...ticketMembers, session, account: PortalAccount });
export type PortalConfirmRequest = Static<typeof PortalConfirmRequest>;
export const PortalSignInRequest = Exact({
  session,
  email: Email,
  login_secret: Secret32,
  trusted_device: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'of a device that was trusted; a browser has it as a cookie',
    }),
  ),
});
export type PortalSignInRequest = Static<typeof PortalSignInRequest>;
/** The second step: the ticket of `auth.two_factor_required`, and a code or a recovery code. */
export const PortalSecondFactorRequest = Exact({
  ticket: Type.String({ maxLength: 200 }),
  ...secondFactorMembers,
  trust_device: Type.Optional(
    Type.Boolean({ description: 'skip the second factor on this device for 30 days' }),
  ),
});
export type PortalSecondFactorRequest = Static<typeof PortalSecondFactorRequest>;
export const AcceptInvitationRequest = Exact({
  session,
  token: Type.String({ maxLength: 200 }),
  name: DisplayName,
  key: LoginKey,
  ...credentialMembers,
});
export type AcceptInvitationRequest = Static<typeof AcceptInvitationRequest>;
/** For logins from before login secrets, which have no recovery code: by mail, with new keys. */
export const PortalResetRequest = Exact({ email: Email });
export const PortalResetConfirmRequest = Exact({
  ...ticketMembers,
  key: LoginKey,
  ...credentialMembers,
  recovery_key: Type.Optional(NewRecoveryKey),
});
export type PortalResetConfirmRequest = Static<typeof PortalResetConfirmRequest>;

export const PortalRole = Type.Enum([...portalRoles], {
  description: 'each may do what those before it may',
});
export type PortalRole = Static<typeof PortalRole>;
/** The signed-in login. */
export const PortalLogin = Type.Object({
  id: Id,
  email: Type.String(),
  name: Type.String(),
  role: PortalRole,
  company_login: Type.Boolean({ description: "is it the company's own login, of its registration" }),
  two_factor: Type.Boolean(),
});
export type PortalLogin = Static<typeof PortalLogin>;

export const Company = Type.Object({
  company_user_id: Id,
  name: Type.String(),
  email: Type.String(),
  company_code: Type.String(),
  account_public_key: Type.String(),
  account_public_key_sha256: Type.String(),
  level: CompanyLevelName,
  created_at: Time,
});
export type Company = Static<typeof Company>;
/** The key pair of the login: the private half opens with the wrap key of its password. */
const loginKeyMembers = {
  encrypted_private_key: WrappedPrivateKey,
  key: Type.Object({ public_key: Type.String(), public_key_sha256: Type.String() }),
};
export const PortalSession = Type.Object({
  token: Type.String({ description: 'send it as Authorization: Bearer' }),
  expires_at: Time,
  company: Company,
  login: PortalLogin,
  ...loginKeyMembers,
  trusted_device: Type.Optional(
    Type.Object({ token: Type.String({ description: 'send it at the next sign-in' }), expires_at: Time }),
  ),
});
export type PortalSession = Static<typeof PortalSession>;
/** A session whose token is in a cookie that scripts cannot read. */
export const PortalCookieSession = Type.Object({
  anti_forgery_token: Type.String({ description: 'send it as X-CSRF-Token with everything but reads' }),
  expires_at: Time,
  company: Company,
  login: PortalLogin,
  ...loginKeyMembers,
});
export type PortalCookieSession = Static<typeof PortalCookieSession>;
/** After a sign-in by passkey. */
export const PortalPasskeySession = Type.Union([
  Type.Object({ ...PortalSession.properties, encrypted_private_key: PasskeyWrap }),
  Type.Object({ ...PortalCookieSession.properties, encrypted_private_key: PasskeyWrap }),
]);
/** What a page needs when it is loaded. */
export const CurrentSession = Type.Object({
  anti_forgery_token: Nullable(Type.String({ description: 'null for a bearer token, which needs none' })),
  expires_at: Time,
  company: Company,
  login: PortalLogin,
  second_factor_missing: Type.Boolean({
    description: 'the company requires a second factor, and this session may only set one up',
  }),
});
export type CurrentSession = Static<typeof CurrentSession>;

/** The company's account key pair, whose private half the platform holds (wire 2.3). */
export const AccountKey = Type.Object({
  public_key: Type.String({ description: 'SPKI DER, base64' }),
  public_key_sha256: Type.String(),
});
export type AccountKey = Static<typeof AccountKey>;
export const AccountPrivateKeyRequest = Exact({
  ...proofMembers,
  passphrase: Type.String({ minLength: 12, maxLength: 200, description: 'encrypts the PEM' }),
});
export type AccountPrivateKeyRequest = Static<typeof AccountPrivateKeyRequest>;
export const AccountPrivateKey = Type.Object({
  ...AccountKey.properties,
  private_key_pem: Type.String({ description: 'encrypted PKCS#8 PEM, by the recipe of service keys' }),
});
export type AccountPrivateKey = Static<typeof AccountPrivateKey>;

/** The company's recovery key. Pin the fingerprint before anything is sealed to it. */
export const RecoveryKeyView = Type.Object({
  public_key: Type.String(),
  public_key_sha256: Type.String(),
});
export type RecoveryKeyView = Static<typeof RecoveryKeyView>;
/** The caller's copy of the recovery key's private half. */
export const OpenedRecoveryKey = Type.Object({ public_key: Type.String(), sealed: Wrapper });
export type OpenedRecoveryKey = Static<typeof OpenedRecoveryKey>;
/** A login that may have a copy of the recovery key: an owner or an admin. */
export const RecoveryKeyHolder = Type.Object({
  login_id: Id,
  email: Type.String(),
  name: Type.String(),
  role: PortalRole,
  public_key: Nullable(Type.String({ description: 'null for a login that must be reset first' })),
  public_key_sha256: Nullable(Type.String()),
  holds: Type.Boolean(),
});
export type RecoveryKeyHolder = Static<typeof RecoveryKeyHolder>;
export const RecoveryKeyHolderList = Type.Object({ items: Type.Array(RecoveryKeyHolder) });
export const ShareRecoveryKeyRequest = Exact({
  ...proofMembers,
  public_key_sha256: Type.String({ maxLength: 64, description: 'of the key it is sealed to' }),
  sealed: SealedKey,
});
export type ShareRecoveryKeyRequest = Static<typeof ShareRecoveryKeyRequest>;
/** A secret sealed to the company's recovery key. */
export const RecoveryCopy = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal('client_secret'), Type.Literal('service_passphrase')]),
  service_id: Type.Union([Id, Type.Null()], {
    description: 'null for account clients and sign-in apps',
  }),
  client_id: Type.Union([Type.String(), Type.Null()]),
  sealed: Wrapper,
  created_at: Time,
});
export type RecoveryCopy = Static<typeof RecoveryCopy>;
export const RecoveryCopyList = Type.Object({ items: Type.Array(RecoveryCopy) });
