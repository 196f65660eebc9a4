import type {
  CompanyConnection,
  CustomerRunList,
  CustomerType,
  ServiceCustomer,
  ServiceCustomerList,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { outdate, type Query } from '../queries.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
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

/** The customer of a connection, where it stands. */
export const customersNamedQuery = (serviceId: string, connectionId: string): Query<Customers> => ({
  key: portalKeys.customersNamed(serviceId, connectionId),
  read: () => customersBy(serviceId, [connectionId]),
});

/** Which customers of a service a list shows: those that fit all of it. What is empty says nothing. */
export interface CustomersWanted {
  readonly q?: string | undefined;
  readonly kind?: CustomerType | undefined;
  /** The slug or id of a request row that they have not answered, or {@link ANY_REQUIRED}. */
  readonly missing?: string | undefined;
}

/** In place of a row: some answer that is required. */
export const ANY_REQUIRED = 'any';

/** What a list says of a row. */
export const missingOf = ({ slug, id }: { slug: string; id: string }): string =>
  slug === ANY_REQUIRED ? id : slug;

const at = (serviceId: string) => `/api/services/${serviceId}/customers`;
/** Rows of one page. */
const PAGE = 50;

const filtersOf = ({ q, kind, missing }: CustomersWanted): string[][] =>
  Object.entries({ q, kind, missing }).flatMap(([name, value]) => (value ? [[name, value]] : []));

/** A page, newest first. @param before where it begins; empty: with the newest */
async function customersBefore(
  serviceId: string,
  wanted: CustomersWanted,
  { before, most = PAGE }: { before: string; most?: number | undefined },
): Promise<ServiceCustomerList> {
  const customers: ServiceCustomer[] = [];
  let next: string | null = before;
  // A search through many connections comes in parts.
  do {
    const query: URLSearchParams = new URLSearchParams(filtersOf(wanted));
    query.set('limit', String(most - customers.length));
    if (next !== '') query.set('before', next);
    const page: ServiceCustomerList = await portalCall('GET', `${at(serviceId)}?${query}`);
    customers.push(...page.customers);
    next = page.next;
  } while (next !== null && customers.length < most);
  return { customers, next };
}

/** The newest customers of a service that `q` finds. */
export const customersQuery = (serviceId: string, q: string): Query<ServiceCustomerList> => ({
  key: portalKeys.customers(serviceId),
  part: q,
  read: () => customersBefore(serviceId, { q }, { before: '' }),
});

/** Those that fit, of which more is read as the user looks. */
export const customersSoFar = (serviceId: string, wanted: CustomersWanted): LongList<ServiceCustomer> => ({
  key: portalKeys.customersSoFar(serviceId),
  part: new URLSearchParams(filtersOf(wanted)).toString(),
  idOf: (customer) => customer.connection_id,
  page: async (before, most) => {
    const { customers, next } = await customersBefore(serviceId, wanted, { before, most });
    return { rows: customers, next };
  },
  atOnce: limits.customersAtOnce,
});

/** The newest runs of flows in which a customer takes part. */
export const customerRunsQuery = (serviceId: string, connectionId: string): Query<CustomerRunList> => ({
  key: portalKeys.customerRuns(serviceId, connectionId),
  read: () => portalCall('GET', `${at(serviceId)}/${connectionId}/flow-runs`),
});

/** Ends the connection of a customer: the answers and messages go. */
export async function endConnection(serviceId: string, connectionId: string): Promise<void> {
  await portalCall('DELETE', `${at(serviceId)}/${connectionId}`);
  await outdate(portalKeys.customers(serviceId));
}

/** One customer with the answers as they are sealed. */
export const customerQuery = (serviceId: string, connectionId: string): Query<CompanyConnection> => ({
  key: portalKeys.customer(serviceId, connectionId),
  read: () => portalCall('GET', `${at(serviceId)}/${connectionId}`),
});
