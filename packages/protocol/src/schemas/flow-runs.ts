import { type Static, Type } from 'typebox';
import { flowLimits, flowOutputModes, type RunColumn, runColumns } from '../flow-words.ts';
import { limits } from '../limits.ts';
import { DisplayName, Exact, Id, Nullable, rowPlace, Time, WrapperInput } from './common.ts';
import { CompanyIdentity } from './customer.ts';
import { DocumentStatus } from './documents.ts';
import type { FlowDefinition } from './flows.ts';
import { Large } from './large.ts';

/** A definition in an answer: its schema is a document of its own. */
const Definition = Type.Unsafe<FlowDefinition>({
  type: 'object',
  description: 'as docs/flow-definition.schema.json says',
});

const PartyKey = Type.String({ minLength: 1, maxLength: flowLimits.referenceMost });
const NodeKey = Type.String({ minLength: 1, maxLength: flowLimits.referenceMost });
const AnswerSlug = Type.String({ minLength: 1, maxLength: flowLimits.referenceMost });
const Version = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });
/** Names a PDF that a run needs beside its templates, for example `conn:client:passport`. */
export const FlowSourceKey = Type.String({ minLength: 1, maxLength: 2 * flowLimits.referenceMost });

/** A map in a request. Some languages write an empty one as a list. */
const MapInput = <Value>(additionalProperties: object, maxProperties: number, description: string) =>
  Type.Unsafe<Record<string, Value>>({
    anyOf: [
      { type: 'object', additionalProperties, maxProperties },
      { type: 'array', maxItems: 0 },
    ],
    description,
  });
const WHO_ANSWERS = 'who answers as which party: user ids by party keys';
const Bindings = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Id,
  description: WHO_ANSWERS,
});

/** What one recipient knows of the parties. */
const TagValues = Exact({
  recipient_pubkey_sha256: Type.Optional(
    Type.String({ maxLength: 64, description: 'fingerprint of the key that these are sealed to' }),
  ),
  public: Type.Optional(Nullable(WrapperInput)),
  public_tags: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: limits.flowTagsMost })),
  private: Type.Optional(MapInput<WrapperInput>({}, limits.flowTagsMost, 'of each tag a wrapper of {v, t}')),
});

/** Starts a run with a customer who is connected. */
export const StartFlowRunRequest = Exact({
  target: Exact({ connection_id: Id }),
  bindings: MapInput<string>(Id, flowLimits.partiesMost, WHO_ANSWERS),
  flow_version: Type.Optional(Nullable(Version)),
  reference: Type.Optional(Nullable(DisplayName)),
  tag_values: Type.Optional(
    Nullable(
      MapInput<Static<typeof TagValues>>(
        TagValues,
        flowLimits.partiesMost + 1,
        'by user id, for the owning company `company`',
      ),
    ),
  ),
  source_files: Type.Optional(
    Nullable(
      Type.Array(Exact({ source_key: FlowSourceKey, for_user_id: Id, file: Id }), {
        maxItems: limits.flowFilesMost,
      }),
    ),
  ),
});
export type StartFlowRunRequest = Static<typeof StartFlowRunRequest>;

/** A copy of a file that the start of a run, or an answer, names next. */
export const FlowFile = Type.Object({ file: Id });
export type FlowFile = Static<typeof FlowFile>;
export const UploadFlowRunFileRequest = Exact({
  source_user_id: Type.Optional(Nullable(Id)),
  value: Large('wrapper', 'a wrapper for the key of the recipient, as JSON text'),
});
export const UploadFlowAnswerFileRequest = Exact({
  slug: AnswerSlug,
  for_user_id: Id,
  value: Large('wrapper', 'a wrapper for the key of the recipient, as JSON text'),
});

