import { deleteBy, putBy, rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { PersonDraftRow } from './tables.ts';

/** Those that stand, the latest first. */
export function draftsOf(reader: Reader, personId: string, now: number): Promise<PersonDraftRow[]> {
  return reader
    .selectFrom('person_drafts')
    .selectAll()
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .orderBy('updated_at', 'desc')
    .orderBy('name')
    .execute();
}

export function draftOf(reader: Reader, personId: string, name: string): Promise<PersonDraftRow | undefined> {
  return rowBy(reader, 'person_drafts', { person_id: personId, name });
}

/** Stores a draft in the place of the one of its name. Of too many, those that were changed longest ago go. */
export async function putDraft(writer: Writer, row: PersonDraftRow, most: number): Promise<void> {
  await putBy(writer, 'person_drafts', ['person_id', 'name'], row);
  const kept = writer
    .selectFrom('person_drafts')
    .select('name')
    .where('person_id', '=', row.person_id)
    .orderBy('updated_at', 'desc')
    .orderBy('name')
    .limit(most);
  await writer
    .deleteFrom('person_drafts')
    .where('person_id', '=', row.person_id)
    .where('name', 'not in', kept)
    .execute();
}

export async function deleteDraft(writer: Writer, personId: string, name: string): Promise<void> {
  await deleteBy(writer, 'person_drafts', { person_id: personId, name });
}
