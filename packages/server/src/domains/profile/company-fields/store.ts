import type { Reader, Writer } from '../../../db/database.ts';
import type { ContactDataRow, ContactFieldRow } from './tables.ts';

/** Oldest first. */
export async function customFieldsOf(reader: Reader, companyId: string): Promise<ContactFieldRow[]> {
  return reader
    .selectFrom('contact_fields')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
}

export async function customFieldOf(
  reader: Reader,
  companyId: string,
  id: string,
): Promise<ContactFieldRow | undefined> {
  return reader
    .selectFrom('contact_fields')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function countRows(
  reader: Reader,
  table: 'contact_fields' | 'contact_data',
  companyId: string,
): Promise<number> {
  const row = await reader
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Whether another row of the company's has the slug. */
export async function slugTaken(
  reader: Reader,
  table: 'contact_fields' | 'contact_data',
  row: { company_id: string; id: string; slug: string },
): Promise<boolean> {
  const other = await reader
    .selectFrom(table)
    .select('id')
    .where('company_id', '=', row.company_id)
    .where('slug', '=', row.slug)
    .where('id', '!=', row.id)
    .executeTakeFirst();
  return other !== undefined;
}

export async function insertCustomField(writer: Writer, row: ContactFieldRow): Promise<void> {
  await writer.insertInto('contact_fields').values(row).execute();
}

export async function updateCustomField(writer: Writer, row: ContactFieldRow): Promise<void> {
  await writer
    .updateTable('contact_fields')
    .set({ slug: row.slug, label: row.label, usertype: row.usertype })
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .execute();
}

export async function deleteCustomField(writer: Writer, companyId: string, id: string): Promise<void> {
  await writer
    .deleteFrom('contact_fields')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
}

/** Oldest first. */
export async function cardValuesOf(reader: Reader, companyId: string): Promise<ContactDataRow[]> {
  return reader
    .selectFrom('contact_data')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
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

export async function cardValueOf(
  reader: Reader,
  companyId: string,
  id: string,
): Promise<ContactDataRow | undefined> {
  return reader
    .selectFrom('contact_data')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
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
  await writer
    .updateTable('contact_data')
    .set({ slug: row.slug, label: row.label, value: row.value, updated_at: row.updated_at })
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .execute();
}

export async function deleteCardValue(writer: Writer, companyId: string, id: string): Promise<void> {
  await writer.deleteFrom('contact_data').where('company_id', '=', companyId).where('id', '=', id).execute();
}
