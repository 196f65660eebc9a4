import { AccountEvent, Event } from '@symbolon/protocol';
import { lock, type Writer } from '../../../db/database.ts';
import type { Outbox, RaisedEvent, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { accountEvent } from '../../sharing/index.ts';
import type { SeenRun } from './access.ts';
import { countRun } from './count-store.ts';
import type { RaisedTogether, RunDocuments } from './ports.ts';
import { awaiting, bindingsOf, inState, type LastAct, RUN_STATES, type RunState } from './states.ts';
import { cancelRuns, endParties, partiesOf, runRow, runsByIds, type ServiceRef, updateRun } from './store.ts';
import type { FlowRunRow } from './tables.ts';

/** What becomes of a run: a party's turn at a node, or a state; `turn` is the party that is notified to continue the run. */
export type NextState =
  | { readonly node: string; readonly party: string }
  | { readonly state: RunState; readonly node?: string; readonly turn?: string };

/** What an act changes beside. */
type Beside = Partial<
  Pick<FlowRunRow, 'bytes' | 'private_slugs' | 'document_id' | 'failure'> & { last_act: LastAct | null }
>;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids'> {
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
  readonly documents: RunDocuments;
}

/** The states in which documents may wait for their signers. */
const MAY_HAVE_DOCUMENTS: ReadonlySet<string> = new Set([
  RUN_STATES.generating,
  RUN_STATES.awaitingSignature,
]);

const serviceOf = (run: FlowRunRow): ServiceRef => ({
  companyId: run.company_id,
  serviceId: run.service_id,
});

/** How runs go from state to state: the only place that writes a state and raises the events of runs (wire 13.10). */
export class RunChanges {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Runs `work` in a transaction if nothing has happened to the run since it was read.
   * @returns undefined when something has: read the run again
   */
  ifUnchanged<T>({ run }: SeenRun, work: (writer: Writer) => Promise<T>): Promise<T | undefined> {
    const { database } = this.#deps;
    return database.write(async (writer) => {
      // Runs of a service change one after the other: the lock puts their events in order.
      await lock(database.engine, writer, 'services', [run.service_id]);
      const now = await runRow(writer, run);
      return now?.acts === run.acts ? work(writer) : undefined;
    });
  }

  /**
   * Brings a run into its next state. The caller holds the lock of the service and raises what is returned, last.
   */
  async move(
    writer: Writer,
    { run, parties }: SeenRun,
    next: NextState,
    { last_act = null, ...beside }: Beside = {},
  ): Promise<RaisedTogether> {
    const at = this.#deps.clock.now();
    const state = this.columnsOf(run, next, at);
    await updateRun(writer, run, {
      ...beside,
      ...state,
      last_act: last_act === null ? null : JSON.stringify(last_act),
      acts: run.acts + 1,
      updated_at: at,
    });
    if (state.status !== run.status) {
      await countRun(writer, run, -1);
      await countRun(writer, { ...run, ...state }, 1);
    }
    if (state.ended_at !== null) await endParties(writer, serviceOf(run), [run.id], at);
    return this.eventsOf({ run, parties }, next);
  }

