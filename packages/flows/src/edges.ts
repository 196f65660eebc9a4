import type { FlowDefinition, FlowEdge } from '@symbolon/protocol';

/** The edges of each node in the order in which they are tried: by `sort`, and where that is equal as they stand. */
export function edgesByNode(definition: FlowDefinition): Map<string, FlowEdge[]> {
  const edges = new Map<string, FlowEdge[]>();
  for (const edge of definition.edges) {
    const others = edges.get(edge.from);
    if (others) others.push(edge);
    else edges.set(edge.from, [edge]);
  }
  for (const list of edges.values()) list.sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0));
  return edges;
}

/** Whether an edge is taken whatever was answered. */
export function isUnconditional(edge: FlowEdge): boolean {
  return edge.condition === null || edge.condition === undefined;
}

/** The edges that can be taken: none behind the first unconditional one. */
export function openEdges(edges: readonly FlowEdge[]): readonly FlowEdge[] {
  const last = edges.findIndex(isUnconditional);
  return last === -1 ? edges : edges.slice(0, last + 1);
}
