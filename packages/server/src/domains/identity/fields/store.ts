import type { Reader, Writer } from '../../../db/database.ts';
import type { PersonFieldRow, VerificationCodeRow } from './tables.ts';

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

export async function countFields(reader: Reader, personId: string): Promise<number> {
  const row = await reader
    .selectFrom('person_fields')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** False when the person has a field with this slug. */
export async function insertField(writer: Writer, row: PersonFieldRow): Promise<boolean> {
  const result = await writer
    .insertInto('person_fields')
    .values(row)
    .onConflict((conflict) => conflict.columns(['person_id', 'slug']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
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

export async function codeOf(
  reader: Reader,
  personId: string,
  fieldId: string,
): Promise<VerificationCodeRow | undefined> {
  return reader
    .selectFrom('verification_codes')
    .selectAll()
    .where('person_id', '=', personId)
    .where('field_id', '=', fieldId)
    .executeTakeFirst();
}

/** A field has one code: the newest. */
export async function putCode(writer: Writer, row: VerificationCodeRow): Promise<void> {
  await deleteCode(writer, row.person_id, row.field_id);
  await writer.insertInto('verification_codes').values(row).execute();
}

export async function countAttempt(writer: Writer, personId: string, fieldId: string): Promise<void> {
  await writer
    .updateTable('verification_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('person_id', '=', personId)
    .where('field_id', '=', fieldId)
    .execute();
}

export async function deleteCode(writer: Writer, personId: string, fieldId: string): Promise<void> {
  await writer
    .deleteFrom('verification_codes')
    .where('person_id', '=', personId)
    .where('field_id', '=', fieldId)
    .execute();
}

export async function deleteCodesBefore(writer: Writer, moment: number): Promise<void> {
  await writer.deleteFrom('verification_codes').where('expires_at', '<=', moment).execute();
}
