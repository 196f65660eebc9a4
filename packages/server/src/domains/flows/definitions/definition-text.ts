import type { FlowIssue } from '@symbolon/flows';
import type { CompanyRequestRow, FlowDefinition } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';

export function emptyDefinition(name: string): FlowDefinition {
  return { name, output_mode: 'data_only', entry: null, parties: [], nodes: [], edges: [], constants: [] };
}

/** @throws {PlatformError} flows.definition_invalid when there are any */
export function refuseIssues(issues: readonly FlowIssue[]): void {
  if (issues.length > 0) throw new PlatformError('flows.definition_invalid', { details: { issues } });
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
