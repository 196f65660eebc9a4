import { setImmediate as turn } from 'node:timers/promises';
import type { CustomerFlowRun, FlowRun, FlowRunSteps, ListedFlowRun, RunColumn } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { inParts, type Part, type PartedPage } from '../../../core/parted-page.ts';
import type { Reader } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { PublishedFlows } from '../definitions/published.ts';
import { type Caller, companyCaller, requireRun, type SeenRun } from './access.ts';
import { countRuns, countsByState } from './count-store.ts';
import type { ListedRun } from './standing-store.ts';
import { COMPANY_TURN, columnOf } from './states.ts';
import {
  customerOf,
  hasGroup,
  partiesOf,
  type RunsOf,
  type RunsOfFlow,
  runIds,
  runsByIds,
  runsInGroup,
  runsOfCustomer,
  runsWithCustomer,
  type ServiceRef,
  type StandingParty,
} from './store.ts';
import { type RunViews, viewInList } from './views.ts';

/** Runs that are read and serialised in one turn of the event loop: each may have a long definition. */
const PART = 5;
/** States whose newest runs are looked up in one turn of the event loop. */
const STATES_AT_ONCE = 20;
/** The newest runs that a list of a customer shows. */
const LIST_MOST = 500;

interface Deps extends Pick<Core, 'database'> {
  readonly flows: PublishedFlows;
  readonly views: RunViews;
}

