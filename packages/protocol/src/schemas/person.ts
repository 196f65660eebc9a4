import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { personReads } from '../person-reads.ts';
import { DisplayName, Exact, Id, Label, Nullable, rowPlace, Slug, Time, WrapperInput } from './common.ts';
import { CustomerType, VerificationMembers } from './company-data.ts';
import { Usertype } from './contact-fields.ts';
import { decisionSchemas } from './decisions.ts';
import { Large } from './large.ts';
import {
  credentialMembers,
  Email,
  PublicKeyInput,
  passwordMembers,
  RecoverRequest,
  RecoveryMaterial,
  Secret32,
  SessionTransport,
  secondFactorMembers,
  ticketMembers,
  WrappedPrivateKey,
} from './logins.ts';
import { PhotoLink } from './photos.ts';
import { PasskeyAnswer, PasskeyWrap, PresenceProof, proofMembers } from './presence.ts';
import { RequestField, ShareField } from './services.ts';

const session = Type.Optional(SessionTransport);

export const PersonAccount = Exact({
  display_name: DisplayName,
  public_key: PublicKeyInput,
  ...credentialMembers,
});
export type PersonAccount = Static<typeof PersonAccount>;
/** The first step of registering takes the address alone; `account` is for closed installations, which skip the mail. */
export const PersonRegisterRequest = Exact({
  email: Email,
  session,
  account: Type.Optional(PersonAccount),
});
export type PersonRegisterRequest = Static<typeof PersonRegisterRequest>;
export const PersonConfirmRequest = Exact({ ...ticketMembers, session, account: PersonAccount });
export type PersonConfirmRequest = Static<typeof PersonConfirmRequest>;
export const PersonLoginRequest = Exact({ session, email: Email, login_secret: Secret32 });
export type PersonLoginRequest = Static<typeof PersonLoginRequest>;
/** The second step: the ticket of `auth.two_factor_required`, and a code or a recovery code. */
export const PersonSecondFactorRequest = Exact({
  ticket: Type.String({ maxLength: 200 }),
  ...secondFactorMembers,
});
export type PersonSecondFactorRequest = Static<typeof PersonSecondFactorRequest>;
/** With the second factor on, a code of it too. */
export const PersonRecoverRequest = Exact({
  ...RecoverRequest.properties,
  session,
  ...secondFactorMembers,
});
export type PersonRecoverRequest = Static<typeof PersonRecoverRequest>;
export const ChangePasswordRequest = Exact({
  current_login_secret: Type.Optional(Secret32),
  ...secondFactorMembers,
  passkey: Type.Optional(PasskeyAnswer),
  session,
  ...passwordMembers,
});
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;
export const PersonRecoveryCodeRequest = Exact({ ...proofMembers, recovery: RecoveryMaterial });
export type PersonRecoveryCodeRequest = Static<typeof PersonRecoveryCodeRequest>;
export const ConfirmRecoveryCodeRequest = Exact({ recovery_secret: Secret32 });
export type ConfirmRecoveryCodeRequest = Static<typeof ConfirmRecoveryCodeRequest>;
export const RecoveryState = Type.Object({
  made_at: Time,
  confirmed_at: Nullable(Time),
});
export type RecoveryState = Static<typeof RecoveryState>;

export const Person = Type.Object({
  person_user_id: Id,
  email: Type.String(),
  display_name: Type.String(),
  share_code: Type.String(),
  public_key: Type.String(),
  public_key_sha256: Type.String(),
  created_at: Time,
});
export type Person = Static<typeof Person>;
export const ChangePersonRequest = Exact({ display_name: DisplayName });
export type ChangePersonRequest = Static<typeof ChangePersonRequest>;

export const PersonEventKind = Type.Union([
  Type.Literal('registered'),
  Type.Literal('signed_in'),
  Type.Literal('signed_in_by_passkey'),
  Type.Literal('recovered'),
  Type.Literal('password_changed'),
  Type.Literal('recovery_code_made'),
  Type.Literal('recovery_code_confirmed'),
  Type.Literal('name_changed'),
  Type.Literal('email_changed'),
]);
export type PersonEventKind = Static<typeof PersonEventKind>;
/** A sign-in, or a change of what the person signs in with. */
export const PersonEvent = Type.Object({
  id: Id,
  kind: PersonEventKind,
  user_agent: Type.String({ description: 'in short; empty where the caller named none' }),
  at: Time,
});
export type PersonEvent = Static<typeof PersonEvent>;
export const PersonHistory = Type.Object({ items: Type.Array(PersonEvent) });
export const PersonSession = Type.Object({
  token_type: Type.Literal('Bearer'),
  access_token: Type.String(),
  expires_in: Type.Integer(),
  person: Person,
  encrypted_private_key: WrappedPrivateKey,
});
export type PersonSession = Static<typeof PersonSession>;
/** The session itself is in a cookie that no script reads. */
export const PersonCookieSession = Type.Object({
  anti_forgery_token: Type.String({ description: 'send it with every write, as X-CSRF-Token' }),
  expires_at: Time,
  person: Person,
  encrypted_private_key: WrappedPrivateKey,
});
export type PersonCookieSession = Static<typeof PersonCookieSession>;
/** After a sign-in by passkey. */
export const PersonPasskeySession = Type.Union([
  Type.Object({ ...PersonSession.properties, encrypted_private_key: PasskeyWrap }),
  Type.Object({ ...PersonCookieSession.properties, encrypted_private_key: PasskeyWrap }),
]);
export type PersonPasskeySession = Static<typeof PersonPasskeySession>;
/** Of the session that asks; nulls for a bearer token, which is no session. */
export const CurrentPersonSession = Type.Object({
  anti_forgery_token: Nullable(Type.String()),
  expires_at: Nullable(Time),
  person: Person,
});
export type CurrentPersonSession = Static<typeof CurrentPersonSession>;

