import { limits } from '@symbolon/protocol';
import { byteLength, fitting, sumOfBytes } from '../../../db/byte-lengths.ts';
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

/** The fields after an id, in order: as many as asked for, fewer when they are large. */
export async function pageOfFields(
  reader: Reader,
  personId: string,
  { after, most }: { after: string; most: number },
): Promise<PersonFieldRow[]> {
  const inOrder = reader
    .selectFrom('person_fields')
    .where('person_id', '=', personId)
    .where('id', '>', after)
    .orderBy('id');
  const sizes = await inOrder.select(byteLength('value')).limit(most).execute();
  return inOrder.selectAll().limit(fitting(sizes, limits.pageBytesMost)).execute();
}

/** What a person's values take, in bytes. */
export function fieldBytes(reader: Reader, personId: string): Promise<number> {
  return sumOfBytes(reader.selectFrom('person_fields').where('person_id', '=', personId), 'value');
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

/** The fields that an answer names, by id. */
export async function fieldsById(
  reader: Reader,
  personId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedField>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('person_fields')
    .select(['id', 'type', 'private', 'verification', 'version'])
    .where('person_id', '=', personId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** A field without its value. */
export type NamedField = Pick<PersonFieldRow, 'id' | 'type' | 'private' | 'verification' | 'version'>;
