import type { Reader, Writer } from '../../../db/database.ts';
import type { CompanyRow } from './tables.ts';

export async function companyById(reader: Reader, id: string): Promise<CompanyRow | undefined> {
  return reader.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertCompany(writer: Writer, row: CompanyRow): Promise<void> {
  await writer.insertInto('companies').values(row).execute();
}
