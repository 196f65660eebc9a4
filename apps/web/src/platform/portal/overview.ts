import type { Inbox, LogEntry, NewCustomers, Service } from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { issuedTotal } from './issued.ts';
import { portalKeys } from './keys.ts';

/** Services that the overview looks at: the first ones of an account that has very many. */
export const LOOKED_AT = 20;
/** Staff leave the overview open. */
const WATCH_MS = 60_000;
/** Entries of the logs that it shows. */
const SHOWN = 6;

/** What waits for the staff of a company, over the services that are looked at. */
export interface Waiting {
  /** Conversations that are open, and those of them that the login looks after. */
  readonly open: number;
  readonly mine: number;
  /** Contracts and documents that a customer has not signed or accepted yet. */
  readonly unsigned: number;
}

/** What waits for staff. Read for one service after the other: an account with many does not send a burst of calls. */
export const waitingQuery = (services: readonly Service[]): Query<Waiting> => ({
  key: portalKeys.overview(...services.map(({ id }) => id)),
  async read() {
    const sum = { open: 0, mine: 0, unsigned: 0 };
    for (const { id } of services.slice(0, LOOKED_AT)) {
      const [inbox, ...unsigned] = await Promise.all([
        portalCall<Inbox>('GET', `/api/services/${id}/threads?limit=1`),
        issuedTotal(id, 'ready_to_sign'),
        issuedTotal(id, 'offering'),
      ]);
      sum.open += inbox.open;
      sum.mine += inbox.mine;
      for (const total of unsigned) sum.unsigned += total;
    }
    return sum;
  },
  everyMs: WATCH_MS,
});

/** How many customers came on each of the last days, over the services that are looked at; the oldest day first. */
export const newCustomersQuery = (services: readonly Service[]): Query<NewCustomers['days']> => ({
  key: portalKeys.newCustomers(...services.map(({ id }) => id)),
  async read() {
    const sums = new Map<string, number>();
    for (const { id } of services.slice(0, LOOKED_AT)) {
      const { days } = await portalCall<NewCustomers>('GET', `/api/services/${id}/new-customers`);
      for (const { day, connected } of days) sums.set(day, (sums.get(day) ?? 0) + connected);
    }
    return [...sums].sort().map(([day, connected]) => ({ day, connected }));
  },
});

export interface Happened {
  readonly service: Service;
  readonly entry: LogEntry;
}

/** The newest entries of the logs of these services. */
export const happenedQuery = (services: readonly Service[]): Query<readonly Happened[]> => ({
  key: portalKeys.happened(...services.map(({ id }) => id)),
  async read() {
    const found: Happened[] = [];
    for (const service of services.slice(0, LOOKED_AT)) {
      const path = `/api/services/${service.id}/logs?limit=${SHOWN}`;
      const { items } = await portalCall<{ items: LogEntry[] }>('GET', path);
      found.push(...items.map((entry) => ({ service, entry })));
    }
    return found
      .sort((one, other) => other.entry.created_at.localeCompare(one.entry.created_at))
      .slice(0, SHOWN);
  },
  everyMs: WATCH_MS,
});
