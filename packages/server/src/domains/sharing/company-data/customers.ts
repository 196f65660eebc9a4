import { setImmediate as turn } from 'node:timers/promises';
import type {
  CompanyConnection,
  CustomersQuery,
  LogEntry,
  NewCustomers,
  ServiceCustomer,
  ServiceCustomerList,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { dayOf, isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { timeOfId } from '../../../core/ids.ts';
import { NEWEST, type NewestPaging } from '../../../db/page.ts';
import type { Core } from '../../domain.ts';
import type { Actor } from '../../operations/index.ts';
import type { CompanyData } from './company-data.ts';
import { customerFilter, identityOf } from './customer-filter.ts';
import {
  connectionsBefore,
  connectionsByDay,
  countersOf,
  type ListedConnection,
  namedOf,
  type ServiceRef,
} from './store.ts';

/** Connections that a search reads in one call. */
const SEARCHED_MOST = 10_000;
const DAY_MS = 86_400_000;

export interface CustomersDeps extends Pick<Core, 'database' | 'clock'> {
  readonly companyData: Pick<CompanyData, 'connection' | 'endConnection' | 'logs'>;
}

/** The customers of a service and its log, as its company's staff sees them. */
export class Customers {
  readonly #deps: CustomersDeps;

  constructor(deps: CustomersDeps) {
    this.#deps = deps;
  }

  /**
   * Who the customers of some connections are, without what they share.
   * @throws {PlatformError} services.not_found
   */
  async named(service: ServiceRef, connectionIds: readonly string[]): Promise<ServiceCustomerList> {
    const { engine, reader } = this.#deps.database;
    await this.requireStanding(service);
    const rows = await namedOf(engine, reader, service, connectionIds);
    return { customers: rows.map(toCustomer), next: null };
  }

  /**
   * A page, newest first. A search reads a bounded number of connections: its page may hold fewer customers than asked for,
   * and is the last one only without `next`.
   * @throws {PlatformError} services.not_found, request.invalid
   */
  async page(
    service: ServiceRef,
    { before, limit = limits.pageDefault, ...filters }: Omit<CustomersQuery, 'ids'>,
  ): Promise<ServiceCustomerList> {
    const { reader } = this.#deps.database;
    await this.requireStanding(service);
    const filter = await customerFilter(this.#deps.database, service, filters);
    const most = filter?.atOnce ?? limit + 1;
    const customers: ServiceCustomer[] = [];
    let place = before || NEWEST;
    for (let seen = 0; seen < SEARCHED_MOST; ) {
      const rows = await connectionsBefore(reader, service.companyId, service.serviceId, place, most);
      const fitting = new Set(filter === undefined ? rows : await filter.fitting(rows));
      for (const row of rows) {
        if (customers.length === limit) return { customers, next: place };
        place = row.id;
        if (fitting.has(row)) customers.push(toCustomer(row));
      }
      if (rows.length < most) return { customers, next: null };
      seen += rows.length;
      await turn();
    }
    return { customers, next: place };
  }

  /**
   * How many of the customers that stand came on each of the last days, by UTC, the oldest first.
   * @throws {PlatformError} services.not_found
   */
  async newByDay(service: ServiceRef): Promise<NewCustomers> {
    const { engine, reader } = this.#deps.database;
    await this.requireStanding(service);
    const today = Math.floor(this.#deps.clock.now() / DAY_MS);
    const days = Array.from({ length: limits.newCustomersDays }, (_, back) => (today - back) * DAY_MS);
    const rows = days.map((at) => ({
      ...{ company_id: service.companyId, service_id: service.serviceId, day: dayOf(at) },
      ...{ begin: timeOfId(at), end: timeOfId(at + DAY_MS) },
    }));
    const counted = await connectionsByDay[engine](engine, reader, rows);
    return { days: counted.toSorted((one, other) => one.day.localeCompare(other.day)) };
  }

  /**
   * One customer with the answers.
   * @throws {PlatformError} services.not_found, company_data.connection_not_found
   */
  async one(service: ServiceRef, connectionId: string): Promise<CompanyConnection> {
    await this.requireStanding(service);
    return this.#deps.companyData.connection(service, connectionId);
  }

  /**
   * Ends the connection of a customer.
   * @throws {PlatformError} services.not_found, company_data.connection_not_found, company_connections.active_contract
   */
  async end(service: ServiceRef, connectionId: string, actor: Actor): Promise<void> {
    await this.requireStanding(service);
    await this.#deps.companyData.endConnection(service, connectionId, actor);
  }

  /**
   * The log of a service, newest first.
   * @throws {PlatformError} services.not_found
   */
  async logs(service: ServiceRef, page: NewestPaging): Promise<{ total: number; items: LogEntry[] }> {
    await this.requireStanding(service);
    return this.#deps.companyData.logs(service, page);
  }

  /** @throws {PlatformError} services.not_found */
  async requireStanding({ companyId, serviceId }: ServiceRef): Promise<void> {
    const [standing] = await countersOf(this.#deps.database.reader, companyId, serviceId);
    if (standing === undefined) throw new PlatformError('services.not_found');
  }
}

const toCustomer = (row: ListedConnection): ServiceCustomer => ({
  connection_id: row.id,
  ...identityOf(row),
  connected_at: isoTime(row.connected_at),
});
