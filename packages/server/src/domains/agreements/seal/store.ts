import { deleteBy } from '../../../db/by-key.ts';
import type { Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isInserted } from '../../../db/rows.ts';
import type { SealChainRow, SealExpiryNoticeRow } from './tables.ts';

export const sealChains = prepared<[], SealChainRow>((db) => db.selectFrom('seal_chains').selectAll());

/** Changes nothing when another process made one. */
export async function insertSealChain(writer: Writer, row: SealChainRow): Promise<void> {
  await writer
    .insertInto('seal_chains')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** @returns false when there is such a notice */
export function insertNotice(writer: Writer, row: SealExpiryNoticeRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('seal_expiry_notices')
      .values(row)
      .onConflict((conflict) => conflict.columns(['certificate_sha256', 'days']).doNothing()),
  );
}

export async function deleteNotice(
  writer: Writer,
  { certificate_sha256, days }: Pick<SealExpiryNoticeRow, 'certificate_sha256' | 'days'>,
): Promise<void> {
  await deleteBy(writer, 'seal_expiry_notices', { certificate_sha256, days });
}
