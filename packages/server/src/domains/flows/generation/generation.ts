import { createHash } from 'node:crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { GeneratedDocuments, GenerateFlowRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { FairTurns } from '../../../core/fair-turns.ts';
import type { Reader } from '../../../db/database.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import { type MadeDocument, type RunCopies, sealedCopy, type Templates } from '../../agreements/index.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { type Caller, requireRun, type SeenRun } from '../runs/access.ts';
import type { RunChanges } from '../runs/run-changes.ts';
import { bindingsOf, type LastAct, RUN_STATES } from '../runs/states.ts';
import { type Filled, Filling } from './filling.ts';
import { generatorOf } from './generator.ts';
import { customerKeys, deleteInputs, serviceKey } from './store.ts';

interface Deps extends Pick<Core, 'clock' | 'config' | 'database'> {
  readonly blobs: Blobs;
  readonly flows: PublishedFlows;
  readonly changes: RunChanges;
  readonly runCopies: RunCopies;
  readonly templates: Templates;
  readonly personSignals: PersonSignals;
  readonly registry: FieldTypeRegistry;
}

/** The keys to which copies are sealed: of the service under the id of the company. */
type Keys = ReadonlyMap<string, string>;

/** Another change came first so many times: the caller tries again later. */
const ATTEMPTS = 3;
/** Runs of one company whose documents are made at a time, and that wait: PDFs that take long hold up their company alone. */
const OF_ONE_COMPANY = { perParty: 2, waitingMost: 32 };
/** For each process that reads files: while the copies of one document are sealed, another one is filled in. */
const OF_EACH_PROCESS = 2;
/** Why documents could not be made, as the run says it: its bundle or PDFs are wrong, or there is no room or no reader now. */
const isReason = ({ key, status }: PlatformError) =>
  status === 422 || key === 'documents.seal_unavailable' || key === 'documents.limit_reached';

/**
 * How the documents of a run are made (wire 13.14): in memory, from a bundle that opens with a key that the caller sends
 * along. Nothing readable is kept, and nothing of a bundle is logged.
 */
export class Generation {
  readonly #deps: Deps;
  readonly #filling: Filling;
  readonly #turns: FairTurns;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#filling = new Filling(deps);
    this.#turns = new FairTurns({ ...OF_ONE_COMPANY, inAll: deps.config.seal.processes * OF_EACH_PROCESS });
  }

  /**
   * Makes the documents of a run. The first call that succeeds counts; a repetition answers its documents. A failure leaves
   * the run as it is, with the reason.
   * @throws {PlatformError} flows.run_not_found, flows.not_your_turn, flows.generate_inputs_mismatch,
   *   flows.source_pdf_invalid, documents.seal_unavailable, documents.limit_reached,
   *   rate_limit.exceeded, platform.busy
   */
  async generate(caller: Caller, runId: string, request: GenerateFlowRequest): Promise<GeneratedDocuments> {
    const { database } = this.#deps;
    const seen = await requireRun(database.reader, caller, runId);
    if (generatorOf(seen.run) !== caller.userId) throw new PlatformError('flows.not_your_turn');
    if (seen.run.status !== RUN_STATES.generating) return this.#made(database.reader, seen);
    try {
      return await this.#turns.run(seen.run.company_id, () => this.#generate(caller, runId, request));
    } catch (error) {
      if (error instanceof PlatformError && isReason(error)) await this.#noteFailure(caller, seen, error.key);
      throw error;
    }
  }

  async #generate(caller: Caller, runId: string, request: GenerateFlowRequest): Promise<GeneratedDocuments> {
    const { reader } = this.#deps.database;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const seen = await requireRun(reader, caller, runId);
      if (seen.run.status !== RUN_STATES.generating) return this.#made(reader, seen);
      const keys = await this.#keysOf(reader, seen);
      const documents: MadeDocument[] = [];
      const over: Filled['over'][number][] = [];
      const problems: Filled['problems'][number][] = [];
      for await (const filled of this.#filling.fill(caller.userId, seen, request)) {
        documents.push(await this.#seal(seen, filled, keys));
        over.push(...filled.over);
        problems.push(...filled.problems);
      }
      const made = await this.#commit(seen, documents, keys);
      if (made)
        return { ...made, ...(over.length > 0 && { over }), ...(problems.length > 0 && { problems }) };
    }
    throw new PlatformError('platform.busy');
  }

  async #keysOf(reader: Reader, { run }: SeenRun): Promise<Keys> {
    const users = [...bindingsOf(run).values()].filter((user) => user !== run.company_id);
    const keys = await customerKeys(reader, users);
    const service = { companyId: run.company_id, serviceId: run.service_id };
    const own = await serviceKey(reader, service);
    return own === undefined ? keys : keys.set(run.company_id, own);
  }

  /** A copy for each party, sealed to its key: first those who sign or accept, in their order. */
  async #seal({ run, parties }: SeenRun, filled: Filled, keys: Keys): Promise<MadeDocument> {
    const { output, place, bytes } = filled;
    const bindings = bindingsOf(run);
    const signers = new Map(
      output.signers
        .filter(({ party, sign, accept }) => bindings.has(party) && (sign || accept))
        .map((signer) => [signer.party, signer]),
    );
    const others = [...bindings.keys()].filter((party) => !signers.has(party));
    const copies: MadeDocument['copies'][number][] = [];
    for (const partyKey of [...signers.keys(), ...others]) {
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
    return { outputKey: output.key, name: output.name, place, sha256, copies };
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
    for (const { document_id, party_key } of made) this.#tell(seen, party_key, document_id);
    return { documents: made.map(viewOf), document_id: made[0]?.document_id ?? null, status: state };
  }

  #tell({ run, parties }: SeenRun, partyKey: string, id: string): void {
    const user = bindingsOf(run).get(partyKey);
    const party = parties.find(({ user_id }) => user_id === user);
    if (party?.user_type !== 'person') return;
    this.#deps.personSignals.tell(party.user_id, { kind: 'document', id, push: true }, party.region);
  }

  async #made(reader: Reader, { run }: SeenRun): Promise<GeneratedDocuments> {
    const documents = (await this.#deps.runCopies.ofRuns(reader, [run.id])).get(run.id) ?? [];
    return { documents: documents.map(viewOf), document_id: run.document_id, status: run.status };
  }

  /** So that the run says why it is not finished. */
  async #noteFailure(caller: Caller, { run }: SeenRun, key: string): Promise<void> {
    const { changes, database } = this.#deps;
    const seen = await requireRun(database.reader, caller, run.id);
    await changes.ifUnchanged(seen, (writer) => changes.noteFailure(writer, seen, key));
  }
}

type Made = GeneratedDocuments['documents'][number];

const viewOf = ({ output_key, party_key, document_id, position }: Made): Made => ({
  ...{ output_key, party_key, document_id, position },
});

const same = (one: Keys, other: Keys): boolean =>
  one.size === other.size && [...one].every(([user, key]) => other.get(user) === key);
