import type { CustomersQuery, CustomerType } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { Database } from '../../../db/database.ts';
import { isAskedOf, isMandatoryFor } from '../connections/decisions.ts';
import { type AskedRow, answeredOf, askedRowsOf, type ListedConnection, type ServiceRef } from './store.ts';

/** Connections that are read in one turn, some 3 ms: of those whose answers are counted fewer. */
const SEARCHED_AT_ONCE = 500;
const COUNTED_AT_ONCE = 100;

/** Which connections a page shows. */
export interface CustomerFilter {
  readonly atOnce: number;
  /** Those of some connections that fit, in their order. */
  fitting(rows: readonly ListedConnection[]): Promise<readonly ListedConnection[]>;
}

/**
 * What a query filters by; undefined: by nothing.
 * @throws {PlatformError} request.invalid for a row that the service does not ask
 */
export async function customerFilter(
  database: Pick<Database, 'engine' | 'reader'>,
  service: ServiceRef,
  { q = '', kind, missing }: Pick<CustomersQuery, 'q' | 'kind' | 'missing'>,
): Promise<CustomerFilter | undefined> {
  const wanted = q.trim();
  if (wanted === '' && kind === undefined && missing === undefined) return undefined;
  const isFound = wanted === '' ? () => true : foundBy(wanted);
  const isShown = (row: ListedConnection) =>
    (kind === undefined || row.customer_type === kind) && isFound(row);
  if (missing === undefined)
    return { atOnce: SEARCHED_AT_ONCE, fitting: async (rows) => rows.filter(isShown) };
  const asked = rowsLookedFor(
    missing,
    await askedRowsOf(database.reader, service.companyId, service.serviceId),
  );
  return {
    atOnce: COUNTED_AT_ONCE,
    async fitting(rows) {
      const shown = rows.filter(isShown);
      const lacking = new Set<string>();
      for (const type of ['person', 'company'] as const) {
        const ids = shown.filter((row) => row.customer_type === type).map(({ id }) => id);
        for (const id of await lackingSome(database, service.companyId, ids, asked(type))) lacking.add(id);
      }
      return shown.filter(({ id }) => lacking.has(id));
    },
  };
}

/** The ids of the rows that a kind of customers has to answer. */
function rowsLookedFor(missing: string, rows: readonly AskedRow[]): (type: CustomerType) => string[] {
  const idsOf = (fit: (row: AskedRow) => boolean) => rows.filter(fit).map(({ id }) => id);
  if (missing === 'any') return (type) => idsOf((row) => isMandatoryFor(type, row));
  const wanted = rows.find(({ id, slug }) => id === missing || slug === missing);
  if (wanted === undefined) throw notAsked();
  return (type) => idsOf((row) => row === wanted && isAskedOf(type, row));
}

/** Those of some connections that have not answered all of some rows. */
async function lackingSome(
  { engine, reader }: Pick<Database, 'engine' | 'reader'>,
  companyId: string,
  ids: readonly string[],
  rowIds: readonly string[],
): Promise<string[]> {
  if (ids.length === 0 || rowIds.length === 0) return [];
  const counted = await answeredOf(engine, reader, companyId, ids, rowIds);
  const answers = new Map(counted.map((row) => [row.connection_id, Number(row.answers)]));
  return ids.filter((id) => (answers.get(id) ?? 0) < rowIds.length);
}

/** Part of the name in any case, or the beginning of the share code. */
function foundBy(wanted: string): (row: ListedConnection) => boolean {
  const [name, code] = [wanted.toLowerCase(), wanted.toUpperCase()];
  return (row) => {
    const { display_name, share_code } = identityOf(row);
    return display_name.toLowerCase().includes(name) || (share_code?.startsWith(code) ?? false);
  };
}

/** What a customer shows of itself. */
export const identityOf = (row: ListedConnection) => ({
  user_id: row.customer_id,
  share_code: row.person_code ?? row.company_code,
  customer_type: row.customer_type,
  display_name: row.person_name ?? row.company_name ?? '',
});

const notAsked = () =>
  new PlatformError('request.invalid', {
    details: {
      issues: [
        { path: '/missing', message: 'is no row that the service asks: name its id or slug, or `any`' },
      ],
    },
  });
