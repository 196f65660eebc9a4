import type { Reader, Writer } from '../../../db/database.ts';
import type { AuditLogRow } from '../../../db/tables.ts';

export async function insertEntry(writer: Writer, row: AuditLogRow): Promise<void> {
  await writer.insertInto('audit_log').values(row).execute();
}

/** Ids sort by their making. */
export async function entriesOf(
  reader: Reader,
  companyId: string,
  page: { limit: number; offset: number },
): Promise<AuditLogRow[]> {
  return reader
    .selectFrom('audit_log')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countEntries(reader: Reader, companyId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('audit_log')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
