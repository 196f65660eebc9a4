import type { FlowDefinition } from '@symbolon/protocol';
import { depthFirst } from './depth-first.ts';
import { edgesByNode, openEdges } from './edges.ts';
import { type FlowIssue, issue } from './issue.ts';

/** Nodes and edges: one entry, no circle, every node can be reached (wire 13.2). */
export function* checkGraph(definition: FlowDefinition): Generator<FlowIssue> {
  const nodes = new Map(definition.nodes.map((node, index) => [node.key, index]));
  for (const [index, edge] of definition.edges.entries()) {
    for (const end of ['from', 'to'] as const) {
      if (!nodes.has(edge[end]))
        yield issue('reference_unknown', `/edges/${index}/${end}`, 'There is no such node.');
    }
  }
  yield* checkCycles(definition);
  const { entry } = definition;
  if (entry === undefined || entry === null || entry === '')
    yield issue('entry_missing', '/entry', 'Name the node that a run begins with.');
  else if (!nodes.has(entry)) yield issue('reference_unknown', '/entry', 'There is no such node.');
  else {
    const reached = reachedFrom(entry, definition);
    for (const [key, index] of nodes) {
      if (!reached.has(key))
        yield issue('node_unreachable', `/nodes/${index}`, 'No way leads from the entry to this node.');
    }
  }
}

function checkCycles(definition: FlowDefinition): FlowIssue[] {
  const links = new Map<string, { to: string; link: number }[]>();
  for (const [link, { from, to }] of definition.edges.entries()) {
    const others = links.get(from);
    if (others) others.push({ to, link });
    else links.set(from, [{ to, link }]);
  }
  const { back } = depthFirst(links.keys(), (node) => links.get(node) ?? []);
  return back.map(({ link }) => issue('edge_cycle', `/edges/${link}`, 'This edge leads back: remove it.'));
}

function reachedFrom(entry: string, definition: FlowDefinition): Set<string> {
  const edges = edgesByNode(definition);
  const reached = new Set([entry]);
  // A set hands out what is added while it is read.
  for (const node of reached) {
    for (const { to } of openEdges(edges.get(node) ?? [])) reached.add(to);
  }
  return reached;
}
