import { type SqlBool, sql } from 'kysely';
import { spellingsOf } from '../../../access/email.ts';
import type { Engine, Reader } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import type { Paging } from '../../../db/page.ts';
import { type CountedTable, countsByKey } from '../../operations/index.ts';

/** So many rows a search finds at most: its cost is that of what it finds. */
const FOUND_MOST = 1000;

/** Where a search looks: columns whose values may begin with the text, and codes that may be the text. */
interface Searched {
  readonly table: CountedTable & ('companies' | 'persons');
  readonly columns: readonly string[];
  readonly idsByCode: (reader: Reader, code: string) => Promise<{ id: string }[]>;
}

export const SEARCHED = {
  companies: {
    table: 'companies',
    columns: ['name', 'email'],
    idsByCode: (reader, code) =>
      reader.selectFrom('companies').select('id').where('code', '=', code).execute(),
  },
  persons: {
    table: 'persons',
    columns: ['display_name', 'email'],
    idsByCode: (reader, code) =>
      reader.selectFrom('share_codes').select('subject_id as id').where('code', '=', code).execute(),
  },
} as const satisfies Record<string, Searched>;

/** The ids of a page of all rows, or of those that a search finds; the oldest first. */
export async function idPage(
  engine: Engine,
  reader: Reader,
  searched: Searched,
  search: string | undefined,
  page: Paging & { readonly after?: string | undefined },
): Promise<{ total: number; ids: string[] }> {
  if (search !== undefined) {
    const found = await idsFound(engine, reader, searched, search);
    const rest = found.filter((id) => id > (page.after ?? ''));
    return { total: found.length, ids: rest.slice(page.offset, page.offset + page.limit) };
  }
  const counts = await countsByKey(engine, reader, searched.table);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let rows = reader.selectFrom(searched.table).select('id');
  if (page.after !== undefined) rows = rows.where('id', '>', page.after);
  const ids = await rows.orderBy('id').limit(page.limit).offset(page.offset).execute();
  return { total, ids: ids.map(({ id }) => id) };
}

/** Whose code or mailbox the text is, and at most `FOUND_MOST` in all with those whose name or address begins with it. */
async function idsFound(
  engine: Engine,
  reader: Reader,
  { table, columns, idsByCode }: Searched,
  search: string,
): Promise<string[]> {
  const ids = new Set<string>();
  const byCode = await idsByCode(reader, search.toUpperCase());
  const meant = [
    ['id', byCode.map(({ id }) => id)],
    ['email', search.includes('@') ? spellingsOf(search) : []],
  ] as const;
  for (const [column, values] of meant) {
    const list = inList(engine, column, listParameter(engine, values));
    const rows = await reader.selectFrom(table).select('id').where(list).execute();
    for (const { id } of rows) ids.add(id);
  }
  for (const column of columns) {
    const folded = foldedColumn(engine, column);
    // As a range, which an index serves whatever is in the text: no character of it is special.
    const rows = await reader
      .selectFrom(table)
      .select('id')
      .where(sql<SqlBool>`${folded} >= lower(${search}) and ${folded} < lower(${search}) || ${LAST}`)
      .orderBy(folded)
      .limit(sql<number>`${FOUND_MOST} + 0`)
      .execute();
    for (const { id } of rows) if (ids.size < FOUND_MOST) ids.add(id);
  }
  return [...ids].sort();
}

/** Behind every character. */
const LAST = '\u{10FFFF}';

/** As in the indexes. */
function foldedColumn(engine: Engine, column: string) {
  const lower = sql`lower(${sql.ref(column)})`;
  return engine === 'sqlite' ? lower : sql`(${lower} collate "C")`;
}
