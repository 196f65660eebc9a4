import { type Static, Type } from 'typebox';
import { portalRoles } from '../access.ts';
import { CompanyLevelName } from './admin.ts';
import { DisplayName, EncryptedPrivateKey, Exact, Id, Nullable, Time, Wrapper } from './common.ts';

const RecoveryKey = Exact({
  public_key: Type.String({ maxLength: 600 }),
  encrypted_private_key: EncryptedPrivateKey,
});

/**
 * How a session is transported: `token` gives a program a bearer token; `cookie` sets an HttpOnly cookie for a browser,
 * which sends the anti-forgery token with its writes.
 */
export const SessionTransport = Type.Union([Type.Literal('token'), Type.Literal('cookie')], {
  default: 'token',
});
export type SessionTransport = Static<typeof SessionTransport>;
const session = Type.Optional(SessionTransport);
const Password = Type.String({ maxLength: 200 });

export const PortalRegisterRequest = Exact({
  session,
  name: DisplayName,
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 200 }),
  recovery_key: RecoveryKey,
});
export type PortalRegisterRequest = Static<typeof PortalRegisterRequest>;
export const PortalSignInRequest = Exact({
  session,
  email: Type.String({ maxLength: 254 }),
  password: Password,
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
  code: Type.Optional(Type.String({ maxLength: 20 })),
  recovery_code: Type.Optional(Type.String({ maxLength: 40 })),
  trust_device: Type.Optional(
    Type.Boolean({ description: 'skip the second factor on this device for 30 days' }),
  ),
});
export type PortalSecondFactorRequest = Static<typeof PortalSecondFactorRequest>;
export const AcceptInvitationRequest = Exact({
  session,
  token: Type.String({ maxLength: 200 }),
  name: DisplayName,
  password: Password,
});
export type AcceptInvitationRequest = Static<typeof AcceptInvitationRequest>;

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
export const PortalSession = Type.Object({
  token: Type.String({ description: 'send it as Authorization: Bearer' }),
  expires_at: Time,
  company: Company,
  login: PortalLogin,
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
});
export type PortalCookieSession = Static<typeof PortalCookieSession>;
/** What a page needs when it is loaded. */
export const CurrentSession = Type.Object({
  anti_forgery_token: Nullable(Type.String({ description: 'null for a bearer token, which needs none' })),
  expires_at: Time,
  company: Company,
  login: PortalLogin,
});
export type CurrentSession = Static<typeof CurrentSession>;

/** The company's account key pair, whose private half the platform holds (wire 2.3). */
export const AccountKey = Type.Object({
  public_key: Type.String({ description: 'SPKI DER, base64' }),
  public_key_sha256: Type.String(),
});
export type AccountKey = Static<typeof AccountKey>;
export const AccountPrivateKeyRequest = Exact({ password: Type.String({ maxLength: 200 }) });
export type AccountPrivateKeyRequest = Static<typeof AccountPrivateKeyRequest>;
export const AccountPrivateKey = Type.Object({
  private_key: Type.String({ description: 'PKCS#8 DER, base64' }),
  private_key_pem: Type.String({ description: 'the same as PEM, not encrypted' }),
});
export type AccountPrivateKey = Static<typeof AccountPrivateKey>;

export const RecoveryKeyView = Type.Object({
  public_key: Type.String(),
  encrypted_private_key: EncryptedPrivateKey,
});
export type RecoveryKeyView = Static<typeof RecoveryKeyView>;
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
