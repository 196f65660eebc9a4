import { type Static, Type } from 'typebox';
import { FLOW_KEY_PATTERN, flowLimits, flowValueTypes, pluginBlockKinds } from '../flow-words.ts';
import { limits } from '../limits.ts';
import { DisplayName, Exact, Id, Label, Nullable, Time, WrapperInput } from './common.ts';
import { PluginSnapshot } from './flows.ts';

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] });
/** `id` is taken: a block's id stands beside its value in the map of answers. */
const Key = Type.String({ pattern: FLOW_KEY_PATTERN.replace('^', '^(?!id$)') });
const members = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Array(item, { maxItems: flowLimits.pluginMembersMost });

/** A kind of field that a plugin answers: blocks that people fill, inputs that the flow fills, outputs that it computes. */
export const PluginFieldType = Type.Object({
  key: Key,
  label: Label,
  blocks: members(
    Type.Object({ key: Key, kind: oneOf(pluginBlockKinds), label: Label, required: Type.Boolean() }),
  ),
  inputs: members(
    Type.Object({ key: Key, type: oneOf(flowValueTypes), label: Label, required: Type.Boolean() }),
  ),
  outputs: members(Type.Object({ key: Key, type: oneOf(flowValueTypes), label: Label })),
});
export type PluginFieldType = Static<typeof PluginFieldType>;

/** How a plugin describes itself at `GET {base_url}/manifest` (wire 14.3). */
export const PluginManifest = Type.Object({
  name: DisplayName,
  public_key: Type.String({ maxLength: 600, description: 'SPKI DER of an RSA-2048 key, base64' }),
  field_types: Type.Array(PluginFieldType, { minItems: 1, maxItems: limits.pluginFieldTypesMost }),
});
export type PluginManifest = Static<typeof PluginManifest>;

/** Something that uses a plugin, so that it cannot be deleted. */
export const PluginUse = Type.Object({
  kind: Type.Union([Type.Literal('flow'), Type.Literal('request_field'), Type.Literal('claim')]),
  id: Type.String({ description: 'of the flow or request row; the client_id of the app of a claim' }),
  name: Type.String({ description: 'of the flow; the slug of the row; the name of the claim' }),
  service_id: Nullable(Id),
});
export type PluginUse = Static<typeof PluginUse>;

/** Wire 2.9. */
export const Plugin = Type.Object({
  id: Id,
  name: Nullable(Type.String({ description: 'null until the plugin was described' })),
  base_url: Nullable(Type.String({ description: 'null of a plugin of the platform' })),
  builtin_key: Nullable(Type.String()),
  token: Nullable(Type.String({ description: 'masked: four bullets and the last four characters' })),
  public_key: Nullable(Type.String({ description: 'SPKI, base64: requests are sealed to it' })),
  field_types: Type.Array(PluginFieldType),
  last_refresh: Nullable(Time),
  last_error: Nullable(Type.String({ description: 'why the newest refresh failed; null after a good one' })),
  in_use: Type.Array(PluginUse),
  created_at: Time,
});
export type Plugin = Static<typeof Plugin>;

/** A plugin that comes with the platform. */
export const BuiltinPlugin = Type.Object({
  key: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
});
export type BuiltinPlugin = Static<typeof BuiltinPlugin>;
export const PluginList = Type.Object({
  plugins: Type.Array(Plugin),
  builtin: Type.Array(BuiltinPlugin),
});
export type PluginList = Static<typeof PluginList>;

const Token = Nullable(
  Type.String({ maxLength: limits.pluginTokenMost, pattern: '^[!-~]*$', description: 'visible ASCII' }),
);
/** The token is sent to the plugin as a bearer token; null: there is no token. */
export const AddPluginRequest = Exact({
  base_url: Type.String({ minLength: 1, maxLength: 2048 }),
  token: Type.Optional(
    Nullable(
      Type.String({ maxLength: limits.pluginTokenMost, pattern: '^[!-~]+$', description: 'visible ASCII' }),
    ),
  ),
});
export type AddPluginRequest = Static<typeof AddPluginRequest>;
/** A plugin of the platform takes no token. */
export const EnablePluginRequest = Exact({ token: Type.Optional(Type.Null()) });
export type EnablePluginRequest = Static<typeof EnablePluginRequest>;
/** An empty token keeps the stored one, null clears it. */
export const UpdatePluginRequest = Exact({ token: Token });
export type UpdatePluginRequest = Static<typeof UpdatePluginRequest>;

const pass = {
  pass: Type.String({ description: 'opaque; good for ten minutes' }),
  forwarder_url: Type.String({ description: 'without a trailing slash' }),
};
/** Opens `POST {forwarder_url}/registry` for one plugin. */
export const RegistryPass = Type.Object(pass);
export type RegistryPass = Static<typeof RegistryPass>;
export const AddedPlugin = Type.Object({ plugin: Plugin, ...pass });
export type AddedPlugin = Static<typeof AddedPlugin>;

