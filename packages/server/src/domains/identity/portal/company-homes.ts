import type { Engine, Reader } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';

/** Where companies are at home, null for here; those that are not known here are missing. */
export async function companyHomes(
  engine: Engine,
  reader: Reader,
  companyIds: readonly string[],
): Promise<Map<string, string | null>> {
  if (companyIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom('companies')
    .select(['id', 'region'])
    .where(inList(engine, 'id', listParameter(engine, [...new Set(companyIds)])))
    .execute();
  return new Map(rows.map((row) => [row.id, row.region]));
}

/** Where one company is at home, null for here; undefined when it is not known here. */
export async function companyHome(reader: Reader, companyId: string): Promise<string | null | undefined> {
  const row = await reader
    .selectFrom('companies')
    .select('region')
    .where('id', '=', companyId)
    .executeTakeFirst();
  return row?.region;
}
