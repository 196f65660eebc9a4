import type { FlowDefinition } from '@symbolon/protocol';
import { depthFirst } from './depth-first.ts';
import { expressionParts } from './expression-parts.ts';
import { type FlowIssue, issue } from './issue.ts';

/** Constants that read what there is, and not each other in a circle (wire 13.2). */
export function* checkConstants(definition: FlowDefinition, keys: ReadonlySet<string>): Generator<FlowIssue> {
  const constants = definition.constants ?? [];
  const index = new Map(constants.map(({ key }, place) => [key, place]));
  const links = new Map<string, { to: string; link: number }[]>();
  for (const [place, { key, expr }] of constants.entries()) {
    const reads: { to: string; link: number }[] = [];
    for (const part of expressionParts(expr, `/constants/${place}/expr`)) {
      if ('issue' in part) yield part.issue;
      else if (!keys.has(part.key))
        yield issue('reference_unknown', part.path, 'No answer or constant has this key.');
      else if (index.has(part.key)) reads.push({ to: part.key, link: place });
    }
    links.set(key, reads);
  }
  const { back } = depthFirst(links.keys(), (key) => links.get(key) ?? []);
  for (const place of new Set(back.map(({ link }) => link)))
    yield issue('constant_cycle', `/constants/${place}`, 'This constant depends on itself.');
}
