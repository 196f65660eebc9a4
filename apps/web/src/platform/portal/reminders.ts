import type { Document, Service, ServiceCustomer } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { Query } from '../queries.ts';
import { customersBy } from './customers.ts';
import { AWAITED, documentsOf } from './issued.ts';
import { portalKeys } from './keys.ts';
import { sendToCustomer } from './messages.ts';

/** A customer, and the names of the documents that wait for them. */
export interface Owing {
  readonly customer: ServiceCustomer;
  readonly names: readonly string[];
}

export interface AllOwing {
  readonly owing: readonly Owing[];
  /** There are older documents, which were not looked at. */
  readonly hasMore: boolean;
}

/** Who has something to sign or accept, by the newest documents. Read anew: between looks people sign. */
export const owingQuery = (serviceId: string): Query<AllOwing> => ({
  key: portalKeys.owing(serviceId),
  async read() {
    const pages = await Promise.all(
      [...AWAITED].map((status) => documentsOf(serviceId, { limit: limits.pageMost, status })),
    );
    // Some offers may be left alone.
    const documents = pages
      .flatMap(({ items }) => items)
      .filter((each) => each.requires_acceptance || each.status === 'ready_to_sign');
    const customers = await customersBy(
      serviceId,
      documents.map(({ connection_id: id }) => id),
    );
    return {
      owing: [...Map.groupBy(documents, ({ connection_id: id }) => id)].flatMap(([id, waiting]) => {
        const customer = id === null ? undefined : customers.get(id);
        return customer === undefined ? [] : [{ customer, names: namesOf(waiting) }];
      }),
      hasMore: pages.some(({ items, total }) => total > items.length),
    };
  },
  isFresh: true,
});

const namesOf = (documents: readonly Document[]) => [...new Set(documents.map(({ name }) => name))];

/** Stands in a text for the documents of whom it goes to. */
export const DOCUMENTS = '{documents}';

/** Sends one customer the text. @param list how names are listed @throws what `sendToCustomer` does */
export const remind = (service: Service, { customer, names }: Owing, text: string, list: Intl.ListFormat) =>
  sendToCustomer(
    service,
    customer,
    text.replaceAll(DOCUMENTS, () => list.format(names)),
  );
