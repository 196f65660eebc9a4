import { sql } from 'kysely';
import type { Engine, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import type { Table } from '../../../db/table-registry.ts';
import { type Row, RowDigest, type TableDigest } from './digest.ts';

const PAGE = 500;

/** Those whose rows are counted as one's own. */
interface Own {
  readonly companyId: string;
  readonly people: readonly string[];
}

/** Counts and hashes the rows of all companies and people but some, by table. */
export async function digestOfOthers(
  engine: Engine,
  writer: Writer,
  tables: readonly Table[],
  own: Own,
): Promise<ReadonlyMap<string, TableDigest>> {
  const digests = new Map<string, TableDigest>();
  for (const table of tables) {
    const others = othersIn(engine, table, own);
    if (others === undefined || (table.onlyOn ?? engine) !== engine) continue;
    const key = sql.join(table.key.map((name) => sql.ref(name)));
    const digest = new RowDigest([], Number.POSITIVE_INFINITY);
    for (let after: Row | undefined; ; ) {
      const { rows } = await sql<Record<string, string | number | null>>`
        select * from ${sql.table(table.name)} where ${others}
        ${after === undefined ? sql`` : sql`and (${key}) > (${sql.join([...after])})`}
        order by ${key} limit ${sql.lit(PAGE)}
      `.execute(writer);
      for (const row of rows) digest.add(Object.values(row));
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = table.key.map((name) => last[name] ?? null);
    }
    digests.set(table.name, digest.end());
  }
  return digests;
}

/** The rows of others in a table; undefined: it has none of companies or people. */
function othersIn(engine: Engine, { name, belongsTo }: Table, { companyId, people }: Own) {
  const company = name === 'companies' ? 'id' : belongsTo?.companies;
  const person = name === 'persons' ? 'id' : belongsTo?.persons;
  if (company !== undefined) return sql`${sql.ref(company)} <> ${companyId}`;
  return person === undefined ? undefined : sql`not ${inList(engine, person, listParameter(engine, people))}`;
}
