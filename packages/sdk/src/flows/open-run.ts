import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type AnswerIssue,
  checkAnswers,
  decideRoute,
  type FlowDefinition,
  type FlowNode,
  type RunState,
  type Values,
  valuesOf,
} from '@symbolon/flows';
import type { FlowRun } from '@symbolon/protocol';

/** A run with the copies of one of its parties, opened. */
export type OpenFlowRun<Run extends FlowRun = FlowRun> = {
  run: Run;
  /** The definition with the opened answers, by slug; of a file the text that names it. */
  state: RunState;
  /** The steps on the way so far, the one that waits included. */
  way: readonly string[];
  /** Answers and constants of the way, as conditions and documents see them. */
  values: Values;
  /** What the tags `party.field` are filled with. */
  tagValues: ReadonlyMap<string, string>;
  /** The ids of files that were answered, by slug. */
  files: ReadonlyMap<string, string>;
  /** The party's own step that waits; null when it is another party's turn, or when the run has ended. */
  step: FlowNode | null;
  /** The party answered the last step, so it makes the documents. */
  isGenerator: boolean;
  /**
   * What is wrong with answers that were given. The platform cannot check them, so a party that does not use this library may
   * have sealed anything.
   */
  issues: readonly AnswerIssue[];
  /** The answers lead to where the run stands. False when a party named a route that its answers do not decide. */
  isConsistent: boolean;
};

/**
 * Opens the copies of one party.
 *
 * @param by.open as of a `FlowSide`
 * @throws what `open` throws: without an answer the way on is unknown
 */
export async function openRun<Run extends FlowRun>(
  run: Run,
  by: {
    viewer: string;
    fieldTypes: FieldTypeRegistry;
    open: (wrapper: string) => Promise<string>;
  },
): Promise<OpenFlowRun<Run>> {
  const files = new Map<string, string>();
  const opening = run.answers
    .filter(({ for_user_id: user }) => user === by.viewer)
    .map(async ({ slug, value }) => {
      const file = fileOf(value);
      if (file !== undefined) files.set(slug, file);
      return [slug, file === undefined ? await by.open(value) : value] as const;
    });
  const [answers, tagValues] = await Promise.all([Promise.all(opening), tagValuesOf(run, by.open)]);
  const { definition, current_node: current, reference_date: referenceDate } = run;
  const state = { definition, fieldTypes: by.fieldTypes, answers: new Map(answers), referenceDate };
  const way = wayOf(state, current);
  const last = nodeOf(definition, way.at(-1) ?? null);
  const isOwn = last !== undefined && run.bindings[last.party] === by.viewer;
  const isWaiting = run.status === `awaiting_${last?.party}`;
  const values = valuesOf(state, way);
  return {
    ...{ run, state, way, values, tagValues, files },
    step: isOwn && isWaiting ? last : null,
    isGenerator: isOwn && run.status === 'generating',
    issues: issuesOf({ state, way, values }, isWaiting ? current : null),
    isConsistent: current === null || way.at(-1) === current,
  };
}

/** What is wrong with the answers of the steps on the way, without the one that waits. */
function issuesOf(
  { state, way, values }: Pick<OpenFlowRun, 'state' | 'way' | 'values'>,
  waiting: string | null,
): AnswerIssue[] {
  return way
    .filter((key) => key !== waiting)
    .flatMap((key) => {
      const node = nodeOf(state.definition, key);
      return node === undefined ? [] : stepIssues(node, state, values);
    });
}

/** What is wrong with the answers of one step. A file is named by an id here, so its content is not looked at. */
export function stepIssues(node: FlowNode, state: RunState, values: Values): AnswerIssue[] {
  const isFile = (slug: string) => fileOf(String(state.answers.get(slug))) !== undefined;
  return checkAnswers(node, state, values).filter(
    ({ code, slug }) => !(code === 'value_invalid' && isFile(slug)),
  );
}

/** What stands for a file among answers. */
export const fileValue = (file: string): string => JSON.stringify({ _enc_file: file });

/** The id of the file that stands for an answer. */
function fileOf(value: string): string | undefined {
  if (!value.startsWith('{"_enc_file"')) return undefined;
  try {
    const { _enc_file: file } = JSON.parse(value) as { _enc_file?: unknown };
    return typeof file === 'string' ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The way that the parties took: each step was decided by the answers up to it. */
function wayOf(state: RunState, current: string | null): string[] {
  const { definition } = state;
  const way = new Set<string>();
  let next: string | undefined = definition.entry ?? undefined;
  while (next !== undefined && !way.has(next)) {
    way.add(next);
    if (next === current) break;
    const route = decideRoute(definition, next, valuesOf(state, way));
    next = 'leaf' in route ? undefined : route.next_node;
  }
  return [...way];
}

type TagValue = { v: string; t: string };

async function tagValuesOf(
  { owner_tag_values: ofOwner, tag_values: copies }: FlowRun,
  open: (wrapper: string) => Promise<string>,
): Promise<Map<string, string>> {
  const found: [string, TagValue][] = Object.entries(ofOwner);
  if (copies?.public != null)
    found.push(...Object.entries(JSON.parse(await open(copies.public)) as Record<string, TagValue>));
  for (const [tag, wrapper] of Object.entries(copies?.private ?? {}))
    found.push([tag, JSON.parse(await open(wrapper)) as TagValue]);
  return new Map(found.map(([tag, { v }]) => [tag, v]));
}

export function nodeOf({ nodes }: FlowDefinition, key: string | null): FlowNode | undefined {
  return nodes.find((node) => node.key === key);
}
