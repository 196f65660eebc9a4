import { createHash } from 'node:crypto';
import { chooseOutputs } from '@symbolon/flows';
import type { TemplateFilling, TemplatePlan } from '@symbolon/pdf';
import {
  type FlowOutput,
  type FlowRule,
  type GeneratedDocuments,
  type GenerateFlowRequest,
  limits,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { storedFile } from '../../../core/stored-file.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { type MadeDocument, type RunCopies, sealedCopy, type Templates } from '../../agreements/index.ts';
import type { Core } from '../../domain.ts';
import type { PersonSignals } from '../../identity/index.ts';
import type { Blobs } from '../../operations/index.ts';
import type { PublishedFlows } from '../definitions/index.ts';
import {
  bindingsOf,
  type Caller,
  copiesFor,
  type LastAct,
  RUN_STATES,
  type RunChanges,
  requireRun,
  type SeenRun,
  versionOf,
} from '../runs/index.ts';
import { openPart, openValues } from './bundle.ts';
import { generatorOf } from './generator.ts';
import { invalidAs } from './invalid-as.ts';
import { type Held, holdsSource, shownValues, sourceKeyOf } from './sources.ts';
import { customerKeys, deleteInputs, inputsOf, serviceKey } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly blobs: Blobs;
  readonly flows: PublishedFlows;
  readonly changes: RunChanges;
  readonly runCopies: RunCopies;
  readonly templates: Templates;
  readonly personSignals: PersonSignals;
}

type Over = NonNullable<GeneratedDocuments['over']>;

/** A PDF that was filled in, in memory. */
interface Filled {
  readonly output: FlowOutput;
  readonly place: number;
  readonly bytes: Uint8Array;
}

/** The keys to which copies are sealed: of the service under the id of the company. */
type Keys = ReadonlyMap<string, string>;

/** Another change came first so many times: the caller tries again later. */
const ATTEMPTS = 3;

/**
 * How the documents of a run are made (wire 13.14): in memory, from a bundle that opens with a key that the caller sends
 * along. Nothing readable is kept, and nothing of a bundle is logged.
 */
export class Generation {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Makes the documents of a run. The first call that succeeds counts; a repetition answers its documents. A failure leaves
   * the run as it is, with the reason.
   * @throws {PlatformError} flows.run_not_found, flows.not_your_turn, flows.generate_inputs_mismatch,
   *   flows.source_pdf_invalid, documents.seal_unavailable, platform.busy
   */
  async generate(caller: Caller, runId: string, request: GenerateFlowRequest): Promise<GeneratedDocuments> {
    const { database } = this.#deps;
    const seen = await requireRun(database.reader, caller, runId);
    if (generatorOf(seen.run) !== caller.userId) throw new PlatformError('flows.not_your_turn');
    if (seen.run.status !== RUN_STATES.generating) return this.#made(database.reader, seen);
    try {
      return await this.#generate(caller, seen, request);
    } catch (error) {
      if (error instanceof PlatformError && error.status === 422)
        await this.#noteFailure(caller, seen, error.key);
      throw error;
    }
  }

