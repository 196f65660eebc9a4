import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { DisplayName, Exact, Id, Label, Nullable, Page, PageQuery, Time } from './common.ts';
import { Large } from './large.ts';
import { PresenceProof } from './presence.ts';

export const DocumentKind = Type.Union([
  Type.Literal('document'),
  Type.Literal('agreement'),
  Type.Literal('subscription'),
]);
export type DocumentKind = Static<typeof DocumentKind>;
export const PayloadKind = Type.Union([Type.Literal('json'), Type.Literal('file')]);
export type PayloadKind = Static<typeof PayloadKind>;
/** What a company can set. */
const SettableStatus = Type.Union([
  Type.Literal('offering'),
  Type.Literal('ready_to_sign'),
  Type.Literal('active'),
  Type.Literal('active_but_ending'),
  Type.Literal('ended'),
]);
export const DocumentStatus = Type.Union([
  // A copy of a run that waits for others.
  Type.Literal('waiting'),
  Type.Literal('offering'),
  Type.Literal('ready_to_sign'),
  Type.Literal('active'),
  Type.Literal('active_but_ending'),
  Type.Literal('ended'),
]);
export type DocumentStatus = Static<typeof DocumentStatus>;

const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the plain bytes, lower-case hex',
});
const Description = Type.String({ maxLength: limits.documentDescriptionMost });
const Metadata = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown());

/** Names one connection of the service. */
export const DocumentTarget = Exact(
  {
    connection_id: Type.Optional(Id),
    person_user_id: Type.Optional(Id),
    share_code: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  },
  { minProperties: 1, maxProperties: 1 },
);
export type DocumentTarget = Static<typeof DocumentTarget>;

export const CreateDocumentRequest = Exact({
  kind: DocumentKind,
  name: Label,
  payload_kind: PayloadKind,
  is_private: Type.Optional(Type.Boolean()),
  requires_signature: Type.Optional(Type.Boolean()),
  requires_acceptance: Type.Optional(Type.Boolean()),
  target: Type.Optional(Nullable(DocumentTarget)),
  description: Type.Optional(Nullable(Description)),
  metadata: Type.Optional(Nullable(Metadata)),
  status: Type.Optional(SettableStatus),
  value: Type.Optional(
    Type.Unknown({
      description:
        'of a JSON document: for one customer a wrapper, for all of them any JSON. Of a file: nothing',
    }),
  ),
  plain_sha256: Type.Optional(Nullable(Sha256)),
});
export type CreateDocumentRequest = Static<typeof CreateDocumentRequest>;

export const UploadDocumentRequest = Exact({
  value: Type.Optional(
    Large('wrapper', 'for one customer: the envelope of the file, sealed to its key, as JSON text'),
  ),
  file: Type.Optional(Large('text', 'for all customers: `data:<media type>;base64,` and the bytes')),
  original_name: Type.Optional(Label),
  plain_sha256: Type.Optional(Nullable(Sha256)),
});

export const UpdateDocumentRequest = Exact(
  {
    status: Type.Optional(SettableStatus),
    name: Type.Optional(Label),
    description: Type.Optional(Nullable(Description)),
    metadata: Type.Optional(Nullable(Metadata)),
  },
  { minProperties: 1 },
);
export type UpdateDocumentRequest = Static<typeof UpdateDocumentRequest>;

const CompletingPdf = Type.Optional(
  Large('memory', 'of the act that completes a document with a digest: the file itself, base64'),
);

/** What proves that the customer acts: presence, or a challenge of the document's service that the person approved (wire 11.3). */
export const DocumentActProof = Type.Union([
  ...PresenceProof.anyOf,
  Exact({ kind: Type.Literal('challenge'), challenge_id: Id }),
]);
export type DocumentActProof = Static<typeof DocumentActProof>;

export const SignDocumentRequest = Exact({
  content_sha256: Sha256,
  first_name: DisplayName,
  last_name: DisplayName,
  proof: DocumentActProof,
  pdf: CompletingPdf,
});
export type SignDocumentRequest = Static<typeof SignDocumentRequest>;

export const AcceptDocumentRequest = Exact({
  content_sha256: Type.Optional(Nullable(Sha256)),
  proof: Type.Optional(DocumentActProof),
  pdf: CompletingPdf,
});
export type AcceptDocumentRequest = Static<typeof AcceptDocumentRequest>;

