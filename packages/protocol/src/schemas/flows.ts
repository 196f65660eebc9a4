import { type Static, Type } from 'typebox';
import {
  type ConditionComparison,
  conditionComparisons,
  conditionGroups,
  type DateUnit,
  dateUnits,
  expressionTypes,
  FLOW_KEY_PATTERN,
  type FlowValueType,
  flowLimits,
  flowOutputModes,
  flowValueTypes,
  type MathOperator,
  mathOperators,
  OWNER_PARTY,
  pluginBlockKinds,
} from '../flow-words.ts';
import { Nullable, Slug } from './common.ts';

/** When an edge is taken, an option offered or a rule applied (wire 13.3). `null` always holds. */
export type FlowCondition =
  | null
  | { readonly op: 'and' | 'or' | 'not'; readonly children: readonly FlowCondition[] }
  | { readonly op: ConditionComparison; readonly field: string; readonly value?: unknown };

/** How a constant is computed (wire 13.4). */
export type FlowExpression =
  | { readonly type: 'lit'; readonly value_type: FlowValueType; readonly value: unknown }
  | { readonly type: 'ref'; readonly key: string }
  | { readonly type: 'today' }
  | {
      readonly type: 'if';
      readonly cases: readonly { readonly when: FlowCondition; readonly then: FlowExpression }[];
      readonly else?: FlowExpression | null;
    }
  | { readonly type: 'concat'; readonly parts: readonly FlowExpression[]; readonly sep?: string }
  | {
      readonly type: 'datediff';
      readonly unit: DateUnit;
      readonly from: FlowExpression;
      readonly to: FlowExpression;
    }
  | { readonly type: 'math'; readonly op: MathOperator; readonly args: readonly FlowExpression[] };

// What they point to stands in `$defs` of the definition: both are recursive.
const Condition = Type.Unsafe<FlowCondition>({ $ref: '#/$defs/Condition' });
const Expression = Type.Unsafe<FlowExpression>({ $ref: '#/$defs/Expression' });
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });
const list = <Item extends Parameters<typeof Type.Array>[0]>(item: Item, maxItems: number) =>
  Type.Array(item, { maxItems });

const Key = Type.String({ pattern: FLOW_KEY_PATTERN });
const Label = Type.String({ maxLength: flowLimits.labelMost });
const Body = Type.String({ maxLength: flowLimits.bodyMost });
const Reference = Type.String({ minLength: 1, maxLength: flowLimits.referenceMost });

export const FlowParty = Type.Object({
  key: Key,
  label: Label,
  type: Type.Optional(
    Nullable(Type.String({ maxLength: 40, description: `'${OWNER_PARTY}' is the owning company` })),
  ),
});
export type FlowParty = Static<typeof FlowParty>;

export const FlowOption = Type.Object({
  value: Type.String({ minLength: 1, maxLength: flowLimits.labelMost }),
  label: Label,
  available_if: Type.Optional(Condition),
});
export type FlowOption = Static<typeof FlowOption>;

/** A literal, or an expression over the answers at hand. */
const Bound = Type.Optional(
  Type.Unsafe<number | string | boolean | FlowExpression | null>({
    anyOf: [
      { type: 'number' },
      { type: 'string', maxLength: flowLimits.referenceMost },
      { type: 'boolean' },
      Expression,
      { type: 'null' },
    ],
  }),
);
const Default = Type.Optional(Type.Unsafe<unknown>({ $ref: '#/$defs/Default' }));

export const FlowField = Type.Object({
  kind: Type.Literal('field'),
  slug: Slug,
  field_type: Type.String({ maxLength: 40 }),
  label: Label,
  required: Type.Boolean(),
  options: Type.Optional(Nullable(list(FlowOption, flowLimits.optionsMost))),
  default: Default,
  min: Bound,
  max: Bound,
});
export type FlowField = Static<typeof FlowField>;

/** The text is `body`; in older packages `text` or `label`. */
export const FlowText = Type.Object({
  kind: Type.Literal('text'),
  body: Type.Optional(Body),
  text: Type.Optional(Body),
  label: Type.Optional(Body),
});
export type FlowText = Static<typeof FlowText>;

const member = { key: Key, label: Label };

/** What a plugin says of one of its field types. */
export const PluginSnapshot = Type.Object({
  plugin_name: Type.Optional(Label),
  host: Type.Optional(Label),
  label: Type.Optional(Label),
  blocks: list(
    Type.Object({ ...member, kind: oneOf(pluginBlockKinds), required: Type.Boolean() }),
    flowLimits.pluginMembersMost,
  ),
  inputs: list(
    Type.Object({ ...member, type: oneOf(flowValueTypes), required: Type.Boolean() }),
    flowLimits.pluginMembersMost,
  ),
  outputs: list(Type.Object({ ...member, type: oneOf(flowValueTypes) }), flowLimits.pluginMembersMost),
});
export type PluginSnapshot = Static<typeof PluginSnapshot>;