  /** Notes why the documents of a run could not be made. */
  async noteFailure(writer: Writer, { run }: SeenRun, failure: string): Promise<void> {
    await updateRun(writer, run, { failure, updated_at: this.#deps.clock.now() });
  }

  /** Completes a run whose documents are all signed; see `move`. */
  async complete(
    writer: Writer,
    ref: { readonly companyId: string; readonly serviceId: string; readonly runId: string },
  ): Promise<RaisedTogether> {
    const [run] = await runsByIds(writer, ref, [ref.runId]);
    if (run?.status !== RUN_STATES.awaitingSignature) return { events: [], onAccounts: [] };
    const parties = await partiesOf(writer, ref, [ref.runId]);
    const last_act = JSON.parse(run.last_act ?? 'null') as LastAct | null;
    return this.move(writer, { run, parties }, { state: RUN_STATES.completed }, { last_act });
  }

  /**
   * Cancels unfinished runs of one service, with every copy of their documents. The caller holds the lock of the service and
   * raises what is returned, last.
   */
  async cancel(writer: Writer, all: readonly SeenRun[]): Promise<RaisedTogether[]> {
    const [first] = all;
    if (first === undefined) return [];
    const next = { state: RUN_STATES.cancelled };
    const at = this.#deps.clock.now();
    const service = serviceOf(first.run);
    const ids = all.map(({ run }) => run.id);
    const raised: RaisedTogether[] = [];
    for (const seen of all) {
      if (MAY_HAVE_DOCUMENTS.has(seen.run.status))
        raised.push(await this.#deps.documents.end(writer, seen.run));
      raised.push(this.eventsOf(seen, next));
    }
    const columns = this.columnsOf(first.run, next, at);
    await cancelRuns(writer, service, ids, { ...columns, last_act: null, updated_at: at });
    await endParties(writer, service, ids, at);
    for (const ofList of Map.groupBy(
      all,
      ({ run }) => `${run.flow_id} ${run.company_turn} ${run.status}`,
    ).values()) {
      const [{ run }] = ofList as [SeenRun];
      await countRun(writer, run, -ofList.length);
      await countRun(writer, { ...run, ...columns }, ofList.length);
    }
    return raised;
  }

  /** The columns of a state. */
  columnsOf(run: Pick<FlowRunRow, 'bindings' | 'company_id'>, next: NextState, at: number) {
    if ('state' in next) return { ...inState(next.state, at), current_node: next.node ?? null };
    const isCompany = bindingsOf(run).get(next.party) === run.company_id;
    return { ...awaiting(next.party, isCompany), current_node: next.node };
  }

  /** What a state is announced by: a turn by `flow_run_turn`, an end by `flow_completed`. */
  eventsOf(seen: SeenRun, next: NextState): RaisedTogether {
    const turn = 'state' in next ? next.turn : next.party;
    if (turn !== undefined) return this.#about(seen, 'flowRunTurn', { awaiting_party: turn });
    const isEnd = 'state' in next && (next.state === 'completed' || next.state === 'cancelled');
    return isEnd ? this.#about(seen, 'flowCompleted', {}) : { events: [], onAccounts: [] };
  }

  /** Raises everything of an act, as its last step. */
  async raise(writer: Writer, ...together: readonly RaisedTogether[]): Promise<void> {
    await this.#deps.outbox.raise(
      writer,
      together.flatMap(({ events }) => events),
      together.flatMap(({ onAccounts }) => onAccounts),
    );
  }

  /** Tells the devices of the people who take part, after the commit. @param turn whose turn it became */
  tell({ run, parties }: SeenRun, turn?: string): void {
    for (const { user_id, user_type, region } of parties) {
      if (user_type !== 'person') continue;
      const signal = { kind: 'flow_run', id: run.id, push: user_id === turn } as const;
      this.#deps.personSignals.tell(user_id, signal, region);
    }
  }

  #about(
    { run, parties }: SeenRun,
    name: 'flowRunTurn' | 'flowCompleted',
    more: Readonly<Record<string, string>>,
  ): RaisedTogether {
    const payload = { flow_run_id: run.id, ...more };
    const event: RaisedEvent = {
      event: Event[name],
      companyId: run.company_id,
      serviceId: run.service_id,
      customer: { id: run.customer_id, type: run.customer_type, shareCode: run.share_code },
      connectionId: run.connection_id,
      payload,
    };
    const service = { id: run.service_id, share_code: run.service_code, company_code: run.company_code };
    const onAccounts = parties.flatMap((party): RaisedOnAccount[] => {
      if (party.user_type !== 'company' || party.standing_id === null) return [];
      const link = { id: party.standing_id, group_id: party.group_id, customer_id: party.user_id };
      const told = accountEvent(AccountEvent[name], service, link, party.share_code ?? '', payload);
      // Each turn stands for itself, as on the feed of the service.
      return [{ ...told, about: this.#deps.ids.uuid() }];
    });
    return { events: [event], onAccounts };
  }
}