/** The answers of one step, and where the flow goes on. */
export const AnswerFlowRunRequest = Exact({
  answers: Type.Array(
    Exact({
      slug: AnswerSlug,
      values: Type.Array(
        Exact({
          for_user_id: Id,
          value: Type.Unsafe<WrapperInput | { _enc_file: string }>(
            Type.Unknown({ description: 'wrapper, its JSON text, or `{"_enc_file": file}`' }),
          ),
        }),
        { maxItems: flowLimits.partiesMost },
      ),
      source_private: Type.Optional(Nullable(Type.Boolean({ description: 'it came from a private field' }))),
    }),
    { maxItems: flowLimits.elementsOfNodeMost },
  ),
  next_node: Type.Optional(Nullable(NodeKey)),
  next_party: Type.Optional(Nullable(PartyKey)),
  leaf: Type.Optional(Nullable(Type.Boolean({ description: 'the flow ends with this step' }))),
});
export type AnswerFlowRunRequest = Static<typeof AnswerFlowRunRequest>;
/** What customers send: some of their programs say more than is asked. */
export const AnswerFlowRunAsCustomerRequest = Exact({
  ...AnswerFlowRunRequest.properties,
  links: Type.Optional(Type.Unknown({ description: 'passed over' })),
});

const Otk = Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: '32 random bytes, base64' });
/** A file that documents of a run need, encrypted with the one-time key. */
export const UploadFlowInputRequest = Exact({
  source_key: FlowSourceKey,
  value: Large('text', 'base64 of 12 bytes of nonce, the ciphertext and its tag of 16 bytes (AES-256-GCM)'),
});
export const FlowInput = Type.Object({ input: Id });
export type FlowInput = Static<typeof FlowInput>;
/** What documents are made from: readable for the moment of this call alone. */
export const GenerateFlowRequest = Exact({
  otk: Otk,
  values: Type.String({
    maxLength: limits.flowValuesMost,
    description: 'encrypted as an input; it opens to {slug: text}',
  }),
  inputs: Type.Optional(
    Nullable(
      Type.Array(Exact({ source_key: FlowSourceKey, input: Id }), { maxItems: limits.flowInputsMost }),
    ),
  ),
});
export type GenerateFlowRequest = Static<typeof GenerateFlowRequest>;
export const GeneratedDocuments = Type.Object({
  documents: Type.Array(
    Type.Object({
      output_key: Type.String(),
      party_key: Type.String(),
      document_id: Id,
      position: Type.Integer(),
    }),
  ),
  document_id: Nullable(Id),
  status: Type.String(),
  over: Type.Optional(
    Type.Array(
      Type.Object({
        output_key: Type.String(),
        key: Type.String({ description: 'a value that had to be made too small to read well' }),
        page: Type.Integer(),
      }),
    ),
  ),
  problems: Type.Optional(
    Type.Array(
      Type.Object({
        output_key: Type.String(),
        code: Type.String({ description: 'as in the analysis of a file of a flow' }),
        page: Nullable(Type.Integer()),
      }),
      { description: 'what could not be read of a PDF that a party brought: its tags stay as they are' },
    ),
  ),
});
export type GeneratedDocuments = Static<typeof GeneratedDocuments>;

/** A document of a run, as its participant has it. */
export const FlowRunDocument = Type.Object({
  output_key: Type.String(),
  name: Type.String(),
  document_id: Id,
  document_status: DocumentStatus,
  requires_signature: Type.Boolean(),
  requires_acceptance: Type.Boolean(),
  position: Type.Integer({ description: 'in the line of those who sign or accept, from 1' }),
  action: Nullable(Type.Union([Type.Literal('signed'), Type.Literal('accepted'), Type.Literal('cancelled')])),
  acted_at: Nullable(Time),
});
export type FlowRunDocument = Static<typeof FlowRunDocument>;

export const FlowParticipant = Type.Object({
  party_key: Type.String(),
  person_user_id: Id,
  connection_id: Nullable(Id),
  documents: Type.Array(FlowRunDocument),
});
export type FlowParticipant = Static<typeof FlowParticipant>;

const TagValue = Type.Object({ v: Type.String(), t: Type.String({ description: 'the type of the field' }) });
/** The viewer's copy of what is known of the parties. */
export const FlowTagValues = Type.Object({
  public: Nullable(
    Type.String({ description: 'JSON text of a wrapper; it opens to {"party.field": {v, t}}' }),
  ),
  public_tags: Type.Array(Type.String()),
  private: Type.Record(Type.String(), Type.String({ description: 'of each tag a wrapper of {v, t}' })),
});
export type FlowTagValues = Static<typeof FlowTagValues>;

export const FlowRunAnswer = Type.Object({
  slug: Type.String(),
  for_user_id: Id,
  value: Type.String({ description: 'JSON text of a wrapper, or of `{"_enc_file": file}`' }),
});
export type FlowRunAnswer = Static<typeof FlowRunAnswer>;

