import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { isUpdated } from '../../../db/rows.ts';
import type { Flag } from '../../../db/tables.ts';

/** Tables whose rows have an outcome that is delivered once. */
export type OutcomeTable = 'consent_requests' | 'two_factor_challenges';

export interface OutcomeKey {
  readonly company_id: string;
  readonly id: string;
}

/** Where an outcome stands: delivered, free, being sent by a process, or left by one that vanished. */
export async function standOf(
  reader: Reader,
  table: OutcomeTable,
  key: OutcomeKey,
  now: number,
): Promise<'told' | 'free' | 'claimed' | 'left'> {
  const row = await reader
    .selectFrom<OutcomeTable>(table)
    .select(['delivered', 'claimed_until'])
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .executeTakeFirst();
  if (row === undefined || row.delivered === 1) return 'told';
  if (row.claimed_until === null) return 'free';
  return row.claimed_until > now ? 'claimed' : 'left';
}

/**
 * Takes the sending of an outcome for a process; false when another one has it, or had it and did not say how it ended, or it was
 * delivered.
 */
export function claimOutcome(
  writer: Writer,
  table: OutcomeTable,
  key: OutcomeKey,
  claim: { owner: string; until: number },
): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable<OutcomeTable>(table)
      .set({ claim_owner: claim.owner, claimed_until: claim.until })
      .where('company_id', '=', key.company_id)
      .where('id', '=', key.id)
      .where('delivered', '=', 0)
      .where('claimed_until', 'is', null),
  );
}

/** Counts an outcome as delivered when its sender vanished: it may have arrived. */
export async function buryOutcome(
  writer: Writer,
  table: OutcomeTable,
  key: OutcomeKey,
  now: number,
): Promise<void> {
  await writer
    .updateTable<OutcomeTable>(table)
    .set({ claim_owner: null, claimed_until: null, delivered: 1 })
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('delivered', '=', 0)
    .where('claimed_until', '<=', now)
    .execute();
}

const settled = (table: OutcomeTable) =>
  prepared<
    [companyId: string, id: string, owner: string | null, delivered: Flag, before: Flag],
    { id: string }
  >((db, [companyId, id, owner, delivered, before]) =>
    db
      .updateTable<OutcomeTable>(table)
      .set({ claim_owner: null, claimed_until: null, delivered })
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('delivered', '=', before)
      .where('claim_owner', 'is not distinct from', owner)
      .returning('id'),
  );
const settledIn = {
  consent_requests: settled('consent_requests'),
  two_factor_challenges: settled('two_factor_challenges'),
};

/**
 * @param owner who claimed it; null where one process has the database alone
 * @param before what it was until now
 * @returns whether it was
 */
export async function settleOutcome(
  writer: Writer,
  table: OutcomeTable,
  key: OutcomeKey,
  { owner, delivered, before }: { owner: string | null; delivered: Flag; before: Flag },
): Promise<boolean> {
  const changed = await settledIn[table](writer, key.company_id, key.id, owner, delivered, before);
  return changed.length > 0;
}