/** The runs of flows, as their parties read them (wire 13.10). */
export class Runs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * A company's runs, newest first, in parts that are read one after the other.
   * @throws {PlatformError} flows.not_found
   */
  async list(
    of: RunsOf,
    { status, ...page }: { status: string | undefined; limit: number; offset: number },
  ): Promise<PartedPage<FlowRun>> {
    const { reader } = this.#deps.database;
    const total = await countRuns(reader, of, status);
    if (total === 0) await this.#requireFlow(reader, of);
    return { total, parts: this.#partsOf(of, await runIds(reader, of, { ...page, status })) };
  }

  /**
   * The board of a flow: how many runs each column has, and the newest of each or of one, in parts.
   * @throws {PlatformError} flows.not_found
   */
  async board(
    of: RunsOfFlow,
    { column: only, ...page }: { column?: RunColumn | undefined; before?: string | undefined; limit: number },
  ): Promise<{ totals: Record<RunColumn, number>; parts: Part<FlowRun>[] }> {
    const { reader } = this.#deps.database;
    const states = await countsByState(reader, of);
    if (states.length === 0) await this.#requireFlow(reader, of);
    const totals = { customer: 0, company: 0, generating: 0, signature: 0, done: 0, ended: 0 };
    for (const state of states) totals[columnOf(state)] += state.n;
    const found: string[] = [];
    for (const [column, ofColumn] of Map.groupBy(states, columnOf)) {
      if (only !== undefined && only !== column) continue;
      const isCustomerTurn = column === 'customer';
      const statuses = column === 'company' ? [COMPANY_TURN] : ofColumn.map(({ status }) => status);
      const ids: string[] = [];
      // Each version of a flow may name its parties otherwise, so there may be hundreds.
      for (const [index, status] of statuses.entries()) {
        if (index > 0 && index % STATES_AT_ONCE === 0) await turn();
        ids.push(...(await runIds(reader, of, { ...page, status, isCustomerTurn })));
      }
      found.push(...ids.sort().reverse().slice(0, page.limit));
    }
    // A run that moves on meanwhile is found in two columns.
    return { totals, parts: this.#partsOf(of, [...new Set(found)]) };
  }

  #partsOf(of: RunsOf, found: readonly string[]): Part<FlowRun>[] {
    const { reader } = this.#deps.database;
    const caller = companyCaller(of);
    return inParts(found, PART).map((ids) => async () => {
      const seen = await withParties(reader, await runsByIds(reader, of, ids));
      return Promise.all(seen.map((each) => this.#deps.views.view(reader, caller, each)));
    });
  }

  /** The runs of a flow outlive it. @throws {PlatformError} flows.not_found */
  async #requireFlow(reader: Reader, { flowId, ...service }: RunsOf): Promise<void> {
    if (flowId === undefined || (await this.#deps.flows.has(reader, { ...service, flowId }))) return;
    const ran = await countRuns(reader, { ...service, flowId }, undefined);
    if (ran === 0) throw new PlatformError('flows.not_found');
  }

  /** As the owning company reads it. @throws {PlatformError} flows.run_not_found */
  async get(caller: Caller, id: string): Promise<FlowRun> {
    const { reader } = this.#deps.database;
    return this.#deps.views.view(reader, caller, await requireRun(reader, caller, id));
  }

  /** What was answered when, for the owning company. @throws {PlatformError} flows.run_not_found */
  async steps(caller: Caller, id: string): Promise<FlowRunSteps> {
    const { reader } = this.#deps.database;
    return { steps: await this.#deps.views.steps(reader, await requireRun(reader, caller, id)) };
  }

  /** As a customer reads it. @throws {PlatformError} flows.run_not_found */
  async getForCustomer(caller: Caller, id: string): Promise<CustomerFlowRun> {
    const { reader } = this.#deps.database;
    return this.#deps.views.viewForCustomer(reader, caller, await requireRun(reader, caller, id));
  }

  /** A run as its caller reads it now. */
  view(caller: Caller, seen: SeenRun): Promise<FlowRun> {
    return this.#deps.views.view(this.#deps.database.reader, caller, seen);
  }

  viewForCustomer(caller: Caller, seen: SeenRun): Promise<CustomerFlowRun> {
    return this.#deps.views.viewForCustomer(this.#deps.database.reader, caller, seen);
  }

  /** A person's newest runs, oldest first, without what is long in them. */
  async listForPerson(personId: string): Promise<{ runs: ListedFlowRun[] }> {
    const { reader } = this.#deps.database;
    const caller: Caller = { side: 'customer', userId: personId };
    const seen = await withParties(reader, await runsOfCustomer(reader, personId, LIST_MOST));
    return { runs: seen.map((each) => viewInList(caller, each)).reverse() };
  }

  /**
   * The runs of a service in which the customer of a connection takes part, newest first, without what is long in them.
   * @throws {PlatformError} company_data.connection_not_found
   */
  async listWithCustomer(
    service: ServiceRef,
    connectionId: string,
    page: { before: string; most: number },
  ): Promise<{ runs: ListedFlowRun[] }> {
    const { reader } = this.#deps.database;
    const customerId = await customerOf(reader, service, connectionId);
    if (customerId === undefined) throw new PlatformError('company_data.connection_not_found');
    const found = await runsWithCustomer(reader, { ...service, customerId }, page);
    const caller = companyCaller(service);
    return { runs: (await withParties(reader, found)).map((seen) => viewInList(caller, seen)) };
  }

  /** The runs of a company with one other company, newest first, in parts. @throws {PlatformError} connections.not_found */
  async listInGroup(customerId: string, groupId: string): Promise<(() => Promise<CustomerFlowRun[]>)[]> {
    const { reader } = this.#deps.database;
    if (!(await hasGroup(reader, customerId, groupId))) throw new PlatformError('connections.not_found');
    const caller: Caller = { side: 'customer', userId: customerId, groupId };
    const found = await runsInGroup(reader, customerId, { most: LIST_MOST, groupId });
    return inParts(found, PART).map((runs) => async () => {
      const seen = await withParties(reader, runs);
      return Promise.all(seen.map((each) => this.#deps.views.viewForCustomer(reader, caller, each)));
    });
  }
}

/** The runs of some services with those who take part. */
async function withParties<Run extends ListedRun>(
  reader: Reader,
  runs: readonly Run[],
): Promise<{ run: Run; parties: readonly StandingParty[] }[]> {
  const parties = new Map<string, StandingParty[]>();
  for (const [serviceId, ofService] of Map.groupBy(runs, ({ service_id }) => service_id)) {
    const companyId = ofService[0]?.company_id ?? '';
    const ids = ofService.map(({ id }) => id);
    for (const party of await partiesOf(reader, { companyId, serviceId }, ids))
      parties.set(party.run_id, [...(parties.get(party.run_id) ?? []), party]);
  }
  return runs.map((run) => ({ run, parties: parties.get(run.id) ?? [] }));
}
