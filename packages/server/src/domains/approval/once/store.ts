import type { Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import { exists, isUpdated } from '../../../db/rows.ts';
import type { Flag } from '../../../db/tables.ts';

/** Tables whose rows have an outcome that is told once. */
export type OutcomeTable = 'consent_requests' | 'two_factor_challenges';

export interface OutcomeKey {
  readonly company_id: string;
  readonly id: string;
}

export function isUndelivered(reader: Reader, table: OutcomeTable, key: OutcomeKey): Promise<boolean> {
  return exists(
    reader
      .selectFrom<OutcomeTable>(table)
      .select('id')
      .where('company_id', '=', key.company_id)
      .where('id', '=', key.id)
      .where('delivered', '=', 0),
  );
}

/** Takes the sending of an outcome for a process; false when another one has it, or it was delivered. */
export function claimOutcome(
  writer: Writer,
  table: OutcomeTable,
  key: OutcomeKey,
  claim: { owner: string; now: number; until: number },
): Promise<boolean> {
  return isUpdated(
    writer
      .updateTable<OutcomeTable>(table)
      .set({ claim_owner: claim.owner, claimed_until: claim.until })
      .where('company_id', '=', key.company_id)
      .where('id', '=', key.id)
      .where('delivered', '=', 0)
      .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', claim.now)])),
  );
}

const settled = (table: OutcomeTable) =>
  prepared<[companyId: string, id: string, owner: string | null, delivered: Flag], { id: string }>(
    (db, [companyId, id, owner, delivered]) =>
      db
        .updateTable<OutcomeTable>(table)
        .set({ claim_owner: null, claimed_until: null, delivered })
        .where('company_id', '=', companyId)
        .where('id', '=', id)
        .where('delivered', '=', 0)
        .where('claim_owner', 'is not distinct from', owner)
        .returning('id'),
  );
const settledIn = {
  consent_requests: settled('consent_requests'),
  two_factor_challenges: settled('two_factor_challenges'),
};

/** @param owner who claimed it; null where one process has the database alone */
export async function settleOutcome(
  writer: Writer,
  table: OutcomeTable,
  key: OutcomeKey,
  { owner, delivered }: { owner: string | null; delivered: Flag },
): Promise<void> {
  await settledIn[table](writer, key.company_id, key.id, owner, delivered);
}
