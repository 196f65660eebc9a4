import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isInserted } from '../../../db/rows.ts';
import type { PersonRow } from './tables.ts';

/** The epoch of a person: every request of a person reads it. */
export const epochOf = prepared<[id: string], { epoch: number; region: string | null }>((db, [id]) =>
  db.selectFrom('persons').select(['epoch', 'region']).where('id', '=', id),
);

/** Finds only people at home in this region: others cannot sign in here. */
export async function personByEmail(reader: Reader, email: string): Promise<PersonRow | undefined> {
  return reader
    .selectFrom('persons')
    .selectAll()
    .where('email', '=', email)
    .where('region', 'is', null)
    .executeTakeFirst();
}

export async function personById(reader: Reader, id: string): Promise<PersonRow | undefined> {
  return reader.selectFrom('persons').selectAll().where('id', '=', id).executeTakeFirst();
}

/** False when the e-mail address is taken. */
export function insertPerson(writer: Writer, row: PersonRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('persons')
      .values(row)
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
}

/** What a new password replaces. */
export type PasswordColumns = Pick<PersonRow, 'key_salt' | 'login_hash' | 'encrypted_private_key'>;

/**
 * Replaces the password and ends every token minted before. Gives the row as it then is; undefined, and nothing is
 * changed, when the epoch is no longer the one the proof was checked against.
 */
export async function replacePassword(
  writer: Writer,
  person: { id: string; epoch: number },
  password: PasswordColumns,
): Promise<PersonRow | undefined> {
  return writer
    .updateTable('persons')
    .set({ ...password, epoch: person.epoch + 1 })
    .where('id', '=', person.id)
    .where('epoch', '=', person.epoch)
    .returningAll()
    .executeTakeFirst();
}
