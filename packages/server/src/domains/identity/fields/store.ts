import type { Reader, Writer } from '../../../db/database.ts';
import { count, isInserted } from '../../../db/rows.ts';
import type { PersonFieldRow } from './tables.ts';

export async function fieldsOf(reader: Reader, personId: string): Promise<PersonFieldRow[]> {
  return reader
    .selectFrom('person_fields')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .execute();
}

export async function fieldOf(
  reader: Reader,
  personId: string,
  id: string,
): Promise<PersonFieldRow | undefined> {
  return reader
    .selectFrom('person_fields')
    .selectAll()
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function countFields(reader: Reader, personId: string): Promise<number> {
  return count(reader.selectFrom('person_fields').where('person_id', '=', personId));
}

/** False when the person has a field with this slug. */
export function insertField(writer: Writer, row: PersonFieldRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('person_fields')
      .values(row)
      .onConflict((conflict) => conflict.columns(['person_id', 'slug']).doNothing()),
  );
}

export async function updateField(
  writer: Writer,
  field: { person_id: string; id: string },
  changes: Partial<
    Pick<PersonFieldRow, 'label' | 'private' | 'value' | 'verification' | 'updated_at' | 'version'>
  >,
): Promise<void> {
  await writer
    .updateTable('person_fields')
    .set(changes)
    .where('person_id', '=', field.person_id)
    .where('id', '=', field.id)
    .execute();
}

export async function deleteField(writer: Writer, personId: string, id: string): Promise<void> {
  await writer.deleteFrom('person_fields').where('person_id', '=', personId).where('id', '=', id).execute();
}

/** A person's fields by id, for answers that name one. */
export async function fieldsById(
  reader: Reader,
  personId: string,
): Promise<ReadonlyMap<string, PersonFieldRow>> {
  return new Map((await fieldsOf(reader, personId)).map((row) => [row.id, row]));
}
