import type { FlowDefinition, FlowNode } from '@symbolon/protocol';
import { conditionParts } from './condition-parts.ts';
import { edgesByNode, openEdges } from './edges.ts';
import { type FlowIssue, issue } from './issue.ts';
import { knownKeys } from './known-keys.ts';
import { ownerTagsAmong, partyOfTag, tagsOfFlow } from './tags.ts';

/** The keys of the tags that were found in each file of a flow, by its asset key. */
export type TemplateTags = ReadonlyMap<string, readonly string[]>;

/** What an author should look at in a definition that has the right form; it can be published all the same (wire 13.2). */
export function* warningsOf(
  definition: FlowDefinition,
  templates: TemplateTags = new Map(),
): Generator<FlowIssue> {
  const isSure = sureAnswers(definition);
  for (const { condition, path, node } of conditionsOf(definition)) {
    for (const part of conditionParts(condition, path)) {
      if ('issue' in part || part.op !== 'ne' || isSure(part.field, node)) continue;
      const message = 'Without an answer this does not hold: use not and eq if it should.';
      yield issue('comparison_unanswered', part.path, message);
    }
  }
  const keys = knownKeys(definition);
  const parties = new Set(definition.parties.map(({ key }) => key));
  const inTexts = new Set<string>();
  for (const { key, path } of tagsOfFlow(definition)) {
    inTexts.add(key);
    if (!keys.has(key) && !parties.has(partyOfTag(key) ?? ''))
      yield issue('tag_unknown', path, `Nothing fills the tag '${key}'.`);
  }
  yield* templateWarnings(definition, templates, { keys, parties, inTexts });
}

/** Tags of templates that stay blank. Whoever starts a run fills only those tags of parties that a text of the flow has. */
function* templateWarnings(
  definition: FlowDefinition,
  templates: TemplateTags,
  { keys, parties, inTexts }: Readonly<Record<'keys' | 'parties' | 'inTexts', ReadonlySet<string>>>,
): Generator<FlowIssue> {
  const isOfParty = (key: string) => parties.has(partyOfTag(key) ?? '');
  // Once for each file: many rules can name the same one.
  const blank = new Map(
    [...templates].map(([asset, tags]) => {
      const ofOwner = new Set(ownerTagsAmong(definition, tags));
      const isFilled = (key: string) =>
        keys.has(key) || ofOwner.has(key) || (isOfParty(key) && inTexts.has(key));
      return [asset, [...new Set(tags)].filter((key) => !isFilled(key))];
    }),
  );
  for (const [index, { outputs = [] }] of definition.nodes.entries()) {
    for (const [place, { rules }] of outputs.entries()) {
      for (const [at, { asset_key: asset }] of rules.entries()) {
        const path = `/nodes/${index}/outputs/${place}/rules/${at}/asset_key`;
        for (const key of blank.get(asset ?? '') ?? []) {
          const hint = isOfParty(key) ? ' Use it in a text of the flow too.' : '';
          yield issue('tag_unknown', path, `Nothing fills the tag '${key}' of this PDF.${hint}`);
        }
      }
    }
  }
}

/** The conditions of a definition, each with the node at which it is looked at. */
function* conditionsOf(definition: FlowDefinition) {
  for (const [index, { condition, from }] of definition.edges.entries())
    yield { condition, path: `/edges/${index}/condition`, node: from };
  for (const [index, node] of definition.nodes.entries()) {
    const path = `/nodes/${index}`;
    for (const [place, element] of node.elements.entries()) {
      if (element.kind !== 'field') continue;
      for (const [at, { available_if: condition }] of (element.options ?? []).entries())
        yield { condition, path: `${path}/elements/${place}/options/${at}/available_if`, node: node.key };
    }
    for (const [place, { rules }] of (node.outputs ?? []).entries()) {
      for (const [at, { condition }] of rules.entries())
        yield { condition, path: `${path}/outputs/${place}/rules/${at}/condition`, node: node.key };
    }
  }
}

/** Whether a field is surely answered when a run comes to a node: it is required, and no way leads past it. */
function sureAnswers(definition: FlowDefinition): (slug: string, node: string) => boolean {
  const homes = new Map<string, FlowNode>();
  for (const node of definition.nodes) {
    for (const element of node.elements)
      if (element.kind !== 'text' && element.required) homes.set(element.slug, node);
  }
  const edges = edgesByNode(definition);
  const withoutNode = new Map<string, ReadonlySet<string>>();
  return (slug, node) => {
    const home = homes.get(slug)?.key;
    if (home === undefined || home === node) return home !== undefined;
    const reached = withoutNode.get(home) ?? reachedWithout(home, definition, edges);
    withoutNode.set(home, reached);
    return !reached.has(node);
  };
}

function reachedWithout(
  avoided: string,
  { entry }: FlowDefinition,
  edges: ReturnType<typeof edgesByNode>,
): ReadonlySet<string> {
  const reached = new Set(entry === avoided || !entry ? [] : [entry]);
  // A set hands out what is added while it is read.
  for (const node of reached) {
    for (const { to } of openEdges(edges.get(node) ?? [])) if (to !== avoided) reached.add(to);
  }
  return reached;
}
