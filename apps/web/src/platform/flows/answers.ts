import { openText, sealValue, serializeWrapper } from '@symbolon/crypto';
import { type AnswerIssue, checkAnswers, decideRoute, type FlowNode, valuesOf } from '@symbolon/flows';
import type { AnswerFlowRunRequest, KeyBatch, ServicePublicKey } from '@symbolon/protocol';
import { type NamedKey, PluginFields } from '@symbolon/sdk/device';
import type { Typed } from '../../parts/answers/field-input.tsx';
import type { PluginGiven } from '../../parts/answers/plugin-input.tsx';
import { call } from '../api.ts';
import { bearer, onFiles } from '../file-acts.ts';
import type { NewContent } from '../files.ts';
import { withConfirmedKeys } from '../known-keys.ts';
import type { SignedIn } from '../session.ts';
import type { Report } from '../uploads.ts';
import type { OpenRun } from './open-run.ts';
import { type Run, runAddress } from './runs.ts';

/** The fields of a run that plugins answer. */
export const pluginsOf = ({ id }: Run): PluginFields =>
  new PluginFields(() => call('POST', runAddress(id, '/plugin-pass'), {}));

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
  const found = checkAnswers(node, next, valuesOf(next, way));
  // What a file holds was checked when it was chosen.
  const isFile = (slug: string) => given.get(slug)?.kind === 'file';
  const issues = found.filter(({ code, slug }) => !(code === 'value_invalid' && isFile(slug)));
  return { texts, issues, state: next };
}

function isEmpty(value: Typed): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every((member) => member === '');
}

/**
 * Everybody who gets a copy, with the key that it is sealed to.
 * @param isConfirmed false to show a changed key alone: nothing may be sealed to these keys
 * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.person_key_changed`
 */
export async function recipientsOf(
  run: Run,
  { person }: SignedIn,
  isConfirmed = true,
): Promise<ReadonlyMap<string, string>> {
  const users = [...new Set(Object.values(run.bindings))];
  const keys = new Map<string, string>();
  const named: NamedKey[] = [];
  const others = users.filter((id) => id !== person.person_user_id && id !== run.company_user_id);
  if (others.length > 0) {
    const { keys: found } = await call<KeyBatch>('POST', '/api/keys/batch', { user_ids: others });
    for (const id of others) {
      const publicKey = found[id];
      if (publicKey === undefined) throw new Error('A party of this flow has no key any more.');
      named.push({ kind: 'person', id, publicKey });
      keys.set(id, publicKey);
    }
  }
  if (users.includes(run.company_user_id)) {
    const codes = [run.company.share_code, run.service.share_code].map(encodeURIComponent).join('/');
    const { public_key: publicKey } = await call<ServicePublicKey>('GET', `/api/keys/${codes}`);
    named.push({ kind: 'service', id: run.service_id, publicKey });
    keys.set(run.company_user_id, publicKey);
  }
  if (isConfirmed)
    await withConfirmedKeys(person.person_user_id, async (confirmed) => {
      for (const key of named) await confirmed.assertConfirmed(key);
    });
  if (users.includes(person.person_user_id)) keys.set(person.person_user_id, person.public_key);
  return keys;
}

/**
 * Seals the answers of a step for every party and sends them, with the way that they decide.
 * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.person_key_changed`; ConflictError `flows.not_your_turn`
 */
export async function submitStep(
  { run, way }: OpenRun,
  node: FlowNode,
  {
    given,
    checked,
    session,
    report,
  }: { given: AllGiven; checked: CheckedStep; session: SignedIn; report: Report },
): Promise<Run> {
  const recipients = await recipientsOf(run, session);
  const answers: AnswerFlowRunRequest['answers'] = [];
  for (const [slug, text] of checked.texts) {
    const answer = given.get(slug);
    const values =
      answer?.kind === 'file'
        ? await onFiles(
            'answerRun',
            {
              by: bearer(),
              address: runAddress(run.id, '/answer-files'),
              slug,
              content: answer.content,
              recipients,
            },
            report,
          )
        : await Promise.all(
            [...recipients].map(async ([user, publicKey]) => ({
              for_user_id: user,
              value: serializeWrapper(await sealValue(text, publicKey)),
            })),
          );
    const isPrivate = answer?.kind === 'value' && answer.isPrivate === true;
    answers.push({ slug, values, ...(isPrivate && { source_private: true }) });
  }
  const route = decideRoute(checked.state.definition, node.key, valuesOf(checked.state, way));
  return call('POST', runAddress(run.id, '/answers'), { answers, ...route });
}

let writing: Promise<void> = Promise.resolve();
/** Drafts are written one after the other: sealing takes a while. */
function inTurn(write: () => Promise<void>): void {
  // A browser without room keeps no draft, and the person goes on all the same.
  writing = writing.then(write).catch(() => undefined);
}

const draftOf = (run: Run, node: string) => `symbolon.flow.${run.id}.${node}`;

/** Keeps what was typed in this browser, sealed to the person, so that a page that was closed goes on there. */
export function keepDraft(run: Run, node: FlowNode, given: AllGiven, publicKey: string): void {
  // Files are chosen again: a browser has too little room for them.
  const kept = JSON.stringify([...given].filter(([, { kind }]) => kind !== 'file'));
  inTurn(async () => {
    localStorage.setItem(draftOf(run, node.key), serializeWrapper(await sealValue(kept, publicKey)));
  });
}

export async function readDraft({ run }: OpenRun, node: FlowNode, session: SignedIn): Promise<AllGiven> {
  await writing;
  const kept = localStorage.getItem(draftOf(run, node.key));
  if (kept === null || session.keys === undefined) return new Map();
  try {
    return new Map(JSON.parse(await openText(kept, session.keys.key)));
  } catch {
    return new Map();
  }
}

export function dropDraft(run: Run, node: FlowNode): void {
  inTurn(async () => localStorage.removeItem(draftOf(run, node.key)));
}
