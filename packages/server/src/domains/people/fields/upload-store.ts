import { type StoredFile, storedFile } from '../../../core/stored-file.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { timeOfNth } from '../../../db/rows.ts';
import type { FileUploadRow } from './tables.ts';

/** An upload that has not expired. */
export async function uploadOf(
  reader: Reader,
  customerId: string,
  id: string,
  now: number,
): Promise<StoredFile | undefined> {
  const row = await reader
    .selectFrom('file_uploads')
    .select('value')
    .where('customer_id', '=', customerId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return storedFile(row?.value ?? null);
}

/** Deletes uploads that another region has now. */
export async function dropUploads(writer: Writer, customerId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await writer
    .deleteFrom('file_uploads')
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .execute();
}

/** When there will be fewer than so many uploads; undefined where there are fewer. */
export function fullUntil(reader: Reader, customerId: string, most: number): Promise<number | undefined> {
  return timeOfNth(
    reader.selectFrom('file_uploads').where('customer_id', '=', customerId),
    'expires_at',
    most,
  );
}

export async function insertUpload(writer: Writer, row: FileUploadRow): Promise<void> {
  await writer.insertInto('file_uploads').values(row).execute();
}

/** Takes uploads out, by their ids; those that are not there or have expired are missing. */
export async function takeUploads(
  writer: Writer,
  customerId: string,
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, StoredFile>> {
  if (ids.length === 0) return new Map();
  const rows = await writer
    .deleteFrom('file_uploads')
    .where('customer_id', '=', customerId)
    .where('id', 'in', ids)
    .where('expires_at', '>', now)
    .returning(['id', 'value'])
    .execute();
  return new Map(
    rows.flatMap(({ id, value }) => {
      const file = storedFile(value);
      return file === undefined ? [] : [[id, file] as const];
    }),
  );
}

/** What the uploads of a customer take, in bytes. */
export async function uploadBytes(reader: Reader, customerId: string): Promise<number> {
  const rows = await reader
    .selectFrom('file_uploads')
    .select('bytes')
    .where('customer_id', '=', customerId)
    .execute();
  return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}
