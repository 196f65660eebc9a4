import type { Document, DocumentStatus } from '@symbolon/protocol';
import { outdate, type Query } from '../queries.ts';
import { type Customers, customersBy } from './customers.ts';
import { portalCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';

const at = (serviceId: string) => `/api/services/${serviceId}/documents`;
/** Rows of one page. */
export const ISSUED_PAGE = 50;
/** The states that are counted and asked for, in the order of a contract's life. */
export const ISSUED_STATUSES = [
  'waiting',
  'ready_to_sign',
  'offering',
  'active',
  'active_but_ending',
  'ended',
] as const satisfies readonly DocumentStatus[];

interface Page {
  readonly total: number;
  readonly items: readonly Document[];
}

/** States in which a customer is to do something. */
export const AWAITED: ReadonlySet<DocumentStatus> = new Set(['ready_to_sign', 'offering']);

export interface IssuedPage extends Page {
  readonly customers: Customers;
}

/** Documents of a service with whom they are for, the newest first. */
export const issuedQuery = (
  serviceId: string,
  { status, offset = 0 }: { status?: DocumentStatus | undefined; offset?: number },
): Query<IssuedPage> => ({
  key: portalKeys.issued(serviceId),
  part: JSON.stringify([status, offset]),
  async read() {
    const page = await documentsOf(serviceId, {
      limit: ISSUED_PAGE,
      offset,
      ...(status !== undefined && { status }),
    });
    const ids = page.items.map(({ connection_id: id }) => id);
    return { ...page, customers: await customersBy(serviceId, ids) };
  },
});

export interface OneIssued {
  readonly document: Document;
  readonly customers: Customers;
}

/** One document with whom it is for. */
export const oneIssuedQuery = (serviceId: string, documentId: string): Query<OneIssued> => ({
  key: portalKeys.oneIssued(serviceId, documentId),
  async read() {
    const document = await portalCall<Document>('GET', `${at(serviceId)}/${documentId}`);
    return { document, customers: await customersBy(serviceId, [document.connection_id]) };
  },
});

/** Takes a document out of the lists of the company. A customer who signed or accepted it keeps a copy. */
export async function deleteIssued(serviceId: string, { id }: Document): Promise<void> {
  await portalCall('DELETE', `${at(serviceId)}/${id}`);
  await outdate(portalKeys.issued(serviceId), portalKeys.issuedCounts(serviceId));
}

/** The latest documents of one customer. */
export const issuedToQuery = (serviceId: string, userId: string): Query<Page> => ({
  key: portalKeys.issuedTo(serviceId, userId),
  read: () => documentsOf(serviceId, { limit: ISSUED_PAGE, person_user_id: userId }),
});

/** How many documents of a service stand how. */
export const issuedCounts = (serviceId: string): Query<readonly (readonly [DocumentStatus, number])[]> => ({
  key: portalKeys.issuedCounts(serviceId),
  read: () =>
    Promise.all(
      ISSUED_STATUSES.map(async (status) => [status, await issuedTotal(serviceId, status)] as const),
    ),
});

/** How many documents of a service stand so. */
export const issuedTotal = async (serviceId: string, status: DocumentStatus): Promise<number> =>
  (await documentsOf(serviceId, { limit: 1, status })).total;

export const documentsOf = (
  serviceId: string,
  asked: Readonly<Record<string, string | number>>,
): Promise<Page> =>
  portalCall('GET', `${at(serviceId)}?${new URLSearchParams(asked as Record<string, string>)}`);

/** How a document stands, as the company says it. */
export function issuedState({ kind, requires_acceptance, signatures, status }: Document) {
  if (status === 'ready_to_sign') return 'sign';
  if (status === 'offering') return requires_acceptance ? 'accept' : 'offering';
  if (status !== 'active') return status;
  return signatures.at(-1)?.action ?? (kind === 'document' ? 'sent' : 'active');
}
