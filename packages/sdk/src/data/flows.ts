import type { KeyObject } from 'node:crypto';
import type { FlowDefinition } from '@symbolon/flows';
import type {
  CompanyFlow,
  CompanyFlowVersion,
  DocumentStatus,
  FlowRun,
  FlowRunDocument,
  Whoami,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { DocumentFile } from '../documents/document-file.ts';
import { companySide } from '../flows/company-side.ts';
import { type FlowFill, FlowRuns, sameRun } from '../flows/flow-runs.ts';
import type { FlowSide } from '../flows/flow-side.ts';
import { nodeOf, type OpenFlowRun } from '../flows/open-run.ts';
import type { FlowShape } from '../flows/typed-answers.ts';
import { type Api, path } from '../http/api.ts';
import { ConfigurationError, ConflictError, DecryptionError } from '../http/errors.ts';
import type { Transfer } from '../http/progress.ts';
import { jsonOf, type TransportOptions } from '../http/transport.ts';
import { fileIn } from './documents.ts';
import { type NewFlowRun, startRun } from './flow-start.ts';
import { type ListPage, ListWalk } from './list-walk.ts';
import type { Opener } from './opener.ts';
import { publicHalf } from './own-key.ts';
import type { PeopleKeys } from './people-keys.ts';
import type { Reference } from './reference.ts';
import type { Connection } from './value.ts';

/** The latest version of a flow. */
export type PublishedFlow = {
  version: number;
  definition: FlowDefinition;
  /** The types of the request rows of the service, by slug. */
  requestFieldTypes: Readonly<Record<string, string>>;
};

/** A copy of a document of a run. */
export type FlowDocument = {
  outputKey: string;
  partyKey: string;
  userId: string;
  name: string;
  documentId: string;
  status: DocumentStatus;
  /** In the line of those who sign or accept, from 1. */
  position: number;
  requiresSignature: boolean;
  requiresAcceptance: boolean;
  action: FlowRunDocument['action'];
  actedAt: string | null;
};

/** What became of one run that {@link Flows.process} looked at. */
export type ProcessedRun = { id: string; open: OpenFlowRun } | { id: string; error: unknown };

type Parts = {
  api: Api;
  people: PeopleKeys;
  opener: Opener;
  reference: Reference;
  key: KeyObject | undefined;
  connection: (id: string, signal?: AbortSignal) => Promise<Connection>;
  transport: TransportOptions;
};

const RUNS = '/api/company-data/flow-runs';

/** Flows of a service and their runs (wire 13.10 to 13.14): `flows` of a data client. */
export class Flows extends FlowRuns<FlowRun> {
  readonly #parts: Parts;
  #self: Promise<Whoami> | undefined;

  constructor(parts: Parts) {
    super(sideOf(parts));
    this.#parts = parts;
  }

  /** The published flows of the service. */
  async list(signal?: AbortSignal): Promise<CompanyFlow[]> {
    const call = { method: 'GET', path: '/api/company-data/flows', signal } as const;
    return (await this.#parts.api.json<{ items: CompanyFlow[] }>(call)).items;
  }

  /** @throws NotFoundError `flows.not_found`, `flows.not_published` */
  async published(flowId: string, signal?: AbortSignal): Promise<PublishedFlow> {
    const call = { method: 'GET', path: path`/api/company-data/flows/${flowId}/published`, signal } as const;
    const { request_field_types: requestFieldTypes, ...members } =
      await this.#parts.api.json<CompanyFlowVersion>(call);
    return { ...members, requestFieldTypes };
  }

  /**
   * Starts a run with a connected customer. The values of tags and the files that the flow takes come from what the parties
   * share with the service, and are sealed here to everybody who is bound.
   *
   * @throws NotFoundError `company_data.connection_not_found`; InvalidRequestError `sdk.flow_start_invalid`,
   *   `flows.bindings_invalid`, `flows.source_files_invalid`; ConflictError `flows.version_changed`, `flows.runs_limit`; UnconfirmedKeyError
   *   `sdk.person_key_changed`
   *
   * @example
   * const run = await client.flows.start(flowId, { connectionId });
   */
  async start(flowId: string, run: NewFlowRun): Promise<FlowRun> {
    try {
      return await this.#start(flowId, run);
    } catch (error) {
      const isNew = error instanceof ConflictError && error.errorKey === 'flows.version_changed';
      if (!isNew || run.version !== undefined) throw error;
      // A version was published since it was read: its tags and parties are read once more.
      return this.#start(flowId, run);
    }
  }

  /** Newest first; the next page is fetched when it is needed. @param options.status `awaiting_company` is the company's turn */
  async *runs(
    options: { status?: string; pageSize?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<FlowRun, void, void> {
    const { status, pageSize = limits.pageDefault, signal } = options;
    const load = (offset: number, limit: number) => {
      const call = { method: 'GET', path: RUNS, query: { offset, limit, status }, signal } as const;
      return this.#parts.api.json<ListPage<FlowRun>>(call);
    };
    const walk = new ListWalk(load, ({ id }) => id, pageSize);
    for (let page = await walk.next(); page; page = await walk.next()) yield* page;
  }

  /** Reads a run and opens the company's copies. @throws NotFoundError `flows.run_not_found`; DecryptionError */
  async run(id: string, signal?: AbortSignal): Promise<OpenFlowRun> {
    return this.open(await this.#read(id, signal));
  }

  /**
   * Does what waits for the company in all runs, as `processRun` does in one. A run that fails is reported and does not hold up
   * the others; call it after every `flow_run_turn`, or now and then.
   *
   * @param options.flowId only runs of this flow
   * @returns the runs in which something was done, or failed
   *
   * @example
   * for await (const done of client.flows.process(fill)) if ('error' in done) report(done);
   */
  async *process<D extends FlowShape = FlowShape>(
    fill: FlowFill<NoInfer<D>>,
    { flowId, signal }: { flowId?: string; signal?: AbortSignal } = {},
  ): AsyncGenerator<ProcessedRun, void, void> {
    // Working on a run takes it out of the list, so the list is read first; of each run its id alone, for it may be large.
    const waiting: string[] = [];
    for (const status of ['awaiting_company', 'generating'])
      for await (const run of this.runs({ status, ...(signal && { signal }) }))
        if ((flowId === undefined || run.flow_id === flowId) && isAtCompany(run)) waiting.push(run.id);
    for (const id of waiting) {
      signal?.throwIfAborted();
      try {
        const run = await this.#read(id, signal);
        const open = await this.processRun<D>(run, fill, { ...(signal && { signal }) });
        const isMoved = open.run.status !== run.status || open.run.current_node !== run.current_node;
        if (isMoved) yield { id, open };
      } catch (error) {
        signal?.throwIfAborted();
        yield { id, error };
      }
    }
  }

  /** The copies of the documents of a run, for each party. @throws NotFoundError `flows.run_not_found` */
  async documents(runId: string, signal?: AbortSignal): Promise<FlowDocument[]> {
    const { participants } = await this.#read(runId, signal);
    return participants.flatMap(({ party_key: partyKey, person_user_id: userId, documents }) =>
      documents.map((document) => ({
        outputKey: document.output_key,
        ...{ partyKey, userId },
        name: document.name,
        documentId: document.document_id,
        status: document.document_status,
        position: document.position,
        requiresSignature: document.requires_signature,
        requiresAcceptance: document.requires_acceptance,
        action: document.action,
        actedAt: document.acted_at,
      })),
    );
  }

  /**
   * The company's own copy of a document, opened with the service key; the sealed PDF, once everybody has signed.
   *
   * @throws NotFoundError `flows.no_document`; DecryptionError `sdk.key_missing`, `sdk.unreadable`
   */
  async documentFile(runId: string, outputKey: string, transfer: Transfer = {}): Promise<DocumentFile> {
    const { api, key } = this.#parts;
    if (key === undefined) throw keyMissing();
    const address = path`/api/company-data/flow-runs/${runId}/documents/${outputKey}/file`;
    const { value } = jsonOf(await api.send({ method: 'GET', path: address, ...transfer })) as {
      value: unknown;
    };
    const file = fileIn(value, key);
    return { ...file, name: file.name ?? `${outputKey}.pdf` };
  }

  /**
   * Takes the documents of a run back that are neither signed nor accepted, so that the party that answered the last step makes them
   * again: for example, when they do not say what was answered. Repeated, it changes nothing.
   *
   * @returns the run, which is `generating` again
   * @throws ConflictError `flows.documents_acted_on`, `flows.run_ended`; NotFoundError `flows.no_document` before there are any
   */
  withdrawDocuments(runId: string, signal?: AbortSignal): Promise<FlowRun> {
    const address = path`/api/company-data/flow-runs/${runId}/documents/withdraw`;
    return this.#parts.api.json({ method: 'POST', path: address, json: {}, idempotent: true, signal });
  }

  /** Ends a run and every copy of its documents. @throws ConflictError `flows.run_ended` once it is completed */
  cancel(runId: string, signal?: AbortSignal): Promise<FlowRun> {
    const address = path`/api/company-data/flow-runs/${runId}/cancel`;
    return this.#parts.api.json({ method: 'POST', path: address, json: {}, idempotent: true, signal });
  }

  async #start(flowId: string, run: NewFlowRun): Promise<FlowRun> {
    const { api, connection, key, people } = this.#parts;
    const [published, self] = await Promise.all([this.published(flowId, run.signal), this.#whoami()]);
    const { definition, version, requestFieldTypes: types } = published;
    const parts = {
      ...{ api, connection, people, companyId: self.company_user_id, ownKey: ownKeyOf(key) },
      flow: path`/api/company-data/flows/${flowId}`,
    };
    const { started, emptyTags } = await startRun(parts, { definition, version, types }, run);
    if (emptyTags.length > 0) run.onEmptyTags?.(emptyTags);
    return started;
  }

  #whoami(): Promise<Whoami> {
    this.#self ??= this.#parts.api.json<Whoami>({ method: 'GET', path: '/api/company-data/whoami' });
    this.#self.catch(() => {
      this.#self = undefined;
    });
    return this.#self;
  }

  async #read(id: string, signal: AbortSignal | undefined): Promise<FlowRun> {
    const call = { method: 'GET', path: path`/api/company-data/flow-runs/${id}`, signal } as const;
    return sameRun(id, await this.#parts.api.json<FlowRun>(call));
  }
}

/** The company answers the step at which a run stands, or has answered it as the last one. */
function isAtCompany({ bindings, company_user_id: companyId, current_node: current, definition }: FlowRun) {
  const party = nodeOf(definition, current)?.party;
  return party !== undefined && bindings[party] === companyId;
}

const sideOf = ({ api, key, opener, people, reference, transport }: Parts): FlowSide<FlowRun> =>
  companySide({
    ...{ api, people, transport },
    address: ({ id }) => path`/api/company-data/flow-runs/${id}`,
    fieldTypes: () => reference.registry(),
    open: async (wrapper) => {
      if (key === undefined) throw keyMissing();
      const text = await opener.openText(wrapper);
      if (text !== null) return text;
      const message = 'The configured key does not open an answer of this run.';
      throw new DecryptionError({ errorKey: 'sdk.unreadable', message });
    },
    ownKey: ownKeyOf(key),
  });

/** @throws ConfigurationError `sdk.private_key` */
const ownKeyOf = (key: KeyObject | undefined) => () => {
  if (key !== undefined) return publicHalf(key);
  const message = "Answers are sealed to the service's own key too: give the client its private key.";
  throw new ConfigurationError({ errorKey: 'sdk.private_key', message });
};

const keyMissing = () =>
  new DecryptionError({
    errorKey: 'sdk.key_missing',
    message: 'What a run holds is sealed; the client has no private key.',
  });
