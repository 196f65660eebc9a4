import { deleteBy, rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { isInserted } from '../../../db/rows.ts';
import { type Dependent, dependentsOf, type Table, type TableName } from '../../../db/table-registry.ts';
import type { CompanyDeletionRow } from './tables.ts';

export async function deletionOf(reader: Reader, companyId: string): Promise<CompanyDeletionRow | undefined> {
  return rowBy(reader, 'company_deletions', { company_id: companyId });
}

/** False when there is one already. */
export function insertDeletion(writer: Writer, row: CompanyDeletionRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('company_deletions')
      .values(row)
      .onConflict((conflict) => conflict.column('company_id').doNothing()),
  );
}

/** False when there was none. */
export function deleteDeletion(writer: Writer, companyId: string): Promise<boolean> {
  return deleteBy(writer, 'company_deletions', { company_id: companyId });
}

export async function dueDeletions(reader: Reader, now: number): Promise<CompanyDeletionRow[]> {
  return reader
    .selectFrom('company_deletions')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .execute();
}

export async function ownersOf(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('portal_logins')
    .select('email')
    .where('company_id', '=', companyId)
    .where('role', '=', 'owner')
    .execute();
  return rows.map((row) => row.email);
}

/** Deletes logins, sessions, invitations and clients: no request can act for the company afterwards. */
export async function deleteCredentials(writer: Writer, companyId: string): Promise<void> {
  const tables = ['portal_logins', 'portal_sessions', 'delegate_invitations', 'clients'] as const;
  for (const table of tables) await deleteBy(writer, table, { company_id: companyId });
}

/** Deletes the company's row and code: no customer can find it or connect to it afterwards. */
export async function deleteCompanyRow(writer: Writer, companyId: string): Promise<void> {
  await deleteBy(writer, 'share_codes', { subject_id: companyId });
  await deleteBy(writer, 'companies', { id: companyId });
}

const movedInParts = ({ move }: Table) => (move === undefined || move === 'stays' ? undefined : move.feed);

/** What people see is deleted first. The row that requests the deletion is deleted last, separately. */
const FIRST: readonly TableName[] = ['connections', 'services'];
const LAST: TableName = 'company_deletions';

/**
 * The tables that hold rows of a company, in the order in which those are deleted. Events are found by their feed: those of
 * services and webhooks went with these, and the company's own has its id.
 */
export function deletedTables(tables: readonly Table[]): readonly Dependent[] {
  const all = dependentsOf(tables, 'companies')
    .filter(({ table }) => table.name !== LAST)
    .map(({ table, column }) => ({ table, column: movedInParts(table) ?? column }));
  const first = FIRST.flatMap((name) => all.filter(({ table }) => table.name === name));
  return [...first, ...all.filter((dependent) => !first.includes(dependent))];
}
