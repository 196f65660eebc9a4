import { mailboxOf, spellingsOf } from '../../../access/email.ts';
import type { CredentialColumns } from '../../../access/key-material.ts';
import { lookUp } from '../../../core/secrets.ts';
import { deleteBy } from '../../../db/by-key.ts';
import { type Database, type Reader, serialize, type Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isInserted } from '../../../db/rows.ts';
import type { PersonRow } from './tables.ts';

/** The epoch of a person: every request of a person reads it. */
export const epochOf = prepared<[id: string], { epoch: number; region: string | null }>((db, [id]) =>
  db.selectFrom('persons').select(['epoch', 'region']).where('id', '=', id),
);

/** The person of a mailbox, in whatever spelling it is stored. Finds only people at home in this region: others cannot sign in here. */
export function personByEmail(reader: Reader, email: string): Promise<PersonRow | undefined> {
  return lookUp(spellingsOf(email), (spelling) =>
    reader
      .selectFrom('persons')
      .selectAll()
      .where('email', '=', spelling)
      .where('region', 'is', null)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
}

/** Where a person is at home (another region by its name, null for this one), and their epoch. */
export const personHome = prepared<[id: string], { region: string | null; epoch: number }>((db, [id]) =>
  db.selectFrom('persons').select(['region', 'epoch']).where('id', '=', id),
);

const byId = prepared<[id: string], PersonRow>((db, [id]) =>
  db.selectFrom('persons').selectAll().where('id', '=', id),
);

export async function personById(reader: Reader, id: string): Promise<PersonRow | undefined> {
  const [person] = await byId(reader, id);
  return person;
}

/** Until the transaction ends, no other account gets this address: a unique index alone would fail the other transaction. */
export function claimEmail(writer: Writer, engine: Database['engine'], email: string): Promise<void> {
  return serialize(engine, writer, [`person ${mailboxOf(email)}`]);
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

/** Deletes what a changed credential makes worthless: sign-ins under way, and mailed codes. */
export async function dropSideDoors(writer: Writer, personId: string): Promise<void> {
  for (const table of ['person_sign_in_tickets', 'person_codes'] as const)
    await deleteBy(writer, table, { person_id: personId });
}

/** A person as a proof was checked against it. */
type ProvenPerson = Pick<PersonRow, 'id' | 'epoch' | 'login_hash' | 'recovery_hash'>;

/**
 * Changes what a person signs in with. Gives the row as it then is; undefined, and nothing is changed, when what the proof
 * was checked against has changed since.
 * @param ending whether every token minted before ends
 */
export async function replaceCredentials(
  writer: Writer,
  person: ProvenPerson,
  credentials: Partial<CredentialColumns>,
  ending: boolean,
): Promise<PersonRow | undefined> {
  return writer
    .updateTable('persons')
    .set({ ...credentials, epoch: ending ? person.epoch + 1 : person.epoch })
    .where('id', '=', person.id)
    .where('epoch', '=', person.epoch)
    .where('login_hash', '=', person.login_hash)
    .where('recovery_hash', '=', person.recovery_hash)
    .returningAll()
    .executeTakeFirst();
}