/** The file of a field, which has a route of its own. */
export const PersonFile = Type.Object({
  sha256: Type.String({ description: 'of the bytes as they are served, lower-case hex' }),
  bytes: Type.Integer(),
  sealed: Type.Boolean({ description: 'whether it is a wrapper for the person' }),
  content_type: Type.Optional(Type.String({ description: 'of a file in plaintext that is served as it is' })),
});
export type PersonFile = Static<typeof PersonFile>;

export const PersonField = Type.Object({
  id: Id,
  type: Type.String(),
  label: Type.String(),
  slug: Type.String(),
  private: Type.Boolean(),
  usertype: Usertype,
  value: Nullable(Type.String({ description: 'wrapper for the person, as JSON text; null on file types' })),
  file: Type.Optional(PersonFile),
  ...VerificationMembers,
  created_at: Time,
  updated_at: Time,
});
export type PersonField = Static<typeof PersonField>;
export const PersonFieldQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
  after: rowPlace('id of the last field of the page before; empty: from the beginning'),
});
export const PersonFieldList = Type.Object({
  fields: Type.Array(PersonField),
  total: Type.Integer({
    description: 'how many fields there are; the next page begins after the last of this one',
  }),
});
export type PersonFieldList = Static<typeof PersonFieldList>;
export const CreatePersonFieldRequest = Exact({
  type: Type.String({ minLength: 1, maxLength: 40 }),
  label: Label,
  slug: Slug,
  private: Type.Optional(Type.Boolean()),
  usertype: Type.Optional(Usertype),
  // A field of a file type takes its file by the file route.
  value: Type.Optional(WrapperInput),
});
export type CreatePersonFieldRequest = Static<typeof CreatePersonFieldRequest>;
/** For one live slot: its sealed copy, or `withheld`, with which it keeps its former value and stays live. */
export const SlotCopy = Exact({
  connection_id: Id,
  request_field_id: Id,
  value: Type.Optional(WrapperInput),
  withheld: Type.Optional(Type.Literal(true)),
});
export type SlotCopy = Static<typeof SlotCopy>;
export const UpdatePersonFieldRequest = Exact({
  label: Type.Optional(Label),
  private: Type.Optional(Type.Boolean()),
  value: Type.Optional(WrapperInput),
  copies: Type.Optional(Type.Array(SlotCopy, { maxItems: 2_000 })),
});
export type UpdatePersonFieldRequest = Static<typeof UpdatePersonFieldRequest>;
/** For one live slot: the upload of its sealed copy, or `withheld`. */
export const FileCopy = Exact({
  connection_id: Id,
  request_field_id: Id,
  upload_id: Type.Optional(Id),
  withheld: Type.Optional(Type.Literal(true)),
});
export type FileCopy = Static<typeof FileCopy>;
export const FieldFileRequest = Exact({
  value: Type.Optional(
    Large('wrapper', 'the envelope of the file, sealed to the person’s own key, as JSON text'),
  ),
  file: Type.Optional(
    Large('text', 'the envelope of the file in plaintext, as JSON text; not for a private field'),
  ),
  copies: Type.Optional(Type.Array(FileCopy, { maxItems: 2_000 })),
});
export type FieldFileRequest = Static<typeof FieldFileRequest>;
export const UploadFileRequest = Exact({
  value: Large('wrapper', 'the envelope of a file, sealed to the key of a service, as JSON text'),
});
export type UploadFileRequest = Static<typeof UploadFileRequest>;
export const FileUpload = Type.Object({
  upload_id: Id,
  sha256: Type.String({ description: 'of the stored text, lower-case hex' }),
  bytes: Type.Integer(),
  expires_at: Time,
});
export type FileUpload = Static<typeof FileUpload>;
/** A file as JSON: a wrapper, or an envelope in plaintext. */
export const FileValue = Type.Object({ encrypted: Type.Boolean(), value: Type.String() });

/** A live slot that a field answers. Each new value needs a sealed copy for it. */
export const LiveSlot = Type.Object({
  connection_id: Id,
  request_field_id: Id,
  slug: Type.String(),
  service_id: Id,
  service_public_key: Type.String(),
  withheld: Type.Boolean({
    description: 'whether it has a former value, because a later edit withheld the new one',
  }),
});
export type LiveSlot = Static<typeof LiveSlot>;
export const LiveSlotList = Type.Object({ slots: Type.Array(LiveSlot) });

