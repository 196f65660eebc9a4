import type { FlowDefinition, FlowEdge, FlowNode } from '@symbolon/protocol';
import { checkAnswers } from './check-answers.ts';
import { holds } from './condition.ts';
import { edgesByNode, isUnconditional, openEdges } from './edges.ts';
import { type RunState, valuesOf } from './run-values.ts';
import type { Values } from './values.ts';

/** Where a flow goes on after a step, in the form in which a run stores it. */
export type Route = { readonly next_node: string; readonly next_party: string } | { readonly leaf: true };

const LEAF: Route = { leaf: true };

/** Where a flow goes on after a node (wire 13.7). */
export function decideRoute(definition: FlowDefinition, node: string, values: Values): Route {
  return routeOf(new Graph(definition), node, values);
}

/**
 * Whether this route can follow from a node, whatever was answered (wire 13.7): what a caller can check who cannot read
 * the answers.
 */
export function isPossibleRoute(definition: FlowDefinition, node: string, route: Route): boolean {
  const graph = new Graph(definition);
  const edges = graph.edgesOf(node);
  const open = openEdges(edges);
  if ('leaf' in route) return graph.nodes.has(node) && open.every((edge) => !isUnconditional(edge));
  return (
    graph.nodes.get(route.next_node)?.party === route.next_party &&
    open.some(({ to }) => to === route.next_node)
  );
}

/** The nodes that a run passes, in order. */
export interface Way {
  readonly nodes: readonly string[];
  /** The last of the nodes has been answered, and no edge leads on. */
  readonly ended: boolean;
}

/**
 * The way from the entry by the answers at hand (wire 13.7): for a reader of them all, as in a trial run. It stops
 * at a node that is not submitted, or whose answers are not right any more.
 */
export function followWay(state: RunState, submitted: ReadonlySet<string>): Way {
  const graph = new Graph(state.definition);
  const nodes = new Set<string>();
  let next = graph.nodes.get(state.definition.entry ?? '');
  while (next !== undefined && !nodes.has(next.key)) {
    const node: FlowNode = next;
    nodes.add(node.key);
    if (!submitted.has(node.key)) return { nodes: [...nodes], ended: false };
    const values = valuesOf(state, nodes);
    if (checkAnswers(node, state, values).length > 0) return { nodes: [...nodes], ended: false };
    const route = routeOf(graph, node.key, values);
    if ('leaf' in route) return { nodes: [...nodes], ended: true };
    next = graph.nodes.get(route.next_node);
  }
  return { nodes: [...nodes], ended: false };
}

/** Nodes by their keys, edges by the node they leave. */
class Graph {
  readonly nodes: ReadonlyMap<string, FlowNode>;
  readonly #edges: ReadonlyMap<string, readonly FlowEdge[]>;

  constructor(definition: FlowDefinition) {
    this.nodes = new Map(definition.nodes.map((node) => [node.key, node]));
    this.#edges = edgesByNode(definition);
  }

  edgesOf(node: string): readonly FlowEdge[] {
    return this.#edges.get(node) ?? [];
  }
}

function routeOf(graph: Graph, node: string, values: Values): Route {
  for (const { to, condition } of graph.edgesOf(node)) {
    const target = graph.nodes.get(to);
    if (target !== undefined && holds(condition, values))
      return { next_node: target.key, next_party: target.party };
  }
  return LEAF;
}
