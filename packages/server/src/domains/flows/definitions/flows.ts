import {
  type CreateFlowRequest,
  type Flow,
  type FlowSummary,
  limits,
  type UpdateFlowRequest,
} from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { writeJson } from '../../../core/written-json.ts';
import { type Reader, type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, ServiceLogs } from '../../operations/index.ts';
import type { Services } from '../../services/index.ts';
import type { RunsOfFlow } from '../ports.ts';
import { emptyDefinition, refuseIssues } from './definition-text.ts';
import type { TakenDefinition } from './definition-work.ts';
import type { LargeDefinitions } from './large-definitions.ts';
import { readLong } from './long-reads.ts';
import {
  assetsOf,
  countFlows,
  definitionBytes,
  deleteAssets,
  deleteFlow,
  type FlowHead,
  type FlowRef,
  flowHead,
  flowsOf,
  flowWithDraft,
  insertFlow,
  type ServiceRef,
  updateFlow,
} from './store.ts';
import { DRAFT, type FlowRow } from './tables.ts';
import { viewFlow, viewSummary } from './views.ts';

/** Who changes a flow. */
export interface By {
  readonly actor: Actor;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly services: Services;
  readonly logs: ServiceLogs;
  readonly runsOfFlow: RunsOfFlow;
  readonly largeDefinitions: LargeDefinitions;
}

const NAME = 'New flow';

/** The flows of a service and their drafts (wire 13.9). Flows of other companies are not found. */
export class Flows {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Oldest first. @throws {PlatformError} services.not_found */
  async list(service: ServiceRef): Promise<FlowSummary[]> {
    const { reader } = this.#deps.database;
    await this.#deps.services.require(reader, service);
    return (await flowsOf(reader, service)).map(viewSummary);
  }

