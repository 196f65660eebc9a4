import { connectionSources, type PartyTags } from '@symbolon/flows';
import { type FlowRun, limits, type StartFlowRunRequest } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { lock, type Reader, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { ownerTagValues, type PublishedFlows, type PublishedVersion } from '../definitions/published.ts';
import { type Caller, companyCaller, type SeenRun } from './access.ts';
import { countRun } from './count-store.ts';
import type { NextState, RunChanges } from './run-changes.ts';
import {
  readBindings,
  readSources,
  readTagCopies,
  refuseStaleTags,
  refuseStrangers,
  type SourceCopy,
  type TagCopy,
} from './start-checks.ts';
import { answeredSlugs, type Customer, customersOf, serviceForStart } from './start-store.ts';
import { boundUsers } from './states.ts';
import { insertCopies, insertRun, mostOpenRuns, type ServiceRef, type StandingParty } from './store.ts';
import type { FlowRunRow } from './tables.ts';
import { deleteUploads, uploadsOf } from './upload-store.ts';
import type { RunViews } from './views.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly flows: PublishedFlows;
  readonly changes: RunChanges;
  readonly views: RunViews;
}

/** Names a flow of a service. */
export type FlowRef = ServiceRef & { readonly flowId: string };

/** What a start was found to mean. */
interface Read {
  readonly flow: FlowRef;
  readonly request: StartFlowRunRequest;
  readonly published: PublishedVersion;
  readonly tags: PartyTags;
  readonly bindings: ReadonlyMap<string, string>;
  readonly tagCopies: readonly TagCopy[];
}

/** How runs begin (wire 13.10). */
export class Starts {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Starts a run with a customer who is connected. A refusal writes nothing.
   * @throws {PlatformError} flows.not_found, flows.not_published, flows.version_changed, flows.bindings_invalid,
   *   flows.tag_values_stale, flows.source_files_invalid, flows.runs_limit, company_data.connection_not_found
   */
  async start(flow: FlowRef, request: StartFlowRunRequest): Promise<FlowRun> {
    const { changes, database, flows, views } = this.#deps;
    const published = await flows.published(database.reader, flow);
    const asked = request.flow_version ?? published.version;
    if (asked !== published.version) throw new PlatformError('flows.version_changed');
    const bindings = readBindings(published.definition, request, flow.companyId);
    const read: Read = {
      flow,
      request,
      published,
      // Before the transaction: others do not wait for it.
      tags: flows.tags(published),
      bindings,
      tagCopies: readTagCopies(request, bindings, flow.companyId),
    };
    const { seen, turn } = await database.write((writer) => this.#start(writer, read));
    changes.tell(seen, turn);
    const caller: Caller = companyCaller(flow);
    return views.view(database.reader, caller, seen);
  }

  async #start(writer: Writer, read: Read): Promise<{ seen: SeenRun; turn: string }> {
    const { changes, clock, database, flows } = this.#deps;
    const { flow, bindings, published, request, tagCopies, tags } = read;
    await lock(database.engine, writer, 'services', [flow.serviceId]);
    if ((await flows.published(writer, flow)).version !== published.version)
      throw new PlatformError('flows.version_changed');
    const customers = await this.#customers(writer, read);
    const target = customers.find(({ id }) => id === request.target.connection_id);
    const service = await serviceForStart(writer, flow);
    if (target === undefined || service === undefined)
      throw new PlatformError('company_data.connection_not_found');
    refuseStrangers(bindings, flow.companyId, customers);
    const connectionIds = customers.map(({ id }) => id);
    if ((await mostOpenRuns(writer, connectionIds)) >= limits.openFlowRunsMost)
      throw new PlatformError('flows.runs_limit');
    const fingerprints = new Map([
      ...customers.map((customer) => [customer.customer_id, customer.public_key_sha256] as const),
      [flow.companyId, service.public_key_sha256] as const,
    ]);
    refuseStaleTags(tags, tagCopies, { bindings, companyId: flow.companyId, fingerprints });
    const sources = await this.#sources(writer, read, customers);

    const company = { id: flow.companyId, name: service.company_name };
    const ownerTags = JSON.stringify(await ownerTagValues(writer, company, tags));
    const { row, next, turn } = this.#row(read, target, ownerTags, clock.now());
    const parties = partiesAmong(customers, bindings, row);
    await insertRun(
      writer,
      row,
      parties.map((party) => ({
        company_id: party.company_id,
        service_id: party.service_id,
        run_id: party.run_id,
        user_id: party.user_id,
        user_type: party.user_type,
        connection_id: party.connection_id,
        ended_at: party.ended_at,
      })),
    );
    await this.#insertCopies(writer, row, tagCopies, sources);
    await countRun(writer, row, 1);
    const run = { ...row, ...service, standing_id: target.id, share_code: target.share_code };
    const seen = { run, parties };
    await changes.raise(writer, changes.eventsOf(seen, next));
    return { seen, turn };
  }

