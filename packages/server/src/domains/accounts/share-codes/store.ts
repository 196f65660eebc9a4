import type { Insertable } from 'kysely';
import { deleteBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { isInserted } from '../../../db/rows.ts';
import type { ShareCodeRow } from './tables.ts';

export async function customCodesOf(
  reader: Reader,
  personIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (personIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom('share_codes')
    .select(['code', 'subject_id'])
    .where('subject_id', 'in', personIds)
    .where('custom', '=', 1)
    .orderBy('code')
    .execute();
  const codes = new Map<string, string[]>();
  for (const row of rows) codes.set(row.subject_id, [...(codes.get(row.subject_id) ?? []), row.code]);
  return codes;
}

/** False when the code is taken. */
export function insertCode(writer: Writer, row: Insertable<ShareCodeRow>): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('share_codes')
      .values(row)
      .onConflict((conflict) => conflict.column('code').doNothing()),
  );
}

/** False when the person has no such custom code. */
export function deleteCustomCode(writer: Writer, code: string, personId: string): Promise<boolean> {
  return deleteBy(writer, 'share_codes', { code, subject_id: personId, custom: 1 });
}