  /** @throws {PlatformError} services.not_found, flows.definition_invalid, flows.limit_reached, request.too_large */
  async create(service: ServiceRef & By, { name, definition }: CreateFlowRequest): Promise<Flow> {
    const draft = await this.take(writeJson(definition ?? emptyDefinition(name ?? NAME)), name);
    const made = await this.#write(service, async (writer) => {
      const row = await this.insert(writer, service, draft);
      await this.log(writer, service, 'Flow created', { flow: row.id, name: row.name });
      return row;
    });
    return viewFlow(made, []);
  }

  /** Adds a flow in the caller's transaction, which holds the service's lock. @throws {PlatformError} flows.limit_reached */
  async insert(writer: Writer, service: ServiceRef, draft: TakenDefinition): Promise<FlowRow> {
    if ((await countFlows(writer, service)) >= limits.flowsMost)
      throw new PlatformError('flows.limit_reached');
    const at = this.#deps.clock.now();
    const row: FlowRow = {
      company_id: service.companyId,
      service_id: service.serviceId,
      id: this.#deps.ids.uuid(),
      name: draft.name,
      output_mode: draft.outputMode,
      revision: 1,
      version: null,
      published_revision: null,
      published_at: null,
      plugin_ids: draft.pluginIds,
      created_at: at,
      updated_at: at,
      deleted_at: null,
      draft: draft.text,
    };
    await insertFlow(writer, row);
    await this.refuseTooMuch(writer, service);
    return row;
  }

  /** @throws {PlatformError} flows.not_found */
  async get(ref: FlowRef): Promise<Flow> {
    const { reader } = this.#deps.database;
    const row = await readLong(() => this.requireDraft(reader, ref));
    return viewFlow(row, await assetsOf(reader, { ...ref, version: DRAFT }));
  }

  /**
   * Saves the draft that was made from a revision.
   * @throws {PlatformError} flows.not_found, flows.draft_changed, flows.definition_invalid, flows.limit_reached,
   *   request.too_large
   */
  async update(ref: FlowRef & By, request: UpdateFlowRequest): Promise<Flow> {
    const { name, definition, revision } = request;
    // Made before the transaction: others do not wait for it.
    const draft =
      definition === undefined
        ? await this.#renamed(ref, revision, name)
        : await this.take(writeJson(definition), name);
    const { row, assets } = await this.#write(ref, async (writer) => {
      const before = await this.require(writer, ref);
      requireRevision(before, revision);
      const saved: FlowRow = {
        ...before,
        name: draft.name,
        output_mode: draft.outputMode,
        revision: revision + 1,
        plugin_ids: draft.pluginIds,
        updated_at: this.#deps.clock.now(),
        draft: draft.text,
      };
      await updateFlow(writer, ref, saved);
      await this.refuseTooMuch(writer, ref);
      if (saved.name !== before.name)
        await this.log(writer, ref, 'Flow renamed', { flow: saved.id, name: saved.name });
      return { row: saved, assets: await assetsOf(writer, { ...ref, version: DRAFT }) };
    });
    return viewFlow(row, assets);
  }

  /**
   * Deletes a flow. What its finished runs read of it stays until they go; unfinished runs are not ended behind the
   * backs of their parties.
   * @throws {PlatformError} flows.not_found, flows.has_unfinished_runs
   */
  async delete(ref: FlowRef & By): Promise<void> {
    const { clock, runsOfFlow } = this.#deps;
    await this.#write(ref, async (writer) => {
      const { name } = await this.require(writer, ref);
      const runs = await runsOfFlow.unfinished(writer, ref);
      if (runs > 0) throw new PlatformError('flows.has_unfinished_runs', { details: { runs } });
      if (await runsOfFlow.any(writer, ref)) {
        await deleteAssets(writer, ref);
        await updateFlow(writer, ref, { deleted_at: clock.now(), draft: '{}', plugin_ids: '[]' });
      } else await deleteFlow(writer, ref);
      await this.log(writer, ref, 'Flow deleted', { flow: ref.flowId, name });
    });
  }

  /**
   * Takes in a definition as it was sent, in today's form or that of older packages.
   * @param text JSON
   * @param name takes the place of its own
   * @throws {PlatformError} flows.definition_invalid, request.too_large
   */
  async take(text: string, name?: string): Promise<TakenDefinition> {
    const taken = await this.#deps.largeDefinitions.do('take', { text, name });
    if (taken === 'too_large') throw new PlatformError('request.too_large');
    if (!('issues' in taken)) return taken;
    refuseIssues(taken.issues);
    throw new Error('A definition was refused without an issue.');
  }

  /** The draft under another name. @throws {PlatformError} flows.not_found, flows.draft_changed, request.too_large */
  async #renamed(ref: FlowRef, revision: number, name: string | undefined): Promise<TakenDefinition> {
    const before = await this.requireDraft(this.#deps.database.reader, ref);
    requireRevision(before, revision);
    return this.take(before.draft, name ?? before.name);
  }

  /** @throws {PlatformError} flows.not_found */
  async require(reader: Reader, ref: FlowRef): Promise<FlowHead> {
    const row = await flowHead(reader, ref);
    if (row === undefined) throw new PlatformError('flows.not_found');
    return row;
  }

  /** @throws {PlatformError} flows.not_found */
  async requireDraft(reader: Reader, ref: FlowRef): Promise<FlowRow> {
    const row = await flowWithDraft(reader, ref);
    if (row === undefined) throw new PlatformError('flows.not_found');
    return row;
  }

  /** Called after the write that needs the room. @throws {PlatformError} flows.limit_reached */
  async refuseTooMuch(writer: Writer, service: ServiceRef): Promise<void> {
    const most = limits.flowTextBytesMost;
    if ((await definitionBytes(writer, service)) > most)
      throw new PlatformError('flows.limit_reached', { details: { most } });
  }

  log(writer: Writer, service: ServiceRef & By, message: string, metadata: Record<string, unknown>) {
    return this.#deps.logs.write(writer, { ...service, type: 'config', message, metadata });
  }

  /** In a transaction that locks the service, which the company owns. @throws {PlatformError} services.not_found */
  #write<T>(service: ServiceRef, work: (writer: Writer) => Promise<T>): Promise<T> {
    return writeLocked(this.#deps.database, 'services', service.serviceId, async (writer) => {
      await this.#deps.services.require(writer, service);
      return work(writer);
    });
  }
}

/** @throws {PlatformError} flows.draft_changed */
function requireRevision(flow: FlowHead, revision: number): void {
  if (flow.revision !== revision)
    throw new PlatformError('flows.draft_changed', { details: { revision: flow.revision } });
}
