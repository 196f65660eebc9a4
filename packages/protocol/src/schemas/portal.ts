import { type Static, Type } from 'typebox';
import { EncryptedPrivateKey, Exact, Id, Time, Wrapper } from './common.ts';

const RecoveryKey = Exact({
  public_key: Type.String({ maxLength: 600 }),
  encrypted_private_key: EncryptedPrivateKey,
});

export const PortalRegisterRequest = Exact({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 200 }),
  recovery_key: RecoveryKey,
});
export type PortalRegisterRequest = Static<typeof PortalRegisterRequest>;
export const PortalSignInRequest = Exact({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 200 }),
});
export type PortalSignInRequest = Static<typeof PortalSignInRequest>;

export const Company = Type.Object({
  company_user_id: Id,
  name: Type.String(),
  email: Type.String(),
  company_code: Type.String(),
  account_public_key: Type.String(),
  account_public_key_sha256: Type.String(),
  created_at: Time,
});
export type Company = Static<typeof Company>;
export const PortalSession = Type.Object({
  token: Type.String({ description: 'send it as Authorization: Bearer' }),
  expires_at: Time,
  company: Company,
});
export type PortalSession = Static<typeof PortalSession>;

/** The company's account key pair, whose private half the platform holds (spec 2.3). */
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
  service_id: Id,
  client_id: Type.Union([Type.String(), Type.Null()]),
  sealed: Wrapper,
  created_at: Time,
});
export type RecoveryCopy = Static<typeof RecoveryCopy>;
export const RecoveryCopyList = Type.Object({ items: Type.Array(RecoveryCopy) });
