import type { DocumentFile } from '../documents/document-file.ts';
import type { FilledBlocks } from '../plugin-fields/plugin-answer.ts';
import type { ValueInput } from '../values/plaintext.ts';

/** A file as an answer: its bytes, or the text of an envelope that has further entries or pages. */
export type FlowFileInput = { file: DocumentFile } | { envelope: string };

/**
 * What a plugin field is filled with: options and typed values by block, from which the plugin computes; or the text of an answer
 * that it has computed already (`pluginAnswer`).
 */
export type FlowPluginInput = { blocks: FilledBlocks } | { answer: string };

/** An answer as the caller gives it. */
export type FlowAnswerInput = ValueInput | number | boolean | FlowFileInput | FlowPluginInput;

/** Answers by slug. Null leaves a field unanswered; what is left out gets the default of its field. */
export type FlowAnswers = Readonly<Record<string, FlowAnswerInput | null | undefined>>;

/** What types of answers are read from: the type of a definition that was written `as const`, or of any. */
export type FlowShape = {
  readonly nodes: readonly { readonly key: string; readonly elements: readonly object[] }[];
};

/** The keys of the steps of a flow. */
export type StepKeyOf<D extends FlowShape> = D['nodes'][number]['key'];

type Asking = { readonly slug: string };
type ElementsOf<D extends FlowShape, K> = Extract<
  Extract<D['nodes'][number], { readonly key: K }>['elements'][number],
  Asking
>;

/** The answers of one step: what is required and has no default has to be there. */
export type AnswersOf<D extends FlowShape, K extends StepKeyOf<D> = StepKeyOf<D>> = {
  readonly [E in ElementsOf<D, K> as IsNeeded<E> extends true ? E['slug'] : never]: InputOf<E>;
} & {
  readonly [E in ElementsOf<D, K> as IsNeeded<E> extends true ? never : E['slug']]?:
    | InputOf<E>
    | null
    | undefined;
};

type IsNeeded<E> = E extends { readonly required: true }
  ? E extends { readonly default: unknown }
    ? false
    : true
  : false;

type InputOf<E> = E extends { readonly kind: 'plugin' }
  ? FlowPluginInput
  : E extends { readonly options: readonly { readonly value: infer V extends string }[] }
    ? V | readonly V[]
    : Exclude<FlowAnswerInput, FlowPluginInput>;
