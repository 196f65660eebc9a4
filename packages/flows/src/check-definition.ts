import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { FlowDefinition, FlowElement, FlowNode } from '@symbolon/protocol';
import { flowLimits } from '@symbolon/protocol/constants';
import { checkConstants } from './check-constants.ts';
import { checkField, checkPlugin } from './check-elements.ts';
import { checkGraph } from './check-graph.ts';
import { checkKeys } from './check-keys.ts';
import { checkOutput, type OutputSources } from './check-outputs.ts';
import { parseShape } from './check-shape.ts';
import { isExpression } from './computed.ts';
import { conditionParts } from './condition-parts.ts';
import { expressionParts } from './expression-parts.ts';
import { type FlowIssue, issue } from './issue.ts';
import { isJsonObject } from './json.ts';
import { answerElements, knownKeys } from './known-keys.ts';
import { partiesInUse } from './parties.ts';

/** What a definition may refer to outside of itself. */
export interface Surroundings {
  readonly fieldTypes: FieldTypeRegistry;
  /** The keys of the files that belong to the definition. */
  readonly assets: ReadonlySet<string>;
  /** The field types that each plugin of the company has described, by the plugin's id. */
  readonly plugins: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * The reasons why a definition cannot be published; empty when it can be published (wire 13.2). When its form is wrong, only that
 * is reported, as for a draft.
 */
export function checkDefinition(value: unknown, surroundings: Surroundings): FlowIssue[] {
  const parsed = parseShape(value);
  if (!parsed.valid) return parsed.issues;
  const issues: FlowIssue[] = [];
  for (const found of publishingIssues(parsed.definition, surroundings)) {
    issues.push(found);
    if (issues.length >= flowLimits.issuesMost) break;
  }
  return issues;
}

/** The form alone: what a draft must have. */
export function checkDraft(value: unknown): FlowIssue[] {
  const parsed = parseShape(value);
  return parsed.valid ? [] : parsed.issues;
}

/** What all checks of one definition look up. */
interface Known extends Surroundings, OutputSources {
  readonly keys: ReadonlySet<string>;
}

function* publishingIssues(definition: FlowDefinition, surroundings: Surroundings): Generator<FlowIssue> {
  const known: Known = {
    ...surroundings,
    keys: knownKeys(definition),
    parties: new Set(definition.parties.map(({ key }) => key)),
    files: new Set(fileSlugs(definition, surroundings.fieldTypes)),
  };
  yield* checkKeys(definition);
  yield* checkParties(definition);
  yield* checkGraph(definition);
  let elements = 0;
  for (const [index, node] of definition.nodes.entries()) {
    elements += node.elements.length;
    yield* checkNode(node, known, `/nodes/${index}`);
  }
  if (elements > flowLimits.elementsMost)
    yield issue('too_large', '/nodes', `Use at most ${flowLimits.elementsMost} elements.`);
  for (const [index, { condition }] of definition.edges.entries())
    yield* checkCondition(condition, known.keys, `/edges/${index}/condition`);
  yield* checkConstants(definition, known.keys);
}

function* checkParties(definition: FlowDefinition): Generator<FlowIssue> {
  const used = partiesInUse(definition);
  for (const [index, { key }] of definition.parties.entries()) {
    if (!used.has(key))
      yield issue('party_unbound', `/parties/${index}`, 'Nothing in the flow is done by this party.');
  }
}

function* checkNode(node: FlowNode, known: Known, path: string): Generator<FlowIssue> {
  if (!known.parties.has(node.party))
    yield issue('reference_unknown', `${path}/party`, 'There is no such party.');
  for (const [index, element] of node.elements.entries())
    yield* checkElement(element, known, `${path}/elements/${index}`);
  for (const [index, output] of (node.outputs ?? []).entries()) {
    const at = `${path}/outputs/${index}`;
    yield* checkOutput(output, known, at);
    for (const [place, { condition }] of output.rules.entries())
      yield* checkCondition(condition, known.keys, `${at}/rules/${place}/condition`);
  }
}

function* checkElement(element: FlowElement, known: Known, path: string): Generator<FlowIssue> {
  if (element.kind === 'plugin') yield* checkPlugin(element, known.plugins, known.keys, path);
  if (element.kind !== 'field') return;
  yield* checkField(element, known.fieldTypes, path);
  for (const member of ['default', 'min', 'max'] as const)
    yield* checkComputed(element[member], known.keys, `${path}/${member}`, member);
  for (const [index, option] of (element.options ?? []).entries())
    yield* checkCondition(option.available_if, known.keys, `${path}/options/${index}/available_if`);
}

/** A member that may be an expression. An object is always one, but for a default, which may be an answer. */
function* checkComputed(
  value: unknown,
  keys: ReadonlySet<string>,
  path: string,
  member: 'default' | 'min' | 'max',
): Generator<FlowIssue> {
  if (!(member === 'default' ? isExpression(value) : isJsonObject(value))) return;
  for (const part of expressionParts(value, path)) {
    if ('issue' in part) yield part.issue;
    else if (!keys.has(part.key))
      yield issue('reference_unknown', part.path, 'No answer or constant has this key.');
  }
}

function* checkCondition(condition: unknown, keys: ReadonlySet<string>, path: string): Generator<FlowIssue> {
  for (const part of conditionParts(condition, path)) {
    if ('issue' in part) yield part.issue;
    else if (!keys.has(part.field))
      yield issue('reference_unknown', `${part.path}/field`, 'No answer or constant has this key.');
  }
}

function* fileSlugs(definition: FlowDefinition, fieldTypes: FieldTypeRegistry): Generator<string> {
  for (const element of answerElements(definition)) {
    if (element.kind === 'field' && fieldTypes.isBinary(element.field_type)) yield element.slug;
  }
}