const listed = {
  id: Id,
  reference: Nullable(Type.String({ description: 'what the company calls the run; all parties read it' })),
  flow_id: Id,
  flow_version: Type.Integer(),
  service_id: Id,
  connection_id: Nullable(Id),
  company_user_id: Id,
  bindings: Bindings,
  status: Type.String({
    description: 'awaiting_<party>, generating, awaiting_signature, completed or cancelled',
  }),
  current_node: Nullable(Type.String()),
  output_mode: Type.Unsafe<(typeof flowOutputModes)[number]>({ type: 'string', enum: [...flowOutputModes] }),
};
const dates = { created_at: Time, updated_at: Time };

/** A run as one of its parties reads it: the answers are the copies for that party. */
export const FlowRun = Type.Object({
  ...listed,
  definition: Definition,
  answers: Type.Array(FlowRunAnswer),
  reference_date: Type.String({ description: 'the day on which the run started, in UTC' }),
  private_slugs: Type.Array(Type.String()),
  participants: Type.Array(FlowParticipant),
  source_files: Type.Record(Type.String(), Type.String({ description: 'file' })),
  owner_tag_values: Type.Record(Type.String(), TagValue),
  tag_values: Nullable(FlowTagValues),
  document_id: Nullable(Id),
  failure: Type.Optional(
    Nullable(Type.String({ description: 'why documents could not be made, as an error_key' })),
  ),
  ...dates,
});
export type FlowRun = Static<typeof FlowRun>;

/** A step that was answered; the answer itself is in the run, for those who can open it. */
export const FlowRunStep = Type.Object({ node: Type.String(), party: Type.String(), answered_at: Time });
export type FlowRunStep = Static<typeof FlowRunStep>;
export const FlowRunSteps = Type.Object({
  steps: Type.Array(FlowRunStep, { description: 'in the order in which they were answered' }),
});
export type FlowRunSteps = Static<typeof FlowRunSteps>;

export const FlowRunPage = Type.Object({ total: Type.Integer(), items: Type.Array(FlowRun) });
export const FlowRunQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMost, default: limits.pageDefault })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })),
  status: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'awaiting_company: the turn of the company, whatever the key of its party is',
    }),
  ),
});

export const FlowRunBoardQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'runs of each column' }),
  ),
  column: Type.Optional(
    Type.Unsafe<RunColumn>({
      type: 'string',
      enum: [...runColumns],
      description: 'the runs of this one alone',
    }),
  ),
  before: rowPlace('id of the last run that is known of the column; empty: from the beginning'),
});
export const FlowRunBoard = Type.Object({
  customer: Type.Integer({ description: 'how many runs wait for customers; so in each column' }),
  company: Type.Integer(),
  generating: Type.Integer(),
  signature: Type.Integer(),
  done: Type.Integer({ description: 'completed' }),
  ended: Type.Integer({ description: 'cancelled' }),
  items: Type.Array(FlowRun, { description: 'of each column the newest' }),
});
export type FlowRunBoard = Static<typeof FlowRunBoard>;

/** Who asks: with its codes the keys of company and service are found, to which answers are sealed. */
const asking = {
  flow_name: Type.String(),
  company: CompanyIdentity,
  service: Type.Object({ id: Id, name: Type.String(), share_code: Type.String() }),
};
/** A run as a customer reads it; `connection_id` is the customer's own connection. */
export const CustomerFlowRun = Type.Object({ ...FlowRun.properties, ...asking });
export type CustomerFlowRun = Static<typeof CustomerFlowRun>;
export const CustomerFlowRunList = Type.Object({ runs: Type.Array(CustomerFlowRun) });
/** One of a person's runs, without its definition and answers. */
export const ListedFlowRun = Type.Object({ ...listed, ...asking, ...dates });
export type ListedFlowRun = Static<typeof ListedFlowRun>;
export const PersonFlowRunList = Type.Object({ runs: Type.Array(ListedFlowRun) });
export const CustomerRunsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  before: rowPlace('id of the last run that is known; empty: from the newest'),
});
export const CustomerRunList = Type.Object({ runs: Type.Array(ListedFlowRun) });
export type CustomerRunList = Static<typeof CustomerRunList>;
