import type { Reader } from '../../../db/database.ts';

/** Whether a region is still to be told something about somebody. */
export async function waitsFor(reader: Reader, to: string, lane: number, subject: string): Promise<boolean> {
  const row = await reader
    .selectFrom('region_messages')
    .select('seq')
    .where('to_region', '=', to)
    .where('lane', '=', lane)
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