  async #generate(caller: Caller, seen: SeenRun, request: GenerateFlowRequest): Promise<GeneratedDocuments> {
    const { database } = this.#deps;
    const { filled, over } = await this.#fill(caller, seen, request);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const now = await requireRun(database.reader, caller, seen.run.id);
      if (now.run.status !== RUN_STATES.generating) return this.#made(database.reader, now);
      const keys = await this.#keysOf(database.reader, now);
      const documents = await this.#seal(now, filled, keys);
      const made = await this.#commit(now, documents, keys);
      if (made) return { ...made, ...(over.length > 0 && { over }) };
    }
    throw new PlatformError('platform.busy');
  }

  /** Opens the bundle and fills in the PDFs. */
  async #fill(
    { userId }: Caller,
    { run }: SeenRun,
    request: GenerateFlowRequest,
  ): Promise<{ filled: Filled[]; over: Over }> {
    const { clock, database, flows, templates } = this.#deps;
    const { reader } = database;
    const otk = Buffer.from(request.otk, 'base64');
    const version = versionOf(run);
    const definition = await flows.definition(reader, version);
    const node = definition.nodes.find(({ key }) => key === run.current_node);
    if (node === undefined) throw new PlatformError('flows.version_not_found');
    const copies = await copiesFor(reader, userId, [run.id]);
    const keysOf = (kind: string) =>
      new Set(copies.filter((copy) => copy.kind === kind).map(({ key }) => key));
    const held: Held = {
      assets: new Set((await flows.assets(reader, version)).map(({ asset_key }) => asset_key)),
      slugs: keysOf('answer'),
      sources: keysOf('source'),
    };
    const values = shownValues(definition, openValues(otk, request.values), held);
    for (const [tag, { v }] of Object.entries(
      JSON.parse(run.owner_tag_values) as Record<string, { v: string }>,
    ))
      values.set(tag, v);
    const chosen = chooseOutputs(node, values, (rule) => holdsSource(rule, held));
    const sent = await inputsOf(reader, { companyId: run.company_id, runId: run.id, userId }, clock.now());
    const inputs = await this.#openInputs(otk, request, {
      rules: chosen.map(({ rule }) => rule),
      held,
      sent,
    });
    const filling = { values: Object.fromEntries(values), images: imagesOf(inputs, held) };
    const filled: Filled[] = [];
    const over: Over = [];
    for (const { output, rule } of chosen) {
      const { pdf, plan } = await this.#source(reader, version, rule, inputs);
      const made = await invalidAs('flows.source_pdf_invalid', () =>
        templates.fill(pdf, { ...filling, ...(plan && { plan }) }),
      );
      over.push(...made.over.map(({ key, page }) => ({ output_key: output.key, key, page })));
      filled.push({ output, place: (node.outputs ?? []).indexOf(output), bytes: made.bytes });
    }
    return { filled, over };
  }

  /** @throws {PlatformError} flows.generate_inputs_mismatch */
  async #openInputs(
    otk: Buffer,
    request: GenerateFlowRequest,
    {
      rules,
      held,
      sent,
    }: { rules: readonly FlowRule[]; held: Held; sent: Awaited<ReturnType<typeof inputsOf>> },
  ): Promise<Map<string, Buffer>> {
    const named = new Map((request.inputs ?? []).map(({ source_key, input }) => [source_key, input]));
    const needed = new Set(rules.map(sourceKeyOf).filter((key) => key !== null));
    const byId = new Map(sent.map((row) => [row.id, row]));
    const missing = [...needed].filter((key) => byId.get(named.get(key) ?? '')?.source_key !== key);
    // Pictures for answered fields may come, too.
    const unexpected = [...named]
      .filter(([key, id]) => byId.get(id)?.source_key !== key || !(needed.has(key) || held.slugs.has(key)))
      .map(([key]) => key);
    if (missing.length > 0 || unexpected.length > 0)
      throw new PlatformError('flows.generate_inputs_mismatch', { details: { missing, unexpected } });
    const opened = new Map<string, Buffer>();
    for (const [key, id] of named) {
      const file = storedFile(byId.get(id)?.value ?? null);
      if (file === undefined) continue;
      const text = await this.#deps.blobs.read(file.hash);
      opened.set(key, openPart(otk, text.toString('latin1')));
    }
    return opened;
  }

  async #source(
    reader: Reader,
    version: ReturnType<typeof versionOf>,
    rule: FlowRule,
    inputs: ReadonlyMap<string, Buffer>,
  ): Promise<{ pdf: Buffer; plan?: TemplatePlan }> {
    if (rule.asset_key !== undefined) {
      const { row, file } = await this.#deps.flows.asset(reader, version, rule.asset_key);
      const plan = JSON.parse(row.plan) as TemplatePlan | null;
      return { pdf: await this.#deps.blobs.read(file.hash), ...(plan && { plan }) };
    }
    const pdf = inputs.get(sourceKeyOf(rule) ?? '');
    if (pdf === undefined || pdf.length > limits.fileBytes)
      throw new PlatformError('flows.source_pdf_invalid', { details: { reason: 'too_large' } });
    return { pdf };
  }

  async #keysOf(reader: Reader, { run }: SeenRun): Promise<Keys> {
    const users = [...bindingsOf(run).values()].filter((user) => user !== run.company_id);
    const keys = await customerKeys(reader, users);
    const service = { companyId: run.company_id, serviceId: run.service_id };
    const own = await serviceKey(reader, service);
    return own === undefined ? keys : keys.set(run.company_id, own);
  }

  /** A copy for each party, sealed to its key: first those who sign or accept, in their order. */
  async #seal({ run, parties }: SeenRun, filled: readonly Filled[], keys: Keys): Promise<MadeDocument[]> {
    const made: MadeDocument[] = [];
    for (const { output, place, bytes } of filled) {
      const bindings = bindingsOf(run);
      const signers = new Map(output.signers.map((signer) => [signer.party, signer]));
      const line = [...signers.keys()].filter((party) => bindings.has(party));
      const order = [...line, ...[...bindings.keys()].filter((party) => !signers.has(party))];
      const copies: MadeDocument['copies'][number][] = [];
      for (const partyKey of order) {
        const user = bindings.get(partyKey) ?? '';
        const key = keys.get(user);
        const customer = parties.find(({ user_id }) => user_id === user);
        if (key === undefined) throw new PlatformError('flows.run_not_found');
        const pdf = { bytes, name: `${output.name}.pdf` };
        const blob = await this.#deps.blobs.keepStream(await sealedCopy(pdf, key));
        const { sign = false, accept = false } = signers.get(partyKey) ?? {};
        copies.push({
          ...{ partyKey, sign, accept, blob },
          customer: customer
            ? {
                customer_id: customer.user_id,
                customer_type: customer.user_type,
                connection_id: customer.standing_id,
              }
            : null,
        });
      }
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      made.push({ outputKey: output.key, name: output.name, place, sha256, copies });
    }
    return made;
  }

  /** Everything at once. @returns undefined when something happened to the run, or a key changed, since it was read */
  async #commit(
    seen: SeenRun,
    documents: readonly MadeDocument[],
    keys: Keys,
  ): Promise<GeneratedDocuments | undefined> {
    const { changes, runCopies } = this.#deps;
    const { run } = seen;
    const ref = { companyId: run.company_id, serviceId: run.service_id, flowId: run.flow_id, runId: run.id };
    const isSigned = documents.some(({ copies }) => copies.some(({ sign, accept }) => sign || accept));
    const state = isSigned ? RUN_STATES.awaitingSignature : RUN_STATES.completed;
    const made = await changes.ifUnchanged(seen, async (writer) => {
      if (!same(keys, await this.#keysOf(writer, seen))) return undefined;
      const { copies, raised } = await runCopies.create(writer, ref, documents);
      const document_id = copies[0]?.document_id ?? null;
      await deleteInputs(writer, ref);
      const last_act = JSON.parse(run.last_act ?? 'null') as LastAct | null;
      const moved = await changes.move(writer, seen, { state }, { document_id, failure: null, last_act });
      await changes.raise(writer, raised, moved);
      return copies;
    });
    if (made === undefined) return undefined;
    changes.tell(seen);
    for (const { document_id, party_key, status } of made)
      this.#tell(seen, party_key, document_id, status === null);
    return {
      documents: made.map(({ output_key, party_key, document_id, position }) => ({
        ...{ output_key, party_key, document_id, position },
      })),
      document_id: made[0]?.document_id ?? null,
      status: state,
    };
  }

  #tell({ run, parties }: SeenRun, partyKey: string, id: string, isCustomers: boolean): void {
    const user = bindingsOf(run).get(partyKey);
    const party = parties.find(({ user_id }) => user_id === user);
    if (!isCustomers || party?.user_type !== 'person') return;
    this.#deps.personSignals.tell(party.user_id, { kind: 'document', id, push: true }, party.region);
  }

  async #made(reader: Reader | Writer, { run }: SeenRun): Promise<GeneratedDocuments> {
    const documents = (await this.#deps.runCopies.ofRuns(reader, [run.id])).get(run.id) ?? [];
    return {
      documents: documents.map(({ output_key, party_key, document_id, position }) => ({
        ...{ output_key, party_key, document_id, position },
      })),
      document_id: run.document_id,
      status: run.status,
    };
  }

  /** So that the run says why it is not finished. */
  async #noteFailure(caller: Caller, { run }: SeenRun, key: string): Promise<void> {
    const { changes, database } = this.#deps;
    const seen = await requireRun(database.reader, caller, run.id);
    await changes.ifUnchanged(seen, (writer) => changes.noteFailure(writer, seen, key));
  }
}

function imagesOf(
  inputs: ReadonlyMap<string, Buffer>,
  { slugs }: Held,
): NonNullable<TemplateFilling['images']> {
  const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).equals(PDF_HEADER);
  return Object.fromEntries([...inputs].filter(([key, bytes]) => slugs.has(key) && !isPdf(bytes)));
}

const PDF_HEADER = Buffer.from('%PDF-');

const same = (one: Keys, other: Keys): boolean =>
  one.size === other.size && [...one].every(([user, key]) => other.get(user) === key);
