/** A walk through a graph, deepest nodes first. */
export interface Walk<Link> {
  /** The nodes, each after those it leads to. */
  readonly order: readonly string[];
  /** The links that lead back to a node on the way to them, which close a circle. */
  readonly back: readonly Link[];
}

/** Walks through a graph in the order of `nodes` and of the links. It keeps its way in a list: chains may be long. */
export function depthFirst<Link extends { readonly to: string }>(
  nodes: Iterable<string>,
  linksOf: (node: string) => readonly Link[],
): Walk<Link> {
  const order: string[] = [];
  const back: Link[] = [];
  const done = new Set<string>();
  const onWay = new Set<string>();
  for (const start of nodes) {
    if (done.has(start)) continue;
    onWay.add(start);
    const way = [{ node: start, links: linksOf(start).values() }];
    for (let last = way.at(-1); last !== undefined; last = way.at(-1)) {
      const next = last.links.next();
      if (next.done) {
        onWay.delete(last.node);
        done.add(last.node);
        order.push(last.node);
        way.pop();
      } else if (onWay.has(next.value.to)) back.push(next.value);
      else if (!done.has(next.value.to)) {
        onWay.add(next.value.to);
        way.push({ node: next.value.to, links: linksOf(next.value.to).values() });
      }
    }
  }
  return { order, back };
}
