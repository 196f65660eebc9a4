import { type CryptoKey, openText } from '@symbolon/crypto';
import { FieldTypeRegistry } from '@symbolon/field-types';
import {
  decideRoute,
  type FlowDefinition,
  type FlowNode,
  partyView,
  type RunState,
  type StepView,
  valuesOf,
} from '@symbolon/flows';
import type { FieldTypeRow } from '@symbolon/protocol';
import { call } from '../api.ts';
import type { SignedIn } from '../session.ts';
import type { Run } from './runs.ts';

/** A run, opened with the person's key. */
export type OpenRun = {
  run: Run;
  state: RunState;
  /** The nodes on the way so far, the one that waits included. */
  way: readonly string[];
  /** The node that waits for its party; null when none does. */
  current: string | null;
  /** What the tags `party.field` are filled with. */
  tagValues: ReadonlyMap<string, string>;
  /** The files that were answered, by slug. */
  files: ReadonlyMap<string, string>;
  /** The parties that the person answers for. */
  parties: readonly string[];
};

/**
 * Opens the copies of the person.
 * @throws CryptoError when one cannot be opened: without it nobody knows where the flow goes on
 */
export async function openRun(
  run: Run,
  { person_user_id: personId }: SignedIn['person'],
  key: CryptoKey,
): Promise<OpenRun> {
  const fieldTypes = new FieldTypeRegistry(await call<FieldTypeRow[]>('GET', '/api/contact-field-types'));
  const files = new Map<string, string>();
  const answers = new Map<string, string>();
  for (const { slug, for_user_id: user, value } of run.answers) {
    if (user !== personId) continue;
    const file = fileOf(value);
    if (file !== undefined) files.set(slug, file);
    answers.set(slug, file === undefined ? await openText(value, key) : value);
  }
  const state = { definition: run.definition, fieldTypes, answers, referenceDate: run.reference_date };
  const parties = Object.entries(run.bindings).flatMap(([party, user]) => (user === personId ? [party] : []));
  return {
    run,
    state,
    way: wayOf(state, run.current_node),
    // Where the documents are made or signed, the last node is still named.
    current: nobodyAnswers(run) ? null : run.current_node,
    tagValues: await tagValuesOf(run, key),
    files,
    parties,
  };
}

const nobodyAnswers = ({ status }: Run) => status === 'generating' || status === 'awaiting_signature';

/** The id of the file that stands for an answer. */
function fileOf(value: string): string | undefined {
  if (!value.startsWith('{"_enc_file"')) return undefined;
  const { _enc_file: file } = JSON.parse(value) as { _enc_file?: unknown };
  return typeof file === 'string' ? file : undefined;
}

/** The way that the parties took: each step was decided by the answers up to it. */
function wayOf(state: RunState, current: string | null): string[] {
  const { definition } = state;
  const way: string[] = [];
  let next: string | undefined = definition.entry ?? undefined;
  while (next !== undefined && !way.includes(next)) {
    way.push(next);
    if (next === current) break;
    const route = decideRoute(definition, next, valuesOf(state, way));
    next = 'leaf' in route ? undefined : route.next_node;
  }
  return way;
}

type TagValue = { v: string; t: string };

async function tagValuesOf(run: Run, key: CryptoKey): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  const add = (entries: Iterable<[string, TagValue]>) => {
    for (const [tag, { v }] of entries) values.set(tag, v);
  };
  add(Object.entries(run.owner_tag_values));
  const { public: shared, private: own = {} } = run.tag_values ?? { public: null };
  if (shared !== null)
    add(Object.entries(JSON.parse(await openText(shared, key)) as Record<string, TagValue>));
  for (const [tag, wrapper] of Object.entries(own))
    add([[tag, JSON.parse(await openText(wrapper, key)) as TagValue]]);
  return values;
}

/** The person's steps, in the order of the way. */
export function stepsOf({ state, way, current, tagValues, parties }: OpenRun): StepView[] {
  const standing = { way, current, tagValues };
  const steps = parties.flatMap((party) => partyView(state, standing, party).steps);
  return steps.sort((a, b) => way.indexOf(a.key) - way.indexOf(b.key));
}

/** The person's own step that waits. */
export function currentNode({ current, state, parties }: OpenRun): FlowNode | undefined {
  const node = nodeOf(state.definition, current);
  return node !== undefined && parties.includes(node.party) ? node : undefined;
}

/** Whether the documents are made on this device: its person answered the last step. */
export function isGenerator({ run, state, way, parties }: OpenRun): boolean {
  const last = nodeOf(state.definition, way.at(-1) ?? null);
  return run.status === 'generating' && last !== undefined && parties.includes(last.party);
}

export function nodeOf({ nodes }: FlowDefinition, key: string | null): FlowNode | undefined {
  return nodes.find((node) => node.key === key);
}
