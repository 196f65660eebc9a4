import { AccountEvent } from '@symbolon/protocol';
import { lock, type Writer } from '../../../db/database.ts';
import { deleteNext, type Place } from '../../../db/series.ts';
import type { RowsLeft } from '../../../db/table-registry.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Core } from '../../domain.ts';
import type { Job, JobKind, Jobs, Step } from '../../operations/index.ts';
import type { DeletedService } from '../../services/index.ts';
import { accountEvent } from './account-events.ts';
import type { SlotHome } from './slot-home.ts';
import { connectionsOfService, deleteConnections, shareCodesOf } from './store.ts';
import type { ConnectionRow } from './tables.ts';

interface State extends Pick<DeletedService, 'codes'> {
  /** What is still to be deleted; the first is in hand. */
  readonly left: readonly RowsLeft[];
  /** Where it stands; null at its beginning. */
  readonly after: Place | null;
}

interface Deps extends Pick<Core, 'database' | 'tables'> {
  readonly jobs: Jobs;
  readonly slotHome: SlotHome;
  readonly outbox: Outbox;
}

/**
 * What is left of a service whose row is gone. No reader finds its connections any more, so the job holds no lock of the
 * service. First the connections end: companies that were customers are told, and registrations in other regions are
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
    const left = service.left.toSorted((a, b) => Number(isConnections(b)) - Number(isConnections(a)));
    const state: State = { codes, left, after: null };
    await this.#deps.jobs.add(writer, { kind: this.name, companyId, serviceId, state, total });
  }

  async step(writer: Writer, job: Job<State>, most: number): Promise<Step<State>> {
    const [first, ...rest] = job.state.left;
    if (first === undefined) return { state: job.state, done: 0, finished: true };
    const { rows, last } = isConnections(first)
      ? await this.#endSome(writer, job, most)
      : await this.#deleteSome(writer, job, first, most);
    const done = isConnections(first) ? rows : 0;
    if (rows >= most) return { state: { ...job.state, after: last }, done, rows, finished: false };
    return { state: { ...job.state, left: rest, after: null }, done, rows, finished: rest.length === 0 };
  }

  async #endSome(writer: Writer, job: Job<State>, most: number) {
    const { database, outbox, slotHome, tables } = this.#deps;
    const { companyId, state } = job;
    const after = state.after === null ? '' : String(state.after);
    const connections = await connectionsOfService(writer, job, after, most);
    const last = connections.at(-1)?.id;
    if (last === undefined) return { rows: 0, last: after };
    // A company that is deleted at the same time gets no event on a feed that has gone.
    await lock(database.engine, writer, 'companies', customers(connections, 'company'));
    await lock(database.engine, writer, 'persons', customers(connections, 'person'));
    const ids = connections.map((connection) => connection.id);
    await slotHome.connectionsEnding(writer, companyId, ids);
    await deleteConnections(writer, tables, job, ids);
    await outbox.raise(writer, [], await this.#events(writer, job, connections));
    return { rows: connections.length, last };
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

  async #deleteSome(writer: Writer, { companyId, state }: Job<State>, left: RowsLeft, most: number) {
    const table = this.#deps.tables.find(({ name }) => name === left.table);
    if (table === undefined) return { rows: 0, last: null };
    const { after } = state;
    return deleteNext(this.#deps.database.engine, writer, table, { ...left, companyId }, { after, most });
  }
}

const isConnections = ({ table }: RowsLeft) => table === 'connections';

const customers = (connections: readonly ConnectionRow[], type: ConnectionRow['customer_type']) =>
  connections.filter((row) => row.customer_type === type).map((row) => row.customer_id);
