import type { FlowDefinition, FlowElement, FlowPlugin } from '@symbolon/protocol';

/** An element that is answered: it has a slug. */
export type AnswerElement = Exclude<FlowElement, { kind: 'text' }>;

/** The elements that are answered: of these nodes, or of all. */
export function* answerElements(
  definition: FlowDefinition,
  nodes?: ReadonlySet<string>,
): Generator<AnswerElement> {
  for (const node of definition.nodes) {
    if (nodes?.has(node.key) === false) continue;
    for (const element of node.elements) if (element.kind !== 'text') yield element;
  }
}

/** Every key under which a value can stand in the map of answers: slugs, members of plugin answers, constants. */
export function knownKeys(definition: FlowDefinition): Set<string> {
  const keys = new Set<string>();
  for (const element of answerElements(definition)) {
    keys.add(element.slug);
    if (element.kind === 'plugin') for (const key of pluginKeys(element)) keys.add(key);
  }
  for (const constant of definition.constants ?? []) keys.add(constant.key);
  return keys;
}

/** What a finished answer of a plugin adds to the map beside its slug (wire 13.5). */
export function* pluginKeys({ slug, plugin }: FlowPlugin): Generator<string> {
  for (const { key } of plugin.snapshot?.blocks ?? []) {
    yield `${slug}.${key}`;
    yield `${slug}.${key}.id`;
  }
  for (const { key } of plugin.snapshot?.outputs ?? []) yield `${slug}.${key}`;
}
