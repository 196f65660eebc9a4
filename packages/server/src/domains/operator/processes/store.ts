import { deleteBy, putBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { ProcessRow } from './tables.ts';

export const putProcess = (writer: Writer, row: ProcessRow): Promise<void> =>
  putBy(writer, 'processes', ['id'], row);

export const deleteProcess = (writer: Writer, id: string): Promise<boolean> =>
  deleteBy(writer, 'processes', { id });

/** Those that were seen last come first. */
export const latestProcesses = (reader: Reader, most: number): Promise<ProcessRow[]> =>
  reader.selectFrom('processes').selectAll().orderBy('seen_at', 'desc').limit(most).execute();

/** Deletes those that were not seen since a time, but for some that were seen last. */
export async function deleteUnseen(writer: Writer, since: number, kept: number): Promise<void> {
  await writer
    .deleteFrom('processes')
    .where('seen_at', '<', since)
    .where('id', 'not in', (eb) =>
      eb.selectFrom('processes').select('id').orderBy('seen_at', 'desc').limit(kept),
    )
    .execute();
}
