import type {
  AdminCompany,
  AdminMove,
  AdminPerson,
  CompanyLevel,
  MessagingSuspension,
} from '@symbolon/protocol';
import type { Query } from '../queries.ts';
import { operatorCall } from './inner/api.ts';
import { operatorKeys } from './keys.ts';

/** Rows of one page. */
const PAGE = 50;

export interface PageOf<Row> {
  readonly total: number;
  readonly items: readonly Row[];
  /** Whether there are more behind the last of them. */
  readonly hasMore: boolean;
}

/** @param after the id of the last row of the page before; empty: from the beginning */
async function pageOf<Row>(path: string, q: string, after: string): Promise<PageOf<Row>> {
  // One more than is shown says whether there is a next page.
  const query = new URLSearchParams({ limit: String(PAGE + 1) });
  if (q !== '') query.set('search', q);
  if (after !== '') query.set('after', after);
  const { total, items } = await operatorCall<{ total: number; items: Row[] }>('GET', `${path}?${query}`);
  return { total, items: items.slice(0, PAGE), hasMore: items.length > PAGE };
}

/** Companies, the oldest first, or those whose name, address or code a search finds. */
export const companiesQuery = (q: string, after: string): Query<PageOf<AdminCompany>> => ({
  key: operatorKeys.adminCompanies,
  part: JSON.stringify([q, after]),
  read: () => pageOf('/companies', q, after),
});

const at = (id: string) => `/companies/${encodeURIComponent(id)}`;
export const companyQuery = (id: string): Query<AdminCompany> => ({
  key: operatorKeys.adminCompany(id),
  read: () => operatorCall('GET', at(id)),
});
export const setLevel = (id: string, level: CompanyLevel): Promise<AdminCompany> =>
  operatorCall('PUT', `${at(id)}/level`, { level });

/** What a company is kept from. */
export const messagingQuery = (id: string): Query<MessagingSuspension> => ({
  key: operatorKeys.adminMessaging(id),
  read: () => operatorCall('GET', `${at(id)}/messaging`),
});
export const suspendMessaging = (id: string, suspended: MessagingSuspension): Promise<MessagingSuspension> =>
  operatorCall('PUT', `${at(id)}/messaging`, suspended);

/** Moves on one page. */
export const MOVES_PAGE = 50;
/** Moves of companies away from this region, the newest first. @param page from 0 */
export const movesQuery = (
  page: number,
): Query<{ readonly total: number; readonly items: readonly AdminMove[] }> => ({
  key: operatorKeys.adminMoves,
  part: page,
  read: () => operatorCall('GET', `/moves?limit=${MOVES_PAGE}&offset=${page * MOVES_PAGE}`),
});
export const moveCompany = (id: string, region: string): Promise<AdminMove> =>
  operatorCall('POST', `${at(id)}/moves`, { region });
export const undoMove = (id: string): Promise<AdminMove> =>
  operatorCall('POST', `/moves/${encodeURIComponent(id)}/undo`);

/** People, the oldest first, or those whose name, address or code a search finds. */
export const peopleQuery = (q: string, after: string): Query<PageOf<AdminPerson>> => ({
  key: operatorKeys.adminPeople,
  part: JSON.stringify([q, after]),
  read: () => pageOf('/people', q, after),
});
const codeAt = (id: string, code: string) =>
  `/people/${encodeURIComponent(id)}/share-codes/${encodeURIComponent(code)}`;
export const addShareCode = (id: string, code: string): Promise<AdminPerson> =>
  operatorCall('PUT', codeAt(id, code));
export const removeShareCode = (id: string, code: string): Promise<AdminPerson> =>
  operatorCall('DELETE', codeAt(id, code));
