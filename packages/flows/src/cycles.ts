/** The links of a graph as they are met: those that lead back to a node on the way to them, which close a circle. */
export function backLinks<Link>(
  nodes: Iterable<string>,
  linksOf: (node: string) => readonly { readonly to: string; readonly link: Link }[],
): Link[] {
  const back: Link[] = [];
  const done = new Set<string>();
  const onPath = new Set<string>();
  for (const start of nodes) {
    if (done.has(start)) continue;
    onPath.add(start);
    const path = [{ node: start, links: linksOf(start).values() }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.links.next();
      if (next.done) {
        onPath.delete(last.node);
        done.add(last.node);
        path.pop();
      } else if (onPath.has(next.value.to)) back.push(next.value.link);
      else if (!done.has(next.value.to)) {
        onPath.add(next.value.to);
        path.push({ node: next.value.to, links: linksOf(next.value.to).values() });
      }
    }
  }
  return back;
}
