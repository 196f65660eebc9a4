import { type AnswerIssue, type ElementView, type FlowNode, partyView, valuesOf } from '@symbolon/flows';
import { type FlowAnswerInput, type FlowAnswers, type OpenFlowRun, stepIssues } from '@symbolon/sdk/device';
import type { NewContent } from '../files.ts';
import type { PluginGiven, Typed } from '../given.ts';

/** What was typed or chosen for one element. */
export type Given =
  | { readonly kind: 'value'; readonly value: Typed; readonly isPrivate?: boolean }
  | { readonly kind: 'file'; readonly content: NewContent }
  | PluginGiven;
export type AllGiven = ReadonlyMap<string, Given>;

/** Stands for a file among answers: its content is nothing that conditions read. */
const FILE = JSON.stringify({ _enc_file: '' });

/** A step with its answers, checked. */
export type CheckedStep = {
  /** The normal form of each answer, by slug. */
  texts: ReadonlyMap<string, string>;
  issues: readonly AnswerIssue[];
  state: OpenFlowRun['state'];
};

/** Checks the answers of a step, as every party does. */
export function checkStep(
  { state, way }: Pick<OpenFlowRun, 'state' | 'way'>,
  node: FlowNode,
  given: AllGiven,
): CheckedStep {
  const { fieldTypes } = state;
  const texts = new Map<string, string>();
  for (const element of node.elements) {
    if (element.kind === 'text') continue;
    const answer = given.get(element.slug);
    if (answer === undefined) continue;
    if (answer.kind === 'plugin') {
      if (answer.text !== undefined) texts.set(element.slug, answer.text);
    } else if (answer.kind === 'file') texts.set(element.slug, FILE);
    else if (element.kind === 'field' && !isEmpty(answer.value)) {
      const options = (element.options ?? []).map(({ value }) => value);
      const result = fieldTypes.validate(element.field_type, answer.value, { options });
      const form = result.valid ? result.normalized : answer.value;
      texts.set(element.slug, typeof form === 'string' ? form : JSON.stringify(form));
    }
  }
  const own = new Set(node.elements.flatMap((element) => (element.kind === 'text' ? [] : [element.slug])));
  const before = [...state.answers].filter(([slug]) => !own.has(slug));
  const next = { ...state, answers: new Map([...before, ...texts]) };
  const issues = stepIssues(node, next, valuesOf(next, way));
  return { texts, issues, state: next };
}

function isEmpty(value: Typed): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every((member) => member === '');
}

/** What a step that waits is made of, for the party that answers it. */
export function elementsOf(
  { state, way, tagValues }: Pick<OpenFlowRun, 'state' | 'way' | 'tagValues'>,
  { key, party }: FlowNode,
): readonly ElementView[] {
  const { steps } = partyView(state, { way, current: key, tagValues }, party);
  return steps.find(({ current }) => current)?.elements ?? [];
}

/** What is submitted: answers by slug, files apart. */
export type Submitted = {
  readonly answers: FlowAnswers;
  readonly files: ReadonlyMap<string, NewContent>;
  readonly privateSlugs: readonly string[];
};

export function submittedOf(step: FlowNode | null, given: AllGiven): Submitted {
  const answers: Record<string, FlowAnswerInput | null> = {};
  // What was left out counts, and not the default of a field.
  for (const element of step?.elements ?? []) if (element.kind !== 'text') answers[element.slug] = null;
  const files = new Map<string, NewContent>();
  for (const [slug, answer] of given) {
    if (answer.kind === 'file') files.set(slug, answer.content);
    else if (answer.kind === 'value') answers[slug] = isEmpty(answer.value) ? null : answer.value;
    else if (answer.text !== undefined) answers[slug] = { answer: answer.text };
  }
  const privateSlugs = [...given].flatMap(([slug, answer]) =>
    answer.kind === 'value' && answer.isPrivate === true ? [slug] : [],
  );
  return { answers, files, privateSlugs };
}

/** A draft has no room for files: they are chosen again. */
export const withoutFiles = (given: AllGiven): AllGiven =>
  new Map([...given].filter(([, { kind }]) => kind !== 'file'));
