import { FieldTypeRegistry } from '@symbolon/field-types';
import { checkDefinition, checkDraft, type FlowIssue, upgradeDefinition, warningsOf } from '@symbolon/flows';
import {
  CreateFlowRequest,
  type ErrorKey,
  type FieldTypeRow,
  type FlowDefinition,
  limits,
  UpdateFlowRequest,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { readJson } from '../../../http/json-body.ts';
import { bodyCheck, type Issue } from '../../../http/validation.ts';
import { type FlowFieldRow, fieldRowsOf, pluginIdsOf } from './definition-text.ts';
import { DEFINITION_BOUNDS, type Manifest, readManifest } from './manifest.ts';
import type { FlowAssetHead } from './tables.ts';
import { templateTags } from './template-tags.ts';

/** A definition that has the form of the schema, as its row has it. */
export interface TakenDefinition {
  readonly name: string;
  readonly outputMode: FlowDefinition['output_mode'];
  /** JSON of the definition. */
  readonly text: string;
  /** JSON of the ids of the plugins that it names. */
  readonly pluginIds: string;
}

/** What a check looks at: texts and lists, so that another thread can be given it. */
export interface CheckInput {
  readonly text: string;
  readonly fieldTypes: readonly FieldTypeRow[];
  readonly assets: readonly Pick<FlowAssetHead, 'asset_key' | 'analysis'>[];
  /** The field types that each plugin has described, by its id. */
  readonly plugins: readonly (readonly [id: string, types: readonly string[]])[];
}

export interface CheckedDefinition {
  readonly issues: readonly FlowIssue[];
  readonly warnings: readonly FlowIssue[];
  /** What the fields of the flow say in the list of request rows. */
  readonly fields: readonly FlowFieldRow[];
}

const WARNINGS_MOST = 200;

/** Bodies with a definition. */
const BODIES = { create: bodyCheck(CreateFlowRequest), update: bodyCheck(UpdateFlowRequest) } as const;
export type DefinitionBody = keyof typeof BODIES;

/** A body with a definition: little, but for that text. */
export interface SentDefinition {
  /** The other members. */
  readonly members: object;
  /** JSON of the definition. */
  readonly definition?: string;
}

/** Why something is refused that another thread has read. */
export interface Refused {
  readonly refused: { readonly key: ErrorKey; readonly text: string };
}

/** What takes long for a large definition, each from its JSON. */
export const definitionWork = {
  /** Reads a body and checks it against its schema. */
  read({
    bytes,
    body,
  }: {
    bytes: Uint8Array;
    body: DefinitionBody;
  }): SentDefinition | { readonly issues: readonly Issue[] } | Refused {
    return orRefused(() => {
      const checked = BODIES[body](readJson(asBuffer(bytes), DEFINITION_BOUNDS));
      if ('issues' in checked) return checked;
      const { definition, ...members } = checked.value as CreateFlowRequest | UpdateFlowRequest;
      return { members, ...(definition === undefined ? {} : { definition: JSON.stringify(definition) }) };
    });
  },

  /** Reads the `flow.json` of a package. */
  unpack: ({ bytes }: { bytes: Uint8Array }): Manifest | Refused =>
    orRefused(() => readManifest(asBuffer(bytes))),

  /** Takes in what was sent, in today's form or an older one; `name` takes the place of its own. */
  take({
    text,
    name,
  }: {
    text: string;
    name?: string | undefined;
  }): TakenDefinition | { readonly issues: readonly FlowIssue[] } | 'too_large' {
    const upgraded = upgradeDefinition(JSON.parse(text));
    const isObject = typeof upgraded === 'object' && upgraded !== null;
    const value = isObject && name !== undefined ? { ...upgraded, name } : upgraded;
    const issues = checkDraft(value);
    if (issues.length > 0) return { issues };
    const definition = value as FlowDefinition;
    const taken = JSON.stringify(definition);
    if (Buffer.byteLength(taken) > limits.flowDefinitionBytes) return 'too_large';
    return {
      name: definition.name,
      outputMode: definition.output_mode,
      text: taken,
      pluginIds: pluginIdsOf(definition),
    };
  },

  /** What keeps a draft from being published, and what its author should look at. */
  check({ text, fieldTypes, assets, plugins }: CheckInput): CheckedDefinition {
    const definition = JSON.parse(text) as FlowDefinition;
    const issues = checkDefinition(definition, {
      fieldTypes: new FieldTypeRegistry(fieldTypes),
      assets: new Set(assets.map(({ asset_key }) => asset_key)),
      plugins: new Map(plugins.map(([id, types]) => [id, new Set(types)])),
    });
    const warnings: FlowIssue[] = [];
    for (const warning of warningsOf(definition, templateTags(assets))) {
      warnings.push(warning);
      if (warnings.length >= WARNINGS_MOST) break;
    }
    return { issues, warnings, fields: fieldRowsOf(definition) };
  },

  /** The `flow.json` of a package, and the name of the flow. */
  manifest({ text, assets }: { text: string; assets: readonly object[] }): { name: string; json: string } {
    const definition = JSON.parse(text) as FlowDefinition;
    const manifest = { format_version: 1, ...definition, assets };
    const indented = JSON.stringify(manifest, undefined, 2);
    // What is written can be read again.
    const fits = Buffer.byteLength(indented) <= DEFINITION_BOUNDS.structureBytes;
    return { name: definition.name, json: fits ? indented : JSON.stringify(manifest) };
  },
};

/** What comes from another thread is no Buffer any more. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Errors of the platform would lose their keys between threads. */
function orRefused<Result>(work: () => Result): Result | Refused {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { refused: { key: error.key, text: error.message } };
  }
}

export type DefinitionWork = typeof definitionWork;
