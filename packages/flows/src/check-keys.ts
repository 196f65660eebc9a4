import type { FlowDefinition, FlowElement, FlowPlugin } from '@symbolon/protocol';
import { RESERVED_PARTY_KEY } from '@symbolon/protocol/constants';
import { type FlowIssue, issue } from './issue.ts';

/** Keys are unique within their scope (wire 13.2). */
export function* checkKeys(definition: FlowDefinition): Generator<FlowIssue> {
  const parties = new Set<string>();
  for (const [index, { key }] of definition.parties.entries()) {
    yield* once(parties, key, `/parties/${index}/key`);
    if (key === RESERVED_PARTY_KEY)
      yield issue('party_reserved', `/parties/${index}/key`, `'${key}' is reserved: use another key.`);
  }
  const nodes = new Set<string>();
  // Answers and constants stand in one map.
  const values = new Set<string>();
  for (const [index, node] of definition.nodes.entries()) {
    const path = `/nodes/${index}`;
    yield* once(nodes, node.key, `${path}/key`);
    for (const [place, element] of node.elements.entries())
      yield* elementKeys(element, `${path}/elements/${place}`, values, parties);
    const outputs = new Set<string>();
    for (const [place, { key }] of (node.outputs ?? []).entries())
      yield* once(outputs, key, `${path}/outputs/${place}/key`);
  }
  for (const [index, { key }] of (definition.constants ?? []).entries())
    yield* once(values, key, `/constants/${index}/key`);
}

function* elementKeys(
  element: FlowElement,
  path: string,
  values: Set<string>,
  parties: ReadonlySet<string>,
): Generator<FlowIssue> {
  if (element.kind === 'text') return;
  yield* once(values, element.slug, `${path}/slug`);
  if (element.kind === 'plugin') {
    if (parties.has(element.slug))
      yield issue('key_duplicate', `${path}/slug`, 'A party has this key: a tag with it would be ambiguous.');
    yield* memberKeys(element, path);
  } else {
    const options = new Set<string>();
    for (const [index, { value }] of (element.options ?? []).entries())
      yield* once(options, value, `${path}/options/${index}/value`);
  }
}

function* memberKeys({ plugin }: FlowPlugin, path: string): Generator<FlowIssue> {
  if (!plugin.snapshot) return;
  const { blocks, inputs, outputs } = plugin.snapshot;
  const members = new Set<string>();
  const snapshot = `${path}/plugin/snapshot`;
  for (const [list, entries] of Object.entries({ blocks, outputs })) {
    for (const [index, { key }] of entries.entries()) {
      const at = `${snapshot}/${list}/${index}/key`;
      // `slug.block.id` is the id of what was picked.
      if (key === 'id') yield issue('shape_invalid', at, "'id' is reserved: use another key.");
      yield* once(members, key, at);
    }
  }
  const names = new Set<string>();
  for (const [index, { key }] of inputs.entries()) yield* once(names, key, `${snapshot}/inputs/${index}/key`);
}

function* once(seen: Set<string>, key: string, path: string): Generator<FlowIssue> {
  if (seen.has(key)) yield issue('key_duplicate', path, `'${key}' is used twice: use another key.`);
  seen.add(key);
}
