import type { Writer } from '../../../db/database.ts';

/** False when the id is there. */
export async function insertSeenCall(writer: Writer, id: string, expiresAt: number): Promise<boolean> {
  const result = await writer
    .insertInto('peer_calls')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
