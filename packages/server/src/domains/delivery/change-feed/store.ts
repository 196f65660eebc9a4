import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';

export interface OldChange {
  seq: number;
  feed: string;
  company_id: string;
  service_id: string;
  at: number;
}

const OLD = ['seq', 'feed', 'company_id', 'service_id', 'at'] as const;

/** The oldest changes from before a moment, but for those of some companies. */
export async function changesBefore(
  reader: Reader,
  before: number,
  most: number,
  passed: readonly string[],
): Promise<OldChange[]> {
  let query = reader.selectFrom('changes').select(OLD).where('at', '<', before);
  if (passed.length > 0) query = query.where('company_id', 'not in', passed);
  return query.orderBy('at').limit(sql<number>`${most} + 0`).execute();
}

/** Deletes changes by their places; gives those that were still there. */
export async function deleteChanges(
  engine: Engine,
  writer: Writer,
  seqs: readonly number[],
): Promise<OldChange[]> {
  return writer
    .deleteFrom('changes')
    .where(inList(engine, 'seq', listParameter(engine, seqs), 'bigint'))
    .returning(OLD)
    .execute();
}
