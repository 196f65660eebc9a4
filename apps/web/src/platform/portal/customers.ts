import type { ServiceCustomer, ServiceCustomerList } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { portalCall } from './inner/api.ts';

/** By their connections. */
export type Customers = ReadonlyMap<string, ServiceCustomer>;

/** Who takes part in runs, beside the company itself. Those whose connection has ended are missing. */
export async function customersOf(
  serviceId: string,
  runs: readonly { readonly participants: readonly { readonly connection_id: string | null }[] }[],
): Promise<Customers> {
  const ids = new Set(runs.flatMap(({ participants }) => participants.map((each) => each.connection_id)));
  ids.delete(null);
  const all = [...ids];
  const found = new Map<string, ServiceCustomer>();
  for (let start = 0; start < all.length; start += limits.customersAtOnce) {
    const query = new URLSearchParams({ ids: all.slice(start, start + limits.customersAtOnce).join(',') });
    const path = `/api/services/${serviceId}/customers?${query}`;
    const { customers } = await portalCall<ServiceCustomerList>('GET', path);
    for (const customer of customers) found.set(customer.connection_id, customer);
  }
  return found;
}
