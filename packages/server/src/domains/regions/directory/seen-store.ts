import type { Reader, Writer } from '../../../db/database.ts';

/** False when the id is there. */
export async function insertSeenCall(writer: Writer, id: string, expiresAt: number): Promise<boolean> {
  const result = await writer
    .insertInto('peer_calls')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Until when calls of each region may have been answered, by its clock. */
export async function answeredUntil(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.selectFrom('answered_calls').selectAll().execute();
  return new Map(rows.map(({ peer, until }) => [peer, until]));
}

/** An earlier time changes nothing. */
export async function saveAnsweredUntil(writer: Writer, peer: string, until: number): Promise<void> {
  await writer
    .insertInto('answered_calls')
    .values({ peer, until })
    .onConflict((conflict) =>
      conflict.column('peer').doUpdateSet({ until }).where('answered_calls.until', '<', until),
    )
    .execute();
}
