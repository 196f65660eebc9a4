import dagre from '@dagrejs/dagre';
import type { FlowDefinition } from '@symbolon/flows';

export const NODE_WIDTH = 220;
export const NODE_HEIGHT = 92;
const LABEL = { width: 170, height: 44, labelpos: 'c' } as const;

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Placed {
  /** The upper left corner of each node. */
  readonly nodes: ReadonlyMap<string, Point>;
  /** The middle of each edge, by its place in the definition. */
  readonly edges: readonly (Point | undefined)[];
}

/**
 * Where steps stand: from above to below in the order in which they are answered. A definition has no places, so every author
 * sees the same drawing.
 */
export function layoutOf({ nodes, edges }: Pick<FlowDefinition, 'nodes' | 'edges'>): Placed {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 40, ranksep: 36, edgesep: 30, ranker: 'longest-path' });
  for (const { key } of nodes) graph.setNode(key, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const [index, { from, to }] of edges.entries()) {
    if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, { ...LABEL }, String(index));
  }
  dagre.layout(graph);
  const places = nodes.map(({ key }) => {
    const { x, y } = graph.node(key);
    return [key, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }] as const;
  });
  return {
    nodes: new Map(places),
    edges: edges.map(({ from, to }, index) => {
      const edge = graph.edge(from, to, String(index));
      return edge && { x: edge.x, y: edge.y };
    }),
  };
}