export const StartVerificationRequest = Exact({ value: Type.String({ minLength: 1, maxLength: 254 }) });
export const VerificationStarted = Type.Object({ expires_at: Time });
export type VerificationStarted = Static<typeof VerificationStarted>;
export const ConfirmVerificationRequest = Exact({
  value: Type.String({ minLength: 1, maxLength: 254 }),
  code: Type.String({ minLength: 1, maxLength: 20 }),
});
export type ConfirmVerificationRequest = Static<typeof ConfirmVerificationRequest>;

/** Why a provider did not verify a document. */
export const rejectionReasons = ['unreadable', 'expired', 'not_genuine', 'mismatch', 'other'] as const;
export const CheckDocumentRequest = Exact({
  value: Type.Optional(
    Large(
      'memory',
      'of a sealed file: the envelope, exactly as it was sealed; a file in plaintext is read where it is stored',
    ),
  ),
});
export const DocumentCheck = Type.Object({
  state: Type.Enum(['pending', 'approved', 'rejected']),
  reason: Nullable(Type.Enum([...rejectionReasons], { description: 'of a rejected document' })),
  expires_at: Type.String({ description: 'until when the provider may answer, and the answer can be read' }),
});
export type DocumentCheck = Static<typeof DocumentCheck>;
export const CurrentDocumentCheck = Type.Object({ check: Nullable(DocumentCheck) });
export const DocumentCheckResult = Exact({
  result: Type.String({ minLength: 1, maxLength: 8192, description: 'a JWT, signed by the provider' }),
});

export const CompanyCard = Type.Object({
  company_user_id: Id,
  display_name: Type.String(),
  company_code: Type.String(),
  photo: Nullable(PhotoLink),
});
export const ServiceCard = Type.Object({
  id: Id,
  name: Type.String(),
  share_code: Type.String(),
  public_key: Type.String(),
  public_key_sha256: Type.String(),
});
export const Lookup = Type.Object({
  company: CompanyCard,
  service: ServiceCard,
  request_fields: Type.Array(RequestField),
  shared: Type.Array(ShareField),
  photos: Type.Array(PhotoLink),
});
export type Lookup = Static<typeof Lookup>;

const schemas = decisionSchemas('live', { field_id: Type.Optional(Id), upload_id: Type.Optional(Id) });
/** How a person answers one request row: `live` follows the field `field_id`, `one_time` has a field or a typed value. */
export const Decision = schemas.Decision;
export type Decision = Static<typeof Decision>;
/** The act of the proof is `connect <company code>/<service code>`. */
export const ConnectRequest = Exact({
  ...schemas.ConnectRequest.properties,
  proof: Type.Optional(PresenceProof),
});
export type ConnectRequest = Static<typeof ConnectRequest>;
export const DecisionsRequest = schemas.DecisionsRequest;
export type DecisionsRequest = Static<typeof DecisionsRequest>;
export const DeclineRequest = Exact({ request_field_ids: Type.Optional(Type.Array(Id, { maxItems: 200 })) });
export type DeclineRequest = Static<typeof DeclineRequest>;

export const Mapping = Type.Object({
  request_field_id: Id,
  slug: Type.String(),
  kind: Type.Union([Type.Literal('live'), Type.Literal('one_time')]),
  field_id: Nullable(Id),
  updated_at: Time,
});
export type Mapping = Static<typeof Mapping>;
export const PendingConsent = Type.Object({ id: Id, request_fields: Type.Array(RequestField) });
export type PendingConsent = Static<typeof PendingConsent>;
/** A connection as the person sees it. */
export const PersonConnection = Type.Object({
  connection_id: Id,
  customer_type: CustomerType,
  company: CompanyCard,
  service: ServiceCard,
  connected_at: Time,
  shared: Type.Array(ShareField),
  photos: Type.Array(PhotoLink),
  request_fields: Type.Array(RequestField),
  mappings: Type.Array(Mapping),
  pending_consent: Nullable(PendingConsent),
});
export type PersonConnection = Static<typeof PersonConnection>;
export const PersonConnectionList = Type.Object({ connections: Type.Array(PersonConnection) });
export const PersonConsent = Type.Object({
  id: Id,
  connection_id: Id,
  company: CompanyCard,
  service: ServiceCard,
  request_fields: Type.Array(RequestField),
  created_at: Time,
});
export type PersonConsent = Static<typeof PersonConsent>;
export const PersonConsentList = Type.Object({ consents: Type.Array(PersonConsent) });

const oneRead = `(?:${personReads.join('|')})`;
export const PersonReadsQuery = Type.Object({
  of: Type.String({
    pattern: `^${oneRead}(?:,${oneRead}){0,${personReads.length - 1}}$`,
    description: `comma-separated: ${personReads.join(', ')}`,
  }),
});
/** By name, each as its own address answers it. What is refused or large, and what takes long, is missing. */
export const PersonReads = Type.Object({ answers: Type.Record(Type.String(), Type.Unknown()) });
export type PersonReads = { answers: Partial<Record<(typeof personReads)[number], unknown>> };
