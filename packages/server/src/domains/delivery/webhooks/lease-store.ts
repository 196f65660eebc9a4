import type { Engine, Writer } from '../../../db/database.ts';
import type { LeasableRows } from '../../../db/leases.ts';
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

export const webhookLeases = (engine: Engine): LeasableRows<string> => ({
  async extend(writer, owner, webhookIds, until) {
    const rows = await writer
      .updateTable('webhooks')
      .set({ lease_until: until })
      .where(inList(engine, 'id', listParameter(engine, webhookIds)))
      .where('lease_owner', '=', owner)
      .returning('id')
      .execute();
    return rows.map((row) => row.id);
  },

  async release(writer, owner, webhookIds) {
    let query = writer
      .updateTable('webhooks')
      .set({ lease_owner: null, lease_until: null })
      .where('lease_owner', '=', owner);
    if (webhookIds !== undefined) {
      query = query.where(inList(engine, 'id', listParameter(engine, webhookIds)));
    }
    await query.execute();
  },
});
