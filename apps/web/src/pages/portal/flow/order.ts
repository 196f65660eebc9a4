import type { FlowDefinition, FlowNode } from '@symbolon/flows';
import { edgesFrom } from './edits.ts';

/** The steps in the order in which they are answered: each behind all that lead to it, what nothing leads to last. */
export function stepsInOrder(flow: FlowDefinition): FlowNode[] {
  const nodes = new Map(flow.nodes.map((node) => [node.key, node]));
  const seen = new Set<string>();
  const from = (start: string): FlowNode[] => {
    const done: FlowNode[] = [];
    const visit = (key: string) => {
      const node = nodes.get(key);
      if (node === undefined || seen.has(key)) return;
      seen.add(key);
      for (const { to } of edgesFrom(flow, key).reverse()) visit(to);
      done.push(node);
    };
    visit(start);
    return done.reverse();
  };
  return [...(flow.entry ? from(flow.entry) : []), ...flow.nodes.flatMap(({ key }) => from(key))];
}
