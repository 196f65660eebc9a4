import type { Reader, Writer } from '../../../db/database.ts';

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

/** False when the code belongs to somebody. */
export async function insertCustomCode(writer: Writer, code: string, personId: string): Promise<boolean> {
  const result = await writer
    .insertInto('share_codes')
    .values({ code, kind: 'person', subject_id: personId, custom: 1 })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** False when the person has no such custom code. */
export async function deleteCustomCode(writer: Writer, code: string, personId: string): Promise<boolean> {
  const result = await writer
    .deleteFrom('share_codes')
    .where('code', '=', code)
    .where('subject_id', '=', personId)
    .where('custom', '=', 1)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
