import { type AnswerIssue, type FlowNode, valuesOf } from '@symbolon/flows';
import { customerKeys, type FlowAnswerInput, stepIssues } from '@symbolon/sdk/device';
import { Draft, personDrafts } from '../drafts.ts';
import type { NewContent } from '../files.ts';
import type { PluginGiven, Typed } from '../given.ts';
import { acting, api } from '../inner/api.ts';
import { bearer, onFiles } from '../inner/file-acts.ts';
import { keys, type Query } from '../queries.ts';
import type { SignedIn } from '../session.ts';
import type { Report } from '../uploads.ts';
import type { OpenRun, Run } from './runs.ts';

/** What the person has typed or chosen for one element. */
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
  state: OpenRun['state'];
};

/** Checks the answers of a step, as every party does. */
export function checkStep({ state, way }: OpenRun, node: FlowNode, given: AllGiven): CheckedStep {
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

const allowed = async () => {};
const NOTHING_SEALED = { assertConfirmed: allowed, assertKnown: allowed, assertOwners: allowed };

/** The keys of all who get a copy, to show a changed one: nothing may be sealed to these. */
export const recipientsQuery = (run: Run, { person }: SignedIn): Query<ReadonlyMap<string, string>> => ({
  key: keys.recipients(run),
  read() {
    const own = { id: person.person_user_id, publicKey: person.public_key };
    return customerKeys({ api, confirmed: NOTHING_SEALED, own }, run);
  },
});

/** Makes the documents of a run, sealed to everybody who gets a copy. */
export const makeDocuments = (run: Run): Promise<unknown> =>
  acting(onFiles('makeDocuments', { by: bearer(), run }));

/**
 * Seals the answers of a step for every party and sends them, with the way that they decide.
 * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.person_key_changed`; ConflictError `flows.not_your_turn`
 */
export function submitStep({ run, step }: OpenRun, given: AllGiven, report: Report): Promise<Run> {
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
  return acting(onFiles('answerRun', { by: bearer(), run, answers, files, privateSlugs }, report));
}

/** What was begun of a step. Files are chosen again: a draft has no room for them. */
export const draftOfStep = (run: Run, node: FlowNode, session: SignedIn) =>
  new Draft<Given>(`flow.${run.id}.${node.key}`, personDrafts(session));

export const withoutFiles = (given: AllGiven): AllGiven =>
  new Map([...given].filter(([, { kind }]) => kind !== 'file'));
