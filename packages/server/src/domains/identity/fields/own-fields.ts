import type { Reader } from '../../../db/database.ts';
import { fieldsOf } from './store.ts';
import type { PersonFieldRow } from './tables.ts';

/** Rows of fields, for those who keep replicas of them. */
export { deleteField, fieldOf, fieldsOf } from './store.ts';

/** A person's fields by id, for answers that name one. */
export async function ownFields(
  reader: Reader,
  personId: string,
): Promise<ReadonlyMap<string, PersonFieldRow>> {
  return new Map((await fieldsOf(reader, personId)).map((row) => [row.id, row]));
}
