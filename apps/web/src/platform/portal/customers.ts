import type { CompanyConnection, ServiceCustomer, ServiceCustomerList } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { keys, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';

/** By their connections. */
export type Customers = ReadonlyMap<string, ServiceCustomer>;

/** Who takes part in runs, beside the company itself. Those whose connection has ended are missing. */
export function customersOf(
  serviceId: string,
  runs: readonly { readonly participants: readonly { readonly connection_id: string | null }[] }[],
): Promise<Customers> {
  return customersBy(
    serviceId,
    runs.flatMap(({ participants }) => participants.map((each) => each.connection_id)),
  );
}

/** Whose connections these are. Those that have ended are missing. */
export async function customersBy(
  serviceId: string,
  connectionIds: readonly (string | null)[],
): Promise<Customers> {
  const all = [...new Set(connectionIds.filter((id) => id !== null))];
  const found = new Map<string, ServiceCustomer>();
  for (let start = 0; start < all.length; start += limits.customersAtOnce) {
    const query = new URLSearchParams({ ids: all.slice(start, start + limits.customersAtOnce).join(',') });
    const path = `${at(serviceId)}?${query}`;
    const { customers } = await portalCall<ServiceCustomerList>('GET', path);
    for (const customer of customers) found.set(customer.connection_id, customer);
  }
  return found;
}

const at = (serviceId: string) => `/api/services/${serviceId}/customers`;
/** Rows of one page. */
const PAGE = 50;

/** A page of those that `q` finds, newest first. @param before where it begins; empty: with the newest */
export async function customersBefore(
  serviceId: string,
  { q, before, most = PAGE }: { q: string; before: string; most?: number },
): Promise<ServiceCustomerList> {
  const customers: ServiceCustomer[] = [];
  let next: string | null = before;
  // A search through many connections comes in parts.
  do {
    const query: URLSearchParams = new URLSearchParams({ limit: String(most - customers.length) });
    if (q !== '') query.set('q', q);
    if (next !== '') query.set('before', next);
    const page: ServiceCustomerList = await portalCall('GET', `${at(serviceId)}?${query}`);
    customers.push(...page.customers);
    next = page.next;
  } while (next !== null && customers.length < most);
  return { customers, next };
}

/** The newest customers of a service that `q` finds. */
export const customersQuery = (serviceId: string, q: string): Query<ServiceCustomerList> => ({
  key: keys.customers(serviceId),
  part: q,
  read: () => customersBefore(serviceId, { q, before: '' }),
});

/**
 * The same as far as the user has looked: of what is known, the newest page is read again, and the rest stays.
 * @param until a connection that is to be among them; empty: one page is enough
 */
export const customersSoFarQuery = (
  serviceId: string,
  { q, until }: { q: string; until: string },
): Query<ServiceCustomerList> => ({
  key: keys.customersSoFar(serviceId),
  part: q,
  read: async (known) => {
    const readTo = async (to: string, found: ServiceCustomerList): Promise<ServiceCustomerList> => {
      if (!endsBefore(found, to)) return found;
      const page = { q, before: found.next ?? '', most: limits.customersAtOnce };
      return readTo(to, withOlder(found, await customersBefore(serviceId, page)));
    };
    const newest = await customersBefore(serviceId, { q, before: '' });
    if (known === undefined) return readTo(until, newest);
    // As many may have come meanwhile that a page does not reach what is known.
    const joined = await readTo(known.customers[0]?.connection_id ?? '', newest);
    return readTo(until, withKnown(joined, known));
  },
});

/** Whether a connection, if any, comes after those that were read: they are listed by their ids, the latest first. */
export const endsBefore = ({ next }: ServiceCustomerList, connectionId: string): boolean =>
  connectionId !== '' && next !== null && next > connectionId;

/** Adds the page that follows. */
export const withOlder = (so: ServiceCustomerList, older: ServiceCustomerList): ServiceCustomerList => ({
  customers: [...so.customers, ...older.customers],
  next: older.next,
});

/** Adds what was known already of those that follow. */
export function withKnown(newest: ServiceCustomerList, known: ServiceCustomerList): ServiceCustomerList {
  const { next } = newest;
  const rest = next === null ? [] : known.customers.filter(({ connection_id: id }) => id < next);
  return rest.length === 0 ? newest : withOlder(newest, { ...known, customers: rest });
}

/** One customer with the answers as they are sealed. */
export const customerQuery = (serviceId: string, connectionId: string): Query<CompanyConnection> => ({
  key: keys.customer(serviceId, connectionId),
  read: () => portalCall('GET', `${at(serviceId)}/${connectionId}`),
});
