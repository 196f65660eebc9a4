import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { IdentityCheckRow } from './tables.ts';

export async function checkOf(
  reader: Reader,
  personId: string,
  fieldId: string,
): Promise<IdentityCheckRow | undefined> {
  return rowBy(reader, 'identity_checks', { person_id: personId, field_id: fieldId });
}

export async function checkById(reader: Reader, id: string): Promise<IdentityCheckRow | undefined> {
  return reader.selectFrom('identity_checks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** In place of the one before. */
export async function putCheck(writer: Writer, row: IdentityCheckRow): Promise<void> {
  await writer
    .insertInto('identity_checks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['person_id', 'field_id']).doUpdateSet(row))
    .execute();
}

export async function endCheck(
  writer: Writer,
  id: string,
  outcome: Pick<IdentityCheckRow, 'state' | 'reason'>,
): Promise<void> {
  await updateBy(writer, 'identity_checks', { id }, outcome);
}

export async function deleteCheck(writer: Writer, personId: string, fieldId: string): Promise<void> {
  await deleteBy(writer, 'identity_checks', { person_id: personId, field_id: fieldId });
}

export async function deleteCheckById(writer: Writer, id: string): Promise<void> {
  await writer.deleteFrom('identity_checks').where('id', '=', id).execute();
}
