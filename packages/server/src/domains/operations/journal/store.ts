import type { Reader, Writer } from '../../../db/database.ts';
import type { AuditLogRow, OperatorActRow } from './tables.ts';

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

export async function insertAct(writer: Writer, row: OperatorActRow): Promise<void> {
  await writer.insertInto('operator_acts').values(row).execute();
}

export async function actPage(
  reader: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: OperatorActRow[] }> {
  const acts = reader.selectFrom('operator_acts');
  const { total } = await acts.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await acts.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { total: Number(total), rows };
}
