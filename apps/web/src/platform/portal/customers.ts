import type {
  CompanyConnection,
  CustomerRunList,
  ServiceCustomer,
  ServiceCustomerList,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { keys, outdate, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import type { LongList } from './so-far.ts';

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
async function customersBefore(
  serviceId: string,
  { q, before, most = PAGE }: { q: string; before: string; most?: number | undefined },
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

/** The same, of which more is read as the user looks. */
export const customersSoFar = (serviceId: string, q: string): LongList<ServiceCustomer> => ({
  key: keys.customersSoFar(serviceId),
  part: q,
  idOf: (customer) => customer.connection_id,
  page: async (before, most) => {
    const { customers, next } = await customersBefore(serviceId, { q, before, most });
    return { rows: customers, next };
  },
  atOnce: limits.customersAtOnce,
});

/** The newest runs of flows in which a customer takes part. */
export const customerRunsQuery = (serviceId: string, connectionId: string): Query<CustomerRunList> => ({
  key: keys.customerRuns(serviceId, connectionId),
  read: () => portalCall('GET', `${at(serviceId)}/${connectionId}/flow-runs`),
});

/** Ends the connection of a customer: the answers and messages go. */
export async function endConnection(serviceId: string, connectionId: string): Promise<void> {
  await portalCall('DELETE', `${at(serviceId)}/${connectionId}`);
  await outdate(keys.customers(serviceId));
}

/** One customer with the answers as they are sealed. */
export const customerQuery = (serviceId: string, connectionId: string): Query<CompanyConnection> => ({
  key: keys.customer(serviceId, connectionId),
  read: () => portalCall('GET', `${at(serviceId)}/${connectionId}`),
});