export const FlowPlugin = Type.Object({
  kind: Type.Literal('plugin'),
  slug: Slug,
  label: Label,
  required: Type.Boolean(),
  plugin: Type.Object({
    plugin_id: Reference,
    field_type: Reference,
    snapshot: Type.Optional(Nullable(PluginSnapshot)),
    inputs: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        additionalProperties: Type.String({ maxLength: flowLimits.referenceMost }),
        maxProperties: flowLimits.pluginMembersMost,
      }),
    ),
  }),
});
export type FlowPlugin = Static<typeof FlowPlugin>;

export const FlowElement = Type.Union([FlowField, FlowText, FlowPlugin]);
export type FlowElement = Static<typeof FlowElement>;

/** Where a PDF comes from: one of the three. */
export const FlowRule = Type.Object({
  condition: Type.Optional(Condition),
  asset_key: Type.Optional(Reference),
  source_field: Type.Optional(Reference),
  source_connection: Type.Optional(Type.Object({ party: Reference, request_slug: Reference })),
  tags: Type.Optional(list(Type.Unknown(), flowLimits.optionsMost)),
});
export type FlowRule = Static<typeof FlowRule>;

export const FlowOutput = Type.Object({
  key: Type.String({ minLength: 1, maxLength: flowLimits.referenceMost }),
  name: Label,
  rules: list(FlowRule, flowLimits.rulesMost),
  signers: list(
    Type.Object({
      party: Reference,
      sign: Type.Optional(Type.Boolean()),
      accept: Type.Optional(Type.Boolean()),
    }),
    flowLimits.partiesMost,
  ),
});
export type FlowOutput = Static<typeof FlowOutput>;

export const FlowNode = Type.Object({
  key: Reference,
  party: Reference,
  title: Label,
  elements: list(FlowElement, flowLimits.elementsOfNodeMost),
  outputs: Type.Optional(list(FlowOutput, flowLimits.outputsOfNodeMost)),
});
export type FlowNode = Static<typeof FlowNode>;

export const FlowEdge = Type.Object({
  from: Reference,
  to: Reference,
  condition: Type.Optional(Condition),
  sort: Type.Optional(Nullable(Type.Number())),
});
export type FlowEdge = Static<typeof FlowEdge>;

export const FlowConstant = Type.Object({
  key: Key,
  label: Label,
  result_type: oneOf(flowValueTypes),
  expr: Expression,
});
export type FlowConstant = Static<typeof FlowConstant>;

const group = {
  type: 'object',
  required: ['op', 'children'],
  properties: {
    op: { enum: conditionGroups },
    children: { type: 'array', items: { $ref: '#/$defs/Condition' }, maxItems: flowLimits.partsMost },
  },
};
const leaf = {
  type: 'object',
  required: ['op', 'field'],
  properties: { op: { enum: conditionComparisons }, field: Reference, value: {} },
};
const expressionMembers = {
  lit: { value_type: oneOf(flowValueTypes), value: {} },
  ref: { key: Reference },
  today: {},
  if: {
    // biome-ignore lint/suspicious/noThenProperty: it is the name of the member.
    cases: list(Type.Object({ when: Condition, then: Expression }), flowLimits.partsMost),
  },
  concat: { parts: list(Expression, flowLimits.partsMost) },
  datediff: { unit: oneOf(dateUnits), from: Expression, to: Expression },
  math: { op: oneOf(mathOperators), args: list(Expression, flowLimits.partsMost) },
};
/** Members that may be missing. */
const furtherMembers: Readonly<Record<string, object>> = {
  if: { else: { anyOf: [Expression, { type: 'null' }] } },
  concat: { sep: Type.String({ maxLength: flowLimits.labelMost }) },
};

/**
 * A flow as its package, its drafts and its versions hold it (wire 13.1). What a schema cannot say is checked by
 * `@symbolon/flows`. Further members are passed over, since older packages have some.
 */
export const FlowDefinition = Type.Object(
  {
    name: Label,
    output_mode: oneOf(flowOutputModes),
    entry: Type.Optional(Nullable(Type.String({ maxLength: flowLimits.referenceMost }))),
    parties: list(FlowParty, flowLimits.partiesMost),
    nodes: list(FlowNode, flowLimits.nodesMost),
    edges: list(FlowEdge, flowLimits.edgesMost),
    constants: Type.Optional(list(FlowConstant, flowLimits.constantsMost)),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Flow definition',
    $defs: {
      Condition: { anyOf: [{ type: 'null' }, group, leaf] },
      Default: {
        description: 'A literal, or an expression over the answers at hand',
        anyOf: [
          { $ref: '#/$defs/Expression' },
          { not: { type: 'object', required: ['type'], properties: { type: { enum: expressionTypes } } } },
        ],
      },
      Expression: {
        anyOf: expressionTypes.map((type) => ({
          type: 'object',
          required: ['type', ...Object.keys(expressionMembers[type])],
          properties: { type: { const: type }, ...expressionMembers[type], ...furtherMembers[type] },
        })),
      },
    },
  },
);
export type FlowDefinition = Static<typeof FlowDefinition>;