  /** The customers who are bound, and the one that the run is started with. Their connections do not end meanwhile. */
  async #customers(writer: Writer, { flow, bindings, request }: Read): Promise<Customer[]> {
    const { engine } = this.#deps.database;
    const which = {
      connectionId: request.target.connection_id,
      customerIds: boundUsers(bindings).filter((user) => user !== flow.companyId),
    };
    const found = await customersOf(writer, flow, which);
    if (engine === 'sqlite') return found;
    const ids = found.map(({ id }) => id).sort();
    await lock(engine, writer, 'connections', ids);
    return customersOf(writer, flow, which);
  }

  async #sources(reader: Reader, read: Read, customers: readonly Customer[]): Promise<SourceCopy[]> {
    const { flow, bindings, published, request } = read;
    const files = (request.source_files ?? []).map(({ file }) => file);
    const connections = new Map(customers.map(({ id, customer_id }) => [customer_id, id]));
    const isAsked = connectionSources(published.definition).length > 0;
    const answered = isAsked ? await answeredSlugs(reader, flow, [...connections.values()]) : new Set();
    const found = await uploadsOf(
      reader,
      flow,
      { uploaderId: flow.companyId, ids: files },
      this.#deps.clock.now(),
    );
    const uploads = new Map(
      found.filter(({ flow_id }) => flow_id === flow.flowId).map((upload) => [upload.id, upload]),
    );
    const hasAnswer = (userId: string, slug: string) => answered.has(`${connections.get(userId)} ${slug}`);
    return readSources(published.definition, request, { bindings, uploads, hasAnswer });
  }

  #row(
    read: Read,
    target: Customer,
    ownerTags: string,
    at: number,
  ): { row: FlowRunRow; next: NextState; turn: string } {
    const { flow, bindings, published, request } = read;
    const { definition } = published;
    const entry = definition.nodes.find(({ key }) => key === definition.entry);
    if (entry === undefined) throw new Error(`Flow ${flow.flowId} was published without an entry.`);
    const next = { node: entry.key, party: entry.party };
    const shared = { company_id: flow.companyId, bindings: JSON.stringify([...bindings]) };
    const row: FlowRunRow = {
      ...shared,
      ...this.#deps.changes.columnsOf(shared, next, at),
      service_id: flow.serviceId,
      id: this.#deps.ids.uuid(),
      flow_id: flow.flowId,
      flow_version: published.version,
      flow_name: published.flow.name,
      reference: request.reference ?? null,
      connection_id: target.id,
      customer_id: target.customer_id,
      customer_type: target.customer_type,
      output_mode: definition.output_mode,
      reference_date: new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length),
      private_slugs: '[]',
      owner_tag_values: ownerTags,
      last_act: null,
      acts: 0,
      bytes: 0,
      document_id: null,
      failure: null,
      created_at: at,
      updated_at: at,
    };
    return { row, next, turn: bindings.get(entry.party) ?? '' };
  }

  async #insertCopies(
    writer: Writer,
    { company_id, service_id, id: run_id }: FlowRunRow,
    tagCopies: readonly TagCopy[],
    sources: readonly SourceCopy[],
  ): Promise<void> {
    const shared = { company_id, service_id, run_id, place: 0 };
    await deleteUploads(
      writer,
      sources.map(({ upload }) => upload),
    );
    await insertCopies(writer, [
      ...tagCopies.map(({ userId, value }) => ({
        ...shared,
        user_id: userId,
        kind: 'tags' as const,
        key: '',
        id: this.#deps.ids.uuid(),
        value,
      })),
      ...sources.map(({ sourceKey, userId, upload }) => ({
        ...shared,
        user_id: userId,
        kind: 'source' as const,
        key: sourceKey,
        id: upload.id,
        value: upload.value,
      })),
    ]);
  }
}

function partiesAmong(
  customers: readonly Customer[],
  bindings: ReadonlyMap<string, string>,
  { company_id, service_id, id: run_id }: FlowRunRow,
): StandingParty[] {
  const bound = new Set(bindings.values());
  return customers
    .filter(({ customer_id }) => bound.has(customer_id))
    .map((customer) => ({
      company_id,
      service_id,
      run_id,
      user_id: customer.customer_id,
      user_type: customer.customer_type,
      connection_id: customer.id,
      ended_at: null,
      share_code: customer.share_code,
      region: customer.region,
      standing_id: customer.id,
      group_id: customer.group_id,
    }));
}
