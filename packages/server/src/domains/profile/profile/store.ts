import type { Reader, Writer } from '../../../db/database.ts';

export async function profileOf(reader: Reader, companyId: string) {
  return reader
    .selectFrom('companies')
    .select(['name', 'code'])
    .where('id', '=', companyId)
    .executeTakeFirst();
}

export async function setName(writer: Writer, companyId: string, name: string): Promise<void> {
  await writer.updateTable('companies').set({ name }).where('id', '=', companyId).execute();
}
