import { sealValue, serializeWrapper } from '@symbolon/crypto';
import { decideRoute, type FlowNode } from '@symbolon/flows';
import type {
  AnswerFlowRunRequest,
  FlowFile,
  FlowRun,
  GeneratedDocuments,
  PluginPass,
} from '@symbolon/protocol';
import { PLUGIN_TYPE } from '@symbolon/protocol/constants';
import { ConflictError, SymbolonError, TransportError } from '../http/errors.ts';
import { type OnProgress, partOf, type Transfer } from '../http/progress.ts';
import { PluginFields } from '../plugin-fields/plugin-fields.ts';
import { type TypedValue, typedValue } from '../values/typed-value.ts';
import type { FlowSide } from './flow-side.ts';
import { fileValue, nodeOf, type OpenFlowRun, openRun } from './open-run.ts';
import { type FlowFileContent, generateDocuments, openFlowFile } from './run-documents.ts';
import { checkedStep } from './step-answers.ts';
import type { AnswersOf, FlowAnswers, FlowShape, StepKeyOf } from './typed-answers.ts';

/** An answered file, fetched and opened only when it is asked for. */
export class FlowFileHandle {
  readonly #open: (transfer: Transfer) => Promise<FlowFileContent>;

  constructor(open: (transfer: Transfer) => Promise<FlowFileContent>) {
    this.#open = open;
  }

  /** @throws NotFoundError `flows.file_not_found`; DecryptionError `sdk.unreadable`, `sdk.key_missing` */
  open(transfer: Transfer = {}): Promise<FlowFileContent> {
    return this.#open(transfer);
  }
}

/** What an answered field holds. */
export type FlowAnswer = TypedValue | FlowFileHandle;

/** A step that waits for an answer, as a fill sees it. */
export type FlowStep<Run extends FlowRun = FlowRun> = {
  key: string;
  node: FlowNode;
  run: Run;
  /** What was answered on the way, by slug. */
  answers: Readonly<Record<string, FlowAnswer>>;
  /** Answers and constants as conditions see them. */
  values: ReadonlyMap<string, unknown>;
  /** Asks the plugins of this step for options. */
  plugins: PluginFields;
};

type Filling<A> = A | undefined | Promise<A | undefined>;

/**
 * Answers the steps of one party, by their keys. A step without an entry, and one for which the entry gives `undefined`, is left
 * to somebody else.
 */
export type FlowFill<D extends FlowShape = FlowShape, Run extends FlowRun = FlowRun> = {
  readonly [K in StepKeyOf<D>]?: (step: FlowStep<Run>) => Filling<AnswersOf<D, K>>;
};

export type AnswerOptions = {
  /** Slugs of answers that came from private fields of the party. */
  privateSlugs?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  /** Of the upload of each file. */
  onProgress?: OnProgress | undefined;
};

/** The runs of one party: reads them, answers steps, makes documents (wire 13.10 to 13.14). */
export class FlowRuns<Run extends FlowRun> {
  readonly #side: FlowSide<Run>;

  constructor(side: FlowSide<Run>) {
    this.#side = side;
  }

  /**
   * Opens the copies of a run that was read. Its parties are remembered at the first time: nothing is sealed to others later, before
   * {@link confirmParties}.
   *
   * @throws DecryptionError `sdk.unreadable`, `sdk.key_missing`
   */
  async open(run: Run): Promise<OpenFlowRun<Run>> {
    await this.#side.confirmed.met([this.#side.parties(run)]);
    return this.#open(run, new Map());
  }

  /** Takes the parties of a run that it did not have when it was first opened, after the user was shown them. */
  confirmParties({ run }: OpenFlowRun<Run>): Promise<void> {
    return this.#side.confirmed.confirmOwners(this.#side.parties(run));
  }

