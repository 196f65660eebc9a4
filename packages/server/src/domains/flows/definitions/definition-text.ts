import { checkDraft, type FlowIssue, upgradeDefinition } from '@symbolon/flows';
import { type CompanyRequestRow, type FlowDefinition, limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

/** A definition that has the form of the schema, with its JSON. */
export interface DefinitionText {
  readonly definition: FlowDefinition;
  readonly text: string;
}

/**
 * Takes in a definition that somebody sent, in today's form or that of older packages.
 * @param name takes the place of its own
 * @throws {PlatformError} flows.definition_invalid, request.too_large
 */
export function takeDefinition(sent: unknown, name?: string): DefinitionText {
  const upgraded = upgradeDefinition(sent);
  const isObject = typeof upgraded === 'object' && upgraded !== null;
  const value = isObject && name !== undefined ? { ...upgraded, name } : upgraded;
  refuseIssues(checkDraft(value));
  return sized(value as FlowDefinition);
}

/** The same definition under another name. @throws {PlatformError} request.too_large */
export function renamed(text: string, name: string): DefinitionText {
  return sized({ ...(JSON.parse(text) as FlowDefinition), name });
}

export function emptyDefinition(name: string): FlowDefinition {
  return { name, output_mode: 'data_only', entry: null, parties: [], nodes: [], edges: [], constants: [] };
}

/** @throws {PlatformError} flows.definition_invalid when there are any */
export function refuseIssues(issues: readonly FlowIssue[]): void {
  if (issues.length > 0) throw new PlatformError('flows.definition_invalid', { details: { issues } });
}

function sized(definition: FlowDefinition): DefinitionText {
  const text = JSON.stringify(definition);
  if (Buffer.byteLength(text) > limits.flowDefinitionBytes) throw new PlatformError('request.too_large');
  return { definition, text };
}

/** JSON of the ids of the plugins that a definition names, each once. */
export function pluginIdsOf({ nodes }: FlowDefinition): string {
  const ids = nodes.flatMap(({ elements }) =>
    elements.flatMap((element) => (element.kind === 'plugin' ? [element.plugin.plugin_id] : [])),
  );
  return JSON.stringify([...new Set(ids)].sort());
}

/** What a field of a flow says in the list of request rows; the rest is the same for all of them. */
export type FlowFieldRow = Pick<CompanyRequestRow, 'slug' | 'label' | 'type'>;

/** The elements of a flow that are answered, in its order. */
export function fieldRowsOf({ nodes }: FlowDefinition): FlowFieldRow[] {
  return nodes.flatMap(({ elements }) =>
    elements.flatMap((element) => {
      if (element.kind === 'text') return [];
      const { slug, label } = element;
      return [{ slug, label, type: element.kind === 'field' ? element.field_type : 'plugin' }];
    }),
  );
}
