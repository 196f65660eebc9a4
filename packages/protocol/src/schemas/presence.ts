import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { DisplayName, Exact, Id, Nullable, Time } from './common.ts';
import { Secret32, SessionTransport, secondFactorMembers, WrappedPrivateKey } from './logins.ts';

/*
 * Passkeys (Web Authentication, level 3) and proofs of presence. The JSON forms of credentials are those that browsers make
 * by `toJSON()`. The output of the PRF extension opens a private key, so it must never be sent: `clientExtensionResults` has
 * no member for it.
 */

const Base64Url = (most: number) =>
  Type.String({ minLength: 1, maxLength: most, pattern: '^[A-Za-z0-9_-]+$', description: 'base64url' });
/** The longest credential id that the standard allows: 1023 bytes. */
const CredentialId = Base64Url(1_364);
const Attachment = Type.Optional(Nullable(Type.String({ maxLength: 40 })));
const ExtensionResults = Type.Optional(
  Exact(
    {
      credProps: Type.Optional(Exact({ rk: Type.Optional(Type.Boolean()) })),
      prf: Type.Optional(Exact({ enabled: Type.Optional(Type.Boolean()) })),
    },
    { description: 'never with the results of prf: they stay on the device' },
  ),
);

/** What an authenticator answers to `navigator.credentials.get`. */
export const AuthenticationResponseJSON = Exact({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Exact({
    clientDataJSON: Base64Url(4_000),
    authenticatorData: Base64Url(4_000),
    signature: Base64Url(2_000),
    userHandle: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  }),
  authenticatorAttachment: Attachment,
  clientExtensionResults: ExtensionResults,
});
export type AuthenticationResponseJSON = Static<typeof AuthenticationResponseJSON>;

/** What an authenticator answers to `navigator.credentials.create`. */
export const RegistrationResponseJSON = Exact({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Exact({
    clientDataJSON: Base64Url(4_000),
    attestationObject: Base64Url(16_000),
    authenticatorData: Type.Optional(Base64Url(8_000)),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
    publicKey: Type.Optional(Nullable(Base64Url(4_000))),
  }),
  authenticatorAttachment: Attachment,
  clientExtensionResults: ExtensionResults,
});
export type RegistrationResponseJSON = Static<typeof RegistrationResponseJSON>;

/** A passkey's answer to a nonce. */
export const PasskeyAnswer = Exact({
  nonce: Type.String({ maxLength: 200 }),
  credential: AuthenticationResponseJSON,
});
export type PasskeyAnswer = Static<typeof PasskeyAnswer>;

const mailedCodeMember = {
  mailed_code: Type.Optional(Type.String({ maxLength: 20, description: 'that was mailed for this act' })),
};

/** Proves that the owner of an account is present, for one act. */
export const PresenceProof = Type.Union([
  Exact({ kind: Type.Literal('passkey'), ...PasskeyAnswer.properties }),
  Exact({
    kind: Type.Literal('password'),
    login_secret: Secret32,
    ...secondFactorMembers,
    ...mailedCodeMember,
  }),
]);
export type PresenceProof = Static<typeof PresenceProof>;

/**
 * Proves who is present, as members of a body: the login secret and, with the second factor on, a code, or one that was
 * mailed; or a passkey's answer alone.
 */
export const proofMembers = {
  login_secret: Type.Optional(Secret32),
  ...secondFactorMembers,
  ...mailedCodeMember,
  passkey: Type.Optional(PasskeyAnswer),
};
export const ProofRequest = Exact(proofMembers);
export type ProofRequest = Static<typeof ProofRequest>;

export const PresenceMethod = Type.Union([
  Type.Literal('passkey'),
  Type.Literal('totp'),
  Type.Literal('mailed_code'),
  Type.Literal('password'),
]);
export type PresenceMethod = Static<typeof PresenceMethod>;

/** What a page needs in order to ask for a proof. */
export const PresenceOptions = Type.Object({
  nonce: Type.String({ description: 'the challenge for a passkey, base64url; good for this act, once' }),
  expires_at: Time,
  rp_id: Type.String({ description: 'of the pages; empty where browsers take no passkeys' }),
  credential_ids: Type.Array(Type.String()),
  methods: Type.Array(PresenceMethod, {
    description:
      'passkey: there is one; totp: the login secret with a code; mailed_code: the login secret with a mailed code; password: the login secret alone, where no second factor is demanded',
  }),
});
export type PresenceOptions = Static<typeof PresenceOptions>;

/** Names what a proof is for: thing and decision. */
export const PresenceAct = Type.String({
  minLength: 1,
  maxLength: limits.presenceActMost,
  description: 'what the proof is for',
  examples: ['approve challenge 0198c0de-0000-7000-8000-000000000000'],
});
export const PresenceActRequest = Exact({ act: PresenceAct });
export type PresenceActRequest = Static<typeof PresenceActRequest>;

/** How presence was proved. */
export interface Presence {
  readonly method: 'passkey' | 'totp' | 'recovery_code' | 'mailed_code' | 'password';
  /** Whether two factors were proved: true of all but the login secret alone. */
  readonly twoFactor: boolean;
}

/** Options of `navigator.credentials.create`, in the JSON form of the standard. */
export const PasskeyCreationOptions = Type.Object({
  challenge: Type.String({ description: 'the nonce to send back' }),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: Type.Literal('none'),
  excludeCredentials: Type.Array(
    Type.Object({
      type: Type.Literal('public-key'),
      id: Type.String(),
      transports: Type.Array(Type.String()),
    }),
  ),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  extensions: Type.Object({ credProps: Type.Literal(true) }),
});
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;
export const AddPasskeyRequest = Exact({
  nonce: PasskeyAnswer.properties.nonce,
  name: DisplayName,
  credential: RegistrationResponseJSON,
  encrypted_private_key: Type.Optional(WrappedPrivateKey),
});
export type AddPasskeyRequest = Static<typeof AddPasskeyRequest>;
export const Passkey = Type.Object({
  id: Id,
  credential_id: Type.String(),
  name: Type.String(),
  backed_up: Type.Boolean({ description: 'whether it is copied to other devices of its owner' }),
  opens_key: Type.Boolean({ description: 'whether it wraps the private key, by the PRF extension' }),
  created_at: Time,
  last_used_at: Nullable(Time),
});
export type Passkey = Static<typeof Passkey>;
export const PasskeyList = Type.Object({ items: Type.Array(Passkey) });
export const RenamePasskeyRequest = Exact({ name: DisplayName });
export type RenamePasskeyRequest = Static<typeof RenamePasskeyRequest>;
/** The private key under the PRF output of the passkey, which also proves to be there. */
export const WrapPasskeyRequest = Exact({
  passkey: PasskeyAnswer,
  encrypted_private_key: WrappedPrivateKey,
});
export type WrapPasskeyRequest = Static<typeof WrapPasskeyRequest>;

/** For a sign-in without an address: the passkey knows its account. */
export const PasskeySignInOptions = Type.Object({
  nonce: Type.String(),
  expires_at: Time,
  rp_id: Type.String(),
});
export type PasskeySignInOptions = Static<typeof PasskeySignInOptions>;
export const PasskeySignInRequest = Exact({
  session: Type.Optional(SessionTransport),
  ...PasskeyAnswer.properties,
});
export type PasskeySignInRequest = Static<typeof PasskeySignInRequest>;
/** The private key under the PRF output of the passkey; null without one: the password opens it. */
export const PasskeyWrap = Nullable(WrappedPrivateKey);
