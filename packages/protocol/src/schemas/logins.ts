import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Exact } from './common.ts';

/*
 * Logins, of people and of the portal alike. A device derives a login secret and a wrap key from the password; it sends
 * the login secret and keeps the wrap key. No schema has a member for a password.
 */

export const Email = Type.String({ maxLength: 254 });
export const Secret32 = Type.String({ minLength: 44, maxLength: 44, description: '32 bytes, base64' });
const Salt16 = Type.String({ minLength: 24, maxLength: 24, description: '16 bytes, base64' });
export const PublicKeyInput = Type.String({ maxLength: 600, description: 'RSA-2048, SPKI DER, base64' });
const LoginVersion = Type.Integer({
  minimum: 1,
  maximum: limits.loginVersionMost,
  description:
    'recipe by which the device derives login secret and wrap key: 1 is PBKDF2-SHA-256, 600,000 rounds',
});
/** A private key under AES-256-GCM: 12-byte iv, ciphertext with the tag. */
export const WrappedPrivateKey = Exact({
  iv: Type.String({ minLength: 16, maxLength: 16 }),
  data: Type.String({ minLength: 4, maxLength: 4000 }),
});
export type WrappedPrivateKey = Static<typeof WrappedPrivateKey>;

/** What a device sends when it sets a password: no password and no readable key. */
export const passwordMembers = {
  version: LoginVersion,
  salt: Salt16,
  login_secret: Secret32,
  encrypted_private_key: WrappedPrivateKey,
};
export const PasswordMaterial = Exact(passwordMembers);
export type PasswordMaterial = Static<typeof PasswordMaterial>;
/** The same private key under the recovery code, with the secret that proves to hold that code. */
export const RecoveryMaterial = Exact({ secret: Secret32, encrypted_private_key: WrappedPrivateKey });
export type RecoveryMaterial = Static<typeof RecoveryMaterial>;
/** All that a new login needs: its password and its recovery code. */
export const credentialMembers = { ...passwordMembers, recovery: RecoveryMaterial };

/**
 * How a session is transported: `token` gives a program a bearer token; `cookie` sets an HttpOnly cookie for a browser,
 * which sends the anti-forgery token with its writes.
 */
export const SessionTransport = Type.Union([Type.Literal('token'), Type.Literal('cookie')], {
  default: 'token',
});
export type SessionTransport = Static<typeof SessionTransport>;
/** Codes for the second factor. */
export const secondFactorMembers = {
  code: Type.Optional(Type.String({ maxLength: 20, description: 'of the authenticator app' })),
  recovery_code: Type.Optional(
    Type.String({ maxLength: 40, description: 'of the second factor, in place of code' }),
  ),
};

/** Names the act; the code that belongs to it comes by mail. */
export const MailedTicket = Type.Object({
  ticket: Type.String({ description: 'send it with the code of the mail' }),
});
export type MailedTicket = Static<typeof MailedTicket>;
/** Ticket and code of an act that a mail confirms. */
export const ticketMembers = {
  ticket: Type.String({ maxLength: 200 }),
  code: Type.String({ maxLength: 20, description: 'of the mail' }),
};

export const LoginParametersRequest = Exact({ email: Email });
export const LoginParameters = Type.Object({ version: Type.Integer(), salt: Type.String() });
export type LoginParameters = Static<typeof LoginParameters>;
export const RecoveryKeyRequest = Exact({ email: Email, recovery_secret: Secret32 });
export type RecoveryKeyRequest = Static<typeof RecoveryKeyRequest>;
export const RecoveredKey = Type.Object({ encrypted_private_key: WrappedPrivateKey });
/** A new password by the recovery code, which is void afterwards: the new one is in `recovery`. */
export const RecoverRequest = Exact({ email: Email, recovery_secret: Secret32, ...credentialMembers });
export type RecoverRequest = Static<typeof RecoverRequest>;
