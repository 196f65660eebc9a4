import { type Static, Type } from 'typebox';
import { flowLimits, flowOutputModes } from '../flow-words.ts';
import { limits } from '../limits.ts';
import { Exact, Id, Label, Nullable, Time } from './common.ts';
import type { FlowDefinition } from './flows.ts';

/** A definition inside a body. Its form is checked by `@symbolon/flows`, which reports every issue with its place. */
const Definition = Type.Unsafe<FlowDefinition>({
  type: 'object',
  description: 'as docs/flow-definition.schema.json says',
});

/** How often a draft was saved: an editor sends back the revision that it read. */
const Revision = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });
const Version = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

/** The name of a file in a flow, by which rules name it. */
export const FlowAssetKey = Type.String({
  minLength: 1,
  maxLength: flowLimits.referenceMost,
  pattern: limits.shownText,
});

const OnPage = Type.Integer({ minimum: 1, description: 'from 1' });
const Points = Type.Number({ description: 'points' });

/** What a PDF offers to be filled: tags in the text of its pages, and form fields (wire 13.9). */
export const FlowAssetAnalysis = Type.Object({
  pages: Type.Integer(),
  tags: Type.Array(
    Type.Object({
      key: Type.String(),
      page: OnPage,
      x: Points,
      y: Points,
      font_size: Points,
      width: Points,
      free_width: Type.Number({ description: 'points that a value may take before it is condensed' }),
    }),
  ),
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String({ description: 'text, checkbox, radio or choice' }),
      page: Nullable(OnPage),
      width: Points,
      height: Points,
      options: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  problems: Type.Array(
    Type.Object({
      code: Type.String({ description: 'text_unreadable, text_vertical, signed or too_many_tags' }),
      page: Nullable(OnPage),
    }),
  ),
});
export type FlowAssetAnalysis = Static<typeof FlowAssetAnalysis>;

export const FlowAsset = Type.Object({
  asset_key: Type.String(),
  kind: Type.Literal('pdf'),
  mime_type: Type.String(),
  original_name: Type.String(),
  size: Type.Integer(),
  sha256: Type.String({ description: 'lower-case hex' }),
  analysis: FlowAssetAnalysis,
  created_at: Time,
});
export type FlowAsset = Static<typeof FlowAsset>;

const summary = {
  id: Id,
  service_id: Id,
  name: Type.String(),
  output_mode: Type.Unsafe<(typeof flowOutputModes)[number]>({ type: 'string', enum: [...flowOutputModes] }),
  revision: Revision,
  version: Nullable(Type.Integer({ description: 'the latest published one' })),
  published_at: Nullable(Time),
  changed: Type.Boolean({ description: 'whether the draft was changed since it was last published' }),
  created_at: Time,
  updated_at: Time,
};

/** A flow as lists show it. */
export const FlowSummary = Type.Object(summary);
export type FlowSummary = Static<typeof FlowSummary>;
export const FlowList = Type.Object({ flows: Type.Array(FlowSummary) });

/** A flow with its draft. */
export const Flow = Type.Object({ ...summary, definition: Definition, assets: Type.Array(FlowAsset) });
export type Flow = Static<typeof Flow>;

/** Without a definition the draft is empty. */
export const CreateFlowRequest = Exact({
  name: Type.Optional(Label),
  definition: Type.Optional(Definition),
});
export type CreateFlowRequest = Static<typeof CreateFlowRequest>;

/** `revision` is the one that was read. A name alone renames the flow. */
export const UpdateFlowRequest = Exact(
  { revision: Revision, name: Type.Optional(Label), definition: Type.Optional(Definition) },
  { minProperties: 2 },
);
export type UpdateFlowRequest = Static<typeof UpdateFlowRequest>;

/** With a revision, only that draft is published. */
export const PublishFlowRequest = Exact({ revision: Type.Optional(Revision) });
export const PublishedFlow = Type.Object({ version: Version });
export type PublishedFlow = Static<typeof PublishedFlow>;

export const FlowIssueView = Type.Object({
  code: Type.String(),
  path: Type.String({ description: 'JSON Pointer into the definition' }),
  message: Type.String(),
});
/** What keeps a draft from being published, and what its author should look at. */
export const FlowCheck = Type.Object({
  issues: Type.Array(FlowIssueView),
  warnings: Type.Array(FlowIssueView),
});
export type FlowCheck = Static<typeof FlowCheck>;

const versionSummary = { version: Version, name: Type.String(), published_at: Time };
export const FlowVersionList = Type.Object({ versions: Type.Array(Type.Object(versionSummary)) });
export type FlowVersionList = Static<typeof FlowVersionList>;
export const FlowVersion = Type.Object({
  ...versionSummary,
  definition: Definition,
  assets: Type.Array(FlowAsset),
});
export type FlowVersion = Static<typeof FlowVersion>;

export const FlowPackageQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'a published version; else the draft' }),
  ),
});
export const FlowAssetQuery = Type.Object({
  original_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: limits.shownText,
      description: 'what the file is called',
    }),
  ),
});

/** A published flow as the company's backend lists it. */
export const CompanyFlow = Type.Object({
  id: Id,
  name: Type.String(),
  version: Version,
  output_mode: summary.output_mode,
  published_at: Time,
});
export type CompanyFlow = Static<typeof CompanyFlow>;
export const CompanyFlowList = Type.Object({ total: Type.Integer(), items: Type.Array(CompanyFlow) });

/** The latest published version; the types are those of the request rows of the service, by slug. */
export const CompanyFlowVersion = Type.Object({
  version: Version,
  definition: Definition,
  request_field_types: Type.Record(Type.String(), Type.String()),
});
export type CompanyFlowVersion = Static<typeof CompanyFlowVersion>;