  /** What was answered on the way, in the shape of its type. */
  answers({ run, state, way, files }: OpenFlowRun<Run>): Record<string, FlowAnswer> {
    const found: Record<string, FlowAnswer> = Object.create(null);
    for (const element of way.flatMap((key) => nodeOf(state.definition, key)?.elements ?? [])) {
      if (element.kind === 'text') continue;
      const { slug } = element;
      const text = state.answers.get(slug);
      const file = files.get(slug);
      if (file !== undefined)
        found[slug] = new FlowFileHandle((transfer) =>
          openFlowFile(this.#side, run, { slug, file }, transfer),
        );
      else if (typeof text === 'string') {
        const type = element.kind === 'field' ? element.field_type : PLUGIN_TYPE;
        found[slug] = typedValue(text, type, state.fieldTypes);
      }
    }
    return found;
  }

  /** The plugins of the step that waits for the party. */
  plugins(run: Run): PluginFields {
    const { address, api, transport } = this.#side;
    const call = { method: 'POST', path: `${address(run)}/plugin-pass`, json: {}, idempotent: true } as const;
    return new PluginFields(() => api.json<PluginPass>(call), transport);
  }

  /**
   * Checks the answers of the step that waits for the party, seals them to everybody who is bound, and sends them with the route
   * that they decide. A repetition of the same submit changes nothing.
   *
   * @returns the run after it, opened
   * @throws ConflictError `flows.not_your_turn`; ValueError `sdk.answers_invalid`, with `issues`; InvalidRequestError
   *   `flows.answer_unknown`; UnconfirmedKeyError `sdk.person_key_changed`, `sdk.service_key_changed`, `sdk.owner_changed`
   *   with the parties in `added`
   */
  async answer(
    open: OpenFlowRun<Run>,
    answers: FlowAnswers,
    options: AnswerOptions = {},
  ): Promise<OpenFlowRun<Run>> {
    const keys = () => this.#side.keys(open.run, options.signal);
    return this.#answer(open, answers, { ...options, keys });
  }

  async #answer(
    open: OpenFlowRun<Run>,
    answers: FlowAnswers,
    options: AnswerOptions & { keys: () => Promise<ReadonlyMap<string, string>> },
  ): Promise<OpenFlowRun<Run>> {
    const { run, step } = open;
    const { signal, privateSlugs = [] } = options;
    if (step === null) {
      const message = 'The run does not wait for an answer of this party.';
      throw new ConflictError({ errorKey: 'flows.not_your_turn', message });
    }
    const checked = await checkedStep(open, step, { answers, plugins: this.plugins(run) });
    const keys = await options.keys();
    const known = new Map(
      run.answers.map(({ slug, value }) => [value, String(open.state.answers.get(slug))]),
    );
    const sent: AnswerFlowRunRequest['answers'] = [];
    for (const [slug, text] of checked.texts) {
      const isPrivate = privateSlugs.includes(slug);
      const values = checked.files.has(slug)
        ? await this.#uploads(run, { slug, text, keys }, options)
        : await this.#copies(run, { text, keys, known });
      sent.push({ slug, values, ...(isPrivate && { source_private: true }) });
    }
    const route = decideRoute(checked.state.definition, step.key, checked.values);
    const json: AnswerFlowRunRequest = { answers: sent, ...route };
    const path = `${this.#side.address(run)}/answers`;
    // The platform answers the same submit of the same party by the run as it stands.
    const call = { method: 'POST', path, json, idempotent: true, signal } as const;
    const after = sameRun(run.id, await this.#side.api.json<Run>(call));
    return this.#open(after, known);
  }

  /**
   * Makes the documents of a run whose last step the party answered.
   *
   * @throws ConflictError `flows.not_your_turn`; InvalidRequestError `flows.generate_inputs_mismatch`,
   *   `flows.source_pdf_invalid`: the run stays as it is, and may be tried again
   */
  generate(open: OpenFlowRun<Run>, signal?: AbortSignal): Promise<GeneratedDocuments> {
    return generateDocuments(this.#side, open, signal);
  }

  /**
   * Does what waits for the party: answers its steps by `fill`, one after the other, and makes the documents. It ends when the
   * run waits for another party, or when `fill` leaves a step.
   *
   * @returns the run as it stands then
   * @throws SymbolonError `sdk.flow_answers_wrong` when other parties gave answers that cannot be right; what `answer` and
   *   `generate` throw
   *
   * @example
   * await client.flows.processRun<typeof lease>(run, { offer: ({ answers }) => ({ rent: rentOf(answers.flat) }) });
   */
  async processRun<D extends FlowShape = FlowShape>(
    run: Run,
    fill: FlowFill<NoInfer<D>, Run>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<OpenFlowRun<Run>> {
    let open = await this.open(run);
    let asked: Promise<ReadonlyMap<string, string>> | undefined;
    // The keys of the parties are asked for once, before the first step that is answered.
    const keys = () => {
      asked ??= this.#side.keys(run, signal);
      return asked;
    };
    for (;;) {
      const { step, isGenerator } = open;
      if (step === null && !isGenerator) return open;
      refuseWrongAnswers(open);
      if (step === null) {
        await this.generate(open, signal);
        return this.open(await this.#read(open.run, signal));
      }
      const answers = await this.#filled(open, step, fill);
      if (answers === undefined) return open;
      try {
        open = await this.#answer(open, answers, { signal, keys });
      } catch (error) {
        const isLate = error instanceof ConflictError && error.errorKey === 'flows.not_your_turn';
        if (!isLate) throw error;
        // Another process of this party was first: what it answered counts.
        const now = await this.#read(open.run, signal);
        if (now.current_node === step.key && now.status === open.run.status) throw error;
        open = await this.open(now);
      }
    }
  }

  async #filled<D extends FlowShape>(
    open: OpenFlowRun<Run>,
    node: FlowNode,
    fill: FlowFill<D, Run>,
  ): Promise<FlowAnswers | undefined> {
    const { run, values } = open;
    const fills = fill as FlowFill<FlowShape, Run>;
    const plugins = this.plugins(run);
    const step = { key: node.key, node, run, values, plugins, answers: this.answers(open) };
    return (Object.hasOwn(fills, node.key) ? fills[node.key]?.(step) : undefined) as Filling<FlowAnswers>;
  }

  async #read(run: Run, signal: AbortSignal | undefined): Promise<Run> {
    const call = { method: 'GET', path: this.#side.address(run), signal } as const;
    return sameRun(run.id, await this.#side.api.json<Run>(call));
  }

  /** @param known texts of copies of this party that were opened or sealed here: opening takes a while */
  async #open(run: Run, known: ReadonlyMap<string, string>): Promise<OpenFlowRun<Run>> {
    const { fieldTypes, open, viewer } = this.#side;
    return openRun(run, {
      viewer: viewer(run),
      fieldTypes: await fieldTypes(),
      open: async (wrapper) => known.get(wrapper) ?? open(wrapper),
    });
  }

  #copies(
    run: Run,
    { text, keys, known }: { text: string; keys: ReadonlyMap<string, string>; known: Map<string, string> },
  ) {
    const viewer = this.#side.viewer(run);
    return Promise.all(
      [...keys].map(async ([user, publicKey]) => {
        const value = serializeWrapper(await sealValue(text, publicKey));
        if (user === viewer) known.set(value, text);
        return { for_user_id: user, value };
      }),
    );
  }

  async #uploads(
    run: Run,
    { slug, text, keys }: { slug: string; text: string; keys: ReadonlyMap<string, string> },
    { signal, onProgress }: AnswerOptions,
  ) {
    const path = `${this.#side.address(run)}/answer-files`;
    const values: { for_user_id: string; value: string }[] = [];
    for (const [user, publicKey] of keys) {
      const value = serializeWrapper(await sealValue(text, publicKey));
      const json = { slug, for_user_id: user, value };
      const part = partOf(onProgress, { at: values.length, count: keys.size });
      const call = { method: 'POST', path, json, signal, onProgress: part } as const;
      const { file } = await this.#side.api.json<FlowFile>(call);
      values.push({ for_user_id: user, value: fileValue(file) });
    }
    return values;
  }
}

/** The run that was asked for: another one would be new, and have parties of its own. @throws TransportError `sdk.unexpected_answer` */
export function sameRun<Run extends Pick<FlowRun, 'id'>>(id: string, run: Run): Run {
  if (run.id === id) return run;
  const message = 'The platform answered with another run than the one that was asked for.';
  throw new TransportError({ errorKey: 'sdk.unexpected_answer', message });
}

/** @throws SymbolonError `sdk.flow_answers_wrong` */
function refuseWrongAnswers({ issues, isConsistent, run }: OpenFlowRun): void {
  if (issues.length === 0 && isConsistent) return;
  const message = isConsistent
    ? `Answers of this run cannot be right: ${issues.map(({ slug }) => slug).join(', ')}. Cancel the run, or answer its step yourself.`
    : 'The answers of this run do not lead to the step at which it stands. Cancel the run.';
  throw new SymbolonError({
    errorKey: 'sdk.flow_answers_wrong',
    message,
    details: { run_id: run.id, issues },
  });
}
