import type { FlowDefinition, FlowIssue } from '@symbolon/flows';

/** What of a flow an issue is shown at. */
export type Place =
  | { readonly kind: 'node'; readonly key: string }
  | { readonly kind: 'edge'; readonly index: number }
  | { readonly kind: 'flow' };

const at = <T>(list: readonly T[] | undefined, index: string | undefined): T | undefined =>
  list?.[Number(index)];

/** The place to which the path of an issue leads: a step, the edge that leaves one, or the flow itself. */
export function placeOf(flow: FlowDefinition, { path }: Pick<FlowIssue, 'path'>): Place {
  const [, member, index] = path.split('/');
  const node = member === 'nodes' ? at(flow.nodes, index) : undefined;
  if (node !== undefined) return { kind: 'node', key: node.key };
  if (member === 'edges' && at(flow.edges, index) !== undefined)
    return { kind: 'edge', index: Number(index) };
  return { kind: 'flow' };
}

/** How many issues stand at each step, those of the edges that leave it included. */
export function countsByNode(
  flow: FlowDefinition,
  issues: readonly FlowIssue[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const issue of issues) {
    const place = placeOf(flow, issue);
    const key =
      place.kind === 'node' ? place.key : place.kind === 'edge' ? flow.edges[place.index]?.from : undefined;
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The issues at a path or below it. */
export const issuesAt = (issues: readonly FlowIssue[], path: string): readonly FlowIssue[] =>
  issues.filter((each) => each.path === path || each.path.startsWith(`${path}/`));
