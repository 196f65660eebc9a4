import type { FlowElement, FlowNode, PluginSnapshot } from '@symbolon/protocol';
import { type Choice, choicesOf } from './check-answers.ts';
import { boundOf, defaultOf } from './computed.ts';
import { type FilledPiece, fillText, type TagFiller } from './filled-text.ts';
import { documentValues, type RunState, valuesOf } from './run-values.ts';
import { partyOfTag } from './tags.ts';
import { bodyOf } from './text.ts';
import { isAnswered, type Values } from './values.ts';

/** Where a run stands. */
export interface Standing {
  /** The keys of the nodes on the way so far, in order, the one that waits for its party included. */
  readonly way: readonly string[];
  /** The node that waits for its party; null when none does. */
  readonly current: string | null;
  /** What the tags `party.field` are filled with. */
  readonly tagValues: ReadonlyMap<string, string>;
}

/** What one party sees of a run: its own steps, and who is awaited (wire 13.7). */
export interface PartyView {
  readonly steps: readonly StepView[];
  readonly awaited: { readonly party: string; readonly label: string } | null;
}

export interface StepView {
  readonly key: string;
  readonly title: string;
  /** This step waits for its answers. */
  readonly current: boolean;
  readonly elements: readonly ElementView[];
}

interface AnswerView {
  readonly slug: string;
  readonly label: string;
  readonly required: boolean;
  /** The answer as it was given, or the default of a field that is to be answered; null without one. */
  readonly answer: unknown;
}

export type ElementView =
  | { readonly kind: 'text'; readonly pieces: readonly FilledPiece[] }
  | (AnswerView & {
      readonly kind: 'field';
      readonly fieldType: string;
      /** Null for a field that is no choice. */
      readonly choices: readonly Choice[] | null;
      readonly min: number | string | null;
      readonly max: number | string | null;
    })
  | (AnswerView & {
      readonly kind: 'plugin';
      readonly pluginId: string;
      readonly fieldType: string;
      readonly snapshot: PluginSnapshot | null;
      /** The values that the plugin is called with, by the keys of its inputs. */
      readonly inputs: ReadonlyMap<string, unknown>;
    });

/** What a party sees of a run. */
export function partyView(state: RunState, standing: Standing, party: string): PartyView {
  const { definition } = state;
  const nodes = new Map(definition.nodes.map((node) => [node.key, node]));
  const values = valuesOf(state, standing.way);
  const fill = tagFiller(state, values, standing.tagValues);
  const step = (node: FlowNode): StepView => {
    const current = node.key === standing.current;
    const elements = node.elements.map((element) => elementView(element, state, values, fill, current));
    return { key: node.key, title: node.title, current, elements };
  };
  const own = standing.way.flatMap((key) => nodes.get(key) ?? []).filter((node) => node.party === party);
  const awaited = definition.parties.find(({ key }) => key === nodes.get(standing.current ?? '')?.party);
  return {
    steps: own.map(step),
    awaited: awaited === undefined ? null : { party: awaited.key, label: awaited.label },
  };
}

function elementView(
  element: FlowElement,
  { answers, fieldTypes, referenceDate }: RunState,
  values: Values,
  fill: TagFiller,
  current: boolean,
): ElementView {
  if (element.kind === 'text') return { kind: 'text', pieces: fillText(bodyOf(element), fill) };
  const { slug, label, required } = element;
  const given = answers.get(slug);
  const own = { slug, label, required, answer: isAnswered(given) ? given : null };
  if (element.kind === 'plugin') {
    const { plugin_id: pluginId, field_type: fieldType, snapshot, inputs = {} } = element.plugin;
    const filled = Object.entries(inputs).map(([key, from]) => [key, values.get(from) ?? null] as const);
    return {
      ...own,
      kind: 'plugin',
      pluginId,
      fieldType,
      snapshot: snapshot ?? null,
      inputs: new Map(filled),
    };
  }
  const evaluation = { values, referenceDate };
  return {
    ...own,
    kind: 'field',
    answer: own.answer ?? (current ? defaultOf(element, evaluation) : null),
    fieldType: element.field_type,
    choices: choicesOf(element, fieldTypes, values),
    min: boundOf(element.min, evaluation),
    max: boundOf(element.max, evaluation),
  };
}

/** What a tag is filled with: what is known of its party, or an answer or constant (wire 13.6). */
function tagFiller(state: RunState, values: Values, tagValues: ReadonlyMap<string, string>): TagFiller {
  const parties = new Set(state.definition.parties.map(({ key }) => key));
  const texts = new Map(Object.entries(documentValues(state, values)));
  return (key) => (parties.has(partyOfTag(key) ?? '') ? tagValues.get(key) : texts.get(key));
}