/** What an element, a request row or a claim asks of a plugin. */
export const PluginSpec = Type.Object({
  plugin_id: Type.String(),
  field_type: Type.String(),
  snapshot: PluginSnapshot,
  inputs: Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'keys of the flow by input',
  }),
});
export type PluginSpec = Static<typeof PluginSpec>;
/** Opens `POST {forwarder_url}/call` for the plugins that are named. */
export const PluginPass = Type.Object({
  ...pass,
  plugins: Type.Array(Type.Object({ id: Id, public_key: Nullable(Type.String()) })),
  specs: Type.Unsafe<Readonly<Record<string, PluginSpec>>>({
    type: 'object',
    additionalProperties: PluginSpec,
    description: 'by slug, or by the name of the claim',
  }),
});
export type PluginPass = Static<typeof PluginPass>;

/** For the plugin rows of a service, or the plugin claims of a sign-in request that the person has begun. */
export const PersonPluginPassRequest = Exact({
  company_code: Type.Optional(Type.String({ maxLength: 100 })),
  service_code: Type.Optional(Type.String({ maxLength: 100 })),
  client_id: Type.Optional(Type.String({ maxLength: 200 })),
  state: Type.Optional(Type.String({ maxLength: limits.consentStateMost })),
});
export type PersonPluginPassRequest = Static<typeof PersonPluginPassRequest>;

/** The plugin of a request row as companies and people read it. */
export const RowPlugin = Type.Object({
  plugin_name: Type.String(),
  field_type: Type.String(),
  snapshot: PluginSnapshot,
});
export type RowPlugin = Static<typeof RowPlugin>;
/** The same with the plugin's id. */
export const NamedRowPlugin = Type.Object({ plugin_id: Id, ...RowPlugin.properties });
/** The plugin that a row or claim is to have. The snapshot is the platform's: one that is sent back is passed over. */
export const RowPluginInput = Exact({
  plugin_id: Id,
  field_type: Type.String({ minLength: 1, maxLength: 40 }),
  plugin_name: Type.Optional(Type.Unknown()),
  snapshot: Type.Optional(Type.Unknown()),
});
export type RowPluginInput = Static<typeof RowPluginInput>;

const Pass = Type.String({ minLength: 1, maxLength: limits.pluginPassCharacters });
export const ForwarderRegistryRequest = Exact({ pass: Pass });
export const ForwarderCallRequest = Exact({ pass: Pass, plugin_id: Id, request: WrapperInput });
export type ForwarderCallRequest = Static<typeof ForwarderCallRequest>;
export const ForwarderReply = Type.Object({
  reply: Type.Unknown({ description: 'the wrapper, as the plugin sent it: sealed to reply_key' }),
});

const Scalar = Nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
const Values = Type.Unsafe<Readonly<Record<string, Static<typeof Scalar>>>>({
  type: 'object',
  additionalProperties: Scalar,
  maxProperties: flowLimits.pluginMembersMost,
});
const requestMembers = {
  field_type: Key,
  picks: Values,
  values: Values,
  inputs: Values,
  reply_key: PluginManifest.properties.public_key,
};
/** What a plugin opens: the options of one block, or the outputs of all. `picks` are ids of options by block. */
export const PluginRequest = Type.Union([
  Type.Object({
    op: Type.Literal('options'),
    block: Key,
    query: Type.String({ maxLength: limits.pluginQueryMost }),
    ...requestMembers,
  }),
  Type.Object({ op: Type.Literal('outputs'), ...requestMembers }),
]);
export type PluginRequest = Static<typeof PluginRequest>;

/** What a plugin seals. A pick that is no longer there makes the request invalid. */
export const PluginReply = Type.Union([
  Type.Object({
    options: Type.Array(Type.Object({ id: Type.String(), label: Type.String() })),
    more: Type.Boolean(),
  }),
  Type.Object({ outputs: Values }),
  Type.Object({ picks_invalid: Type.Literal(true) }),
]);
export type PluginReply = Static<typeof PluginReply>;

/** The value of a plugin field: the JSON text that is sealed (wire 13.5). */
export interface PluginAnswer {
  readonly plugin: string;
  readonly type: string;
  readonly blocks: readonly {
    readonly key: string;
    readonly kind: (typeof pluginBlockKinds)[number];
    readonly label: string;
    readonly id?: string;
    readonly value: string | number | null;
  }[];
  readonly outputs: readonly {
    readonly key: string;
    readonly type: (typeof flowValueTypes)[number];
    readonly label: string;
    readonly value: string | number | boolean | null;
  }[];
}