/** An act by which a party signed or accepted. */
export const DocumentSignature = Type.Object({
  action: Type.Union([Type.Literal('signed'), Type.Literal('accepted')]),
  method: Nullable(Type.Union([Type.Literal('biometric'), Type.Literal('twofa'), Type.Literal('email')])),
  content_sha256: Nullable(Type.String()),
  plain_sha256: Nullable(Type.String()),
  signer_first_name: Nullable(Type.String()),
  signer_last_name: Nullable(Type.String()),
  signer_name_verified: Nullable(Type.Boolean()),
  created_at: Time,
});
export type DocumentSignature = Static<typeof DocumentSignature>;

/** Members that every party sees. */
const members = {
  id: Id,
  kind: DocumentKind,
  name: Type.String(),
  description: Nullable(Type.String()),
  status: DocumentStatus,
  payload_kind: PayloadKind,
  is_private: Type.Boolean(),
  value: Type.Unknown({
    description:
      'JSON: the wrapper, or for all customers the value. A file: `{"_pending": true}` before its upload, then `{"_enc_file"}`, or for all customers `{file, original_name, mime_type, size}`',
  }),
  metadata: Metadata,
  requires_signature: Type.Boolean(),
  requires_acceptance: Type.Boolean(),
  plain_sha256: Nullable(Type.String()),
  sealed_at: Nullable(Time),
  sealed_sha256: Nullable(Type.String()),
  seal_level: Nullable(Type.String({ description: 'of PAdES: B-B, B-T or B-LT' })),
  signatures: Type.Array(DocumentSignature),
};

/** Who is to sign or accept a document of a run of a flow, and what became of it. */
export const RunSignature = Type.Object({
  output_key: Type.String(),
  name: Type.String(),
  party_key: Type.String(),
  document_id: Id,
  position: Type.Integer({ description: 'in the line of those who sign or accept, from 1' }),
  status: DocumentStatus,
  action: Nullable(Type.Union([Type.Literal('signed'), Type.Literal('accepted'), Type.Literal('cancelled')])),
  acted_at: Nullable(Time),
});
export type RunSignature = Static<typeof RunSignature>;

/** A document as the service that issued it reads it. */
export const Document = Type.Object({
  ...members,
  run_signatures: Type.Optional(
    Type.Array(RunSignature, {
      description: 'of a document of a run: who signs and accepts what in this run',
    }),
  ),
  connection_id: Nullable(Id),
  person_user_id: Nullable(Id),
  share_code: Nullable(Type.String()),
  created_at: Time,
  updated_at: Time,
});
export type Document = Static<typeof Document>;
export const DocumentPage = Page(Document);
export const DocumentQuery = Type.Object({
  ...PageQuery.properties,
  person_user_id: Type.Optional(Id),
  status: Type.Optional(DocumentStatus),
});

/** What a company may write about a document again after its customer acted. */
export const DocumentTerms = Type.Object({
  name: members.name,
  description: members.description,
  metadata: members.metadata,
});
export type DocumentTerms = Static<typeof DocumentTerms>;

/** A document as a customer reads it. */
export const CustomerDocument = Type.Object({
  ...members,
  changed_since_act: Nullable(
    Type.Object(DocumentTerms.properties, {
      description:
        'what the company wrote after the customer signed or accepted; `name`, `description` and `metadata` are those of the act',
    }),
  ),
  connection_id: Nullable(Id),
  broadcast: Type.Boolean({ description: 'whether every customer of the service has it, unencrypted' }),
  created_at: Time,
  updated_at: Time,
});
export type CustomerDocument = Static<typeof CustomerDocument>;
/** The file of a document that one customer has. */
export const SealedFile = Type.Object({ encrypted: Type.Literal(true), value: Type.Unknown() });
/** The same for a company that is the customer, or the envelope of a file that all customers have. */
export const CustomerFile = Type.Object({
  encrypted: Type.Optional(Type.Literal(true)),
  value: Type.Optional(Type.Unknown({ description: 'the wrapper' })),
  file: Type.Optional(Type.String({ description: 'data URI' })),
  original_name: Type.Optional(Type.String()),
  mime_type: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer()),
});

/** Cancels a document, which its metadata must allow. */
export const CancelDocumentRequest = Exact({
  note: Type.Optional(
    Nullable(
      Type.String({ maxLength: limits.documentNoteMost, description: 'for the company that issued it' }),
    ),
  ),
});
export type CancelDocumentRequest = Static<typeof CancelDocumentRequest>;
