import { deleteBy, updateBy } from '../../../db/by-key.ts';
import { sumOfBytes } from '../../../db/byte-lengths.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { count, exists } from '../../../db/rows.ts';
import type { Tables } from '../../../db/tables.ts';
import type { ContactDataRow, ContactFieldRow } from './tables.ts';

type Table = 'contact_fields' | 'contact_data';

/** The rows of a company, oldest first. */
export async function rowsOf<T extends Table>(
  reader: Reader,
  table: T,
  companyId: string,
): Promise<Tables[T][]> {
  const query = reader.selectFrom<Table>(table).selectAll().where('company_id', '=', companyId).orderBy('id');
  return (await query.execute()) as Tables[T][];
}

export async function rowOf<T extends Table>(
  reader: Reader,
  table: T,
  companyId: string,
  id: string,
): Promise<Tables[T] | undefined> {
  const rows = reader.selectFrom<Table>(table).selectAll().where('company_id', '=', companyId);
  return (await rows.where('id', '=', id).executeTakeFirst()) as Tables[T] | undefined;
}

export function countRows(reader: Reader, table: Table, companyId: string): Promise<number> {
  return count(reader.selectFrom(table).where('company_id', '=', companyId));
}

/** What the values of a company's profile take, in bytes. */
export function cardBytes(reader: Reader, companyId: string): Promise<number> {
  return sumOfBytes(reader.selectFrom('contact_data').where('company_id', '=', companyId), 'value');
}

/** Whether another row of the company's has the slug. */
export async function slugTaken(
  reader: Reader,
  table: Table,
  row: { company_id: string; id: string; slug: string },
): Promise<boolean> {
  return exists(
    reader
      .selectFrom(table)
      .select('id')
      .where('company_id', '=', row.company_id)
      .where('slug', '=', row.slug)
      .where('id', '!=', row.id),
  );
}

export async function insertCustomField(writer: Writer, row: ContactFieldRow): Promise<void> {
  await writer.insertInto('contact_fields').values(row).execute();
}

export async function updateCustomField(writer: Writer, row: ContactFieldRow): Promise<void> {
  await updateBy(
    writer,
    'contact_fields',
    { company_id: row.company_id, id: row.id },
    { slug: row.slug, label: row.label, usertype: row.usertype },
  );
}

/** Of several companies, in one query; oldest first. */
export async function cardValuesOfAll(
  reader: Reader,
  companyIds: readonly string[],
): Promise<ContactDataRow[]> {
  if (companyIds.length === 0) return [];
  return reader
    .selectFrom('contact_data')
    .selectAll()
    .where('company_id', 'in', companyIds)
    .orderBy('id')
    .execute();
}

/** The values that fill a field of the catalogue. */
export async function valuesOfField(
  reader: Reader,
  companyId: string,
  fieldId: string,
): Promise<Pick<ContactDataRow, 'id' | 'slug' | 'label'>[]> {
  return reader
    .selectFrom('contact_data')
    .select(['id', 'slug', 'label'])
    .where('company_id', '=', companyId)
    .where('field_id', '=', fieldId)
    .orderBy('id')
    .execute();
}

export async function insertCardValue(writer: Writer, row: ContactDataRow): Promise<void> {
  await writer.insertInto('contact_data').values(row).execute();
}

export async function updateCardValue(writer: Writer, row: ContactDataRow): Promise<void> {
  await updateBy(
    writer,
    'contact_data',
    { company_id: row.company_id, id: row.id },
    { slug: row.slug, label: row.label, value: row.value, updated_at: row.updated_at },
  );
}

export async function deleteRow(writer: Writer, table: Table, companyId: string, id: string): Promise<void> {
  await deleteBy(writer, table, { company_id: companyId, id });
}
