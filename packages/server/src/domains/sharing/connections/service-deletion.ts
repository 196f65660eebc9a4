import { AccountEvent } from '@symbolon/protocol';
import { lock, type Writer } from '../../../db/database.ts';
import { afterDeleting, type Deleted, deleteLeft, type Leftovers } from '../../../db/series.ts';
import type { RowsLeft } from '../../../db/table-registry.ts';
import { type Outbox, WEBHOOK_CHANNEL } from '../../../events/outbox.ts';
import { CONFIGURATION_MARK } from '../../../events/webhook-signals.ts';
import type { Core } from '../../domain.ts';
import type { Job, JobKind, Jobs, Step } from '../../operations/index.ts';
import type { DeletedService } from '../../services/index.ts';
import { accountEvent } from './account-events.ts';
import type { SlotHome } from './slot-home.ts';
import { connectionsOfService, deleteConnections, shareCodesOf } from './store.ts';
import type { ConnectionRow } from './tables.ts';

type State = Leftovers & Pick<DeletedService, 'codes'>;

interface Deps extends Pick<Core, 'database' | 'tables'> {
  readonly jobs: Jobs;
  readonly slotHome: SlotHome;
  readonly outbox: Outbox;
  readonly deletedChallenges: DeletedChallenges;
}

/** What a deleted service asked people to approve, as the deletion meets it. */
export interface DeletedChallenges {
  /** Deletes some of it. @returns how many rows, and what tells the devices of those who were still asked */
  deleteSome(writer: Writer, serviceId: string, most: number): Promise<{ rows: number; saved: () => void }>;
}

/**
 * What is left of a service whose row is gone. No reader finds its connections any more, so the job holds no lock of the
 * service. First the cards of its challenges close, since they live for minutes. Then the connections end: companies that were customers are notified, and registrations in other regions are
 * withdrawn. Each step locks its people, as an edit does, so when the last connection has gone every edit that wrote an event
 * for the service has committed. Then the rows of its feed, of its webhooks and of its log go.
 */
export class ServiceDeletions implements JobKind<State> {
  readonly name = 'service_deletion';
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.jobs.register(this);
  }

  /** Part of deleting a service. */
  async add(writer: Writer, service: DeletedService): Promise<void> {
    const { companyId, serviceId, codes, connections: total } = service;
    const left = service.left.toSorted((a, b) => urgencyOf(b) - urgencyOf(a));
    const state: State = { codes, left, after: null };
    await this.#deps.jobs.add(writer, { kind: this.name, companyId, serviceId, state, total });
    // A webhook that is being delivered to is not known to be gone: its rows are still there.
    for (const { table, id } of left)
      if (table === 'webhook_events')
        await this.#deps.database.notify(writer, WEBHOOK_CHANNEL, `${id}${CONFIGURATION_MARK}`);
  }

  async step(writer: Writer, job: Job<State>, most: number): Promise<Step<State>> {
    const { database, tables } = this.#deps;
    const { companyId, state } = job;
    const table = state.left[0]?.table;
    if (table === 'two_factor_challenges') {
      const closed = await this.#closeSome(writer, job, most);
      // Most services have none: that is no step.
      const isStep = closed.rows !== 0 || closed.finished;
      return isStep ? closed : this.step(writer, { ...job, state: closed.state }, most);
    }
    const ending = table === 'connections';
    const { rows, next, finished } = ending
      ? await this.#endSome(writer, job, most)
      : await deleteLeft(database.engine, writer, tables, { ...state, companyId }, most);
    return { state: { ...state, ...next }, done: ending ? rows : 0, rows, finished };
  }

  async #closeSome(writer: Writer, { serviceId, state }: Job<State>, most: number): Promise<Step<State>> {
    const { rows, saved } = await this.#deps.deletedChallenges.deleteSome(writer, serviceId, most);
    const { next, finished } = afterDeleting(state, { rows, last: null, most });
    return { state: { ...state, ...next }, done: 0, rows, finished, saved };
  }

  async #endSome(writer: Writer, job: Job<State>, most: number): Promise<Deleted> {
    const { database, outbox, slotHome, tables } = this.#deps;
    const { companyId, state } = job;
    const after = state.after === null ? '' : String(state.after);
    const connections = await connectionsOfService(writer, job, after, most);
    const last = connections.at(-1)?.id ?? null;
    if (last === null) return afterDeleting(state, { rows: 0, last, most });
    // A company that is deleted at the same time gets no event on a feed that has gone.
    await lock(database.engine, writer, 'companies', customers(connections, 'company'));
    await lock(database.engine, writer, 'persons', customers(connections, 'person'));
    const ids = connections.map((connection) => connection.id);
    await slotHome.connectionsEnding(writer, companyId, ids);
    await deleteConnections(database.engine, writer, tables, job, ids);
    await outbox.raise(writer, [], await this.#events(writer, job, connections));
    return afterDeleting(state, { rows: connections.length, last, most });
  }

  async #events(writer: Writer, { serviceId, state }: Job<State>, connections: readonly ConnectionRow[]) {
    const ofCompanies = connections.filter((connection) => connection.customer_type === 'company');
    const codes = await shareCodesOf(writer, ofCompanies);
    const service = { id: serviceId, share_code: state.codes.service, company_code: state.codes.company };
    return ofCompanies.flatMap((connection) => {
      const code = codes.get(connection.customer_id);
      if (code === undefined) return [];
      return accountEvent(AccountEvent.connectionDeleted, service, connection, code);
    });
  }
}

const FIRST: readonly RowsLeft['table'][] = ['connections', 'two_factor_challenges'];
/** What people see goes first. */
const urgencyOf = ({ table }: RowsLeft) => FIRST.indexOf(table);

const customers = (connections: readonly ConnectionRow[], type: ConnectionRow['customer_type']) =>
  connections.filter((row) => row.customer_type === type).map((row) => row.customer_id);
