import type { Engine, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';

/** Takes the lease of a webhook for an instance, unless a living one has it. Tells whether it did. */
export async function takeLease(
  writer: Writer,
  webhookId: string,
  owner: string,
  now: number,
  until: number,
): Promise<boolean> {
  const result = await writer
    .updateTable('webhooks')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', webhookId)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Moves the end of leases an instance holds; null gives them back. Gives the ids of those it still held. */
export async function extendLeases(
  engine: Engine,
  writer: Writer,
  owner: string,
  webhookIds: readonly string[],
  until: number | null,
): Promise<string[]> {
  const rows = await writer
    .updateTable('webhooks')
    .set({ lease_until: until, ...(until === null ? { lease_owner: null } : {}) })
    .where(inList(engine, 'id', listParameter(engine, webhookIds)))
    .where('lease_owner', '=', owner)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function releaseLeasesOf(writer: Writer, owner: string): Promise<void> {
  await writer
    .updateTable('webhooks')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_owner', '=', owner)
    .execute();
}
