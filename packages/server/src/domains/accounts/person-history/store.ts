import { putBy, rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { PersonHistoryRow, PersonRecoveryRow } from './tables.ts';

/** Adds a row. Of too many, the oldest go. */
export async function insertEvent(writer: Writer, row: PersonHistoryRow, most: number): Promise<void> {
  await writer.insertInto('person_history').values(row).execute();
  const ofPerson = () => writer.selectFrom('person_history').where('person_id', '=', row.person_id);
  await writer
    .deleteFrom('person_history')
    .where('person_id', '=', row.person_id)
    .where('id', '<=', ofPerson().select('id').orderBy('id', 'desc').offset(most).limit(1))
    .execute();
}

/** The latest first. */
export function eventsOf(reader: Reader, personId: string): Promise<PersonHistoryRow[]> {
  return reader
    .selectFrom('person_history')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id', 'desc')
    .execute();
}

export function recoveryOf(reader: Reader, personId: string): Promise<PersonRecoveryRow | undefined> {
  return rowBy(reader, 'person_recovery', { person_id: personId });
}

/** A new code. */
export async function putRecovery(writer: Writer, row: PersonRecoveryRow): Promise<void> {
  await putBy(writer, 'person_recovery', ['person_id'], row);
}

/** Notes that a code is there; when it was made stays. */
export async function confirmRecovery(writer: Writer, row: PersonRecoveryRow): Promise<void> {
  const { confirmed_at } = row;
  await writer
    .insertInto('person_recovery')
    .values(row)
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ confirmed_at }))
    .execute();
}
