import { deleteBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { PersonSessionRow } from './tables.ts';

/** A session that the person's credentials of this moment allow: every request by cookie reads it. */
export const sessionByHash = prepared<[hash: string], PersonSessionRow>((db, [hash]) =>
  db
    .selectFrom('person_sessions')
    .innerJoin('persons', (join) =>
      join
        .onRef('persons.id', '=', 'person_sessions.person_id')
        .onRef('persons.epoch', '=', 'person_sessions.epoch'),
    )
    .selectAll('person_sessions')
    .where('person_sessions.token_hash', '=', hash),
);

export async function insertSession(writer: Writer, row: PersonSessionRow): Promise<void> {
  await writer.insertInto('person_sessions').values(row).execute();
}

export async function touchSession(writer: Writer, hash: string, now: number): Promise<void> {
  await updateBy(writer, 'person_sessions', { token_hash: hash }, { last_seen_at: now });
}

/** The sessions of a person that the credentials of this moment allow, the latest first. */
export async function sessionsOf(reader: Reader, personId: string): Promise<PersonSessionRow[]> {
  return reader
    .selectFrom('person_sessions')
    .innerJoin('persons', (join) =>
      join
        .onRef('persons.id', '=', 'person_sessions.person_id')
        .onRef('persons.epoch', '=', 'person_sessions.epoch'),
    )
    .selectAll('person_sessions')
    .where('person_sessions.person_id', '=', personId)
    .orderBy('person_sessions.id', 'desc')
    .execute();
}

/** Deletes a session; false when the person has no session with this id. */
export function deleteSession(writer: Writer, personId: string, id: string): Promise<boolean> {
  return deleteBy(writer, 'person_sessions', { person_id: personId, id });
}

/** Deletes the sessions of a person but the one that is kept, if any. */
export async function deleteSessions(writer: Writer, personId: string, keptId?: string): Promise<void> {
  let query = writer.deleteFrom('person_sessions').where('person_id', '=', personId);
  if (keptId !== undefined) query = query.where('id', '!=', keptId);
  await query.execute();
}

/** Deletes the oldest sessions of a person beyond a number. */
export async function deleteOldest(writer: Writer, personId: string, most: number): Promise<void> {
  const surplus = await writer
    .selectFrom('person_sessions')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('id', 'desc')
    .offset(most)
    .limit(most)
    .execute();
  if (surplus.length === 0) return;
  await writer
    .deleteFrom('person_sessions')
    .where('person_id', '=', personId)
    .where(
      'id',
      'in',
      surplus.map(({ id }) => id),
    )
    .execute();
}
