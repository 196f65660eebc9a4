import { upgradeDefinition } from '@symbolon/flows';
import { type Kysely, sql } from 'kysely';

/** Tables with definitions of flows: the columns of a row's key, and that of the definition. */
const DEFINITIONS = [
  { table: 'flows', key: ['company_id', 'service_id', 'id'], column: 'draft' },
  { table: 'flow_versions', key: ['company_id', 'flow_id', 'version'], column: 'definition' },
] as const;
/** Each row may hold 4 MiB. */
const PAGE = 4;

/** Expressions in drafts and versions of flows were told apart by `kind`; clients read `type`. */
export function expressionsByType() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const definitions of DEFINITIONS) await upgradeAll(db, definitions);
    },
  };
}

type Row = Record<string, string | number>;

async function upgradeAll(
  db: Kysely<unknown>,
  { table, key, column }: (typeof DEFINITIONS)[number],
): Promise<void> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  let last: Row | undefined;
  for (;;) {
    const after: Row | undefined = last;
    const behind = after && sql`where (${columns}) > (${sql.join(key.map((name) => after[name]))})`;
    const { rows } = await sql<Row>`
      select ${columns}, ${sql.ref(column)} from ${sql.table(table)} ${behind ?? sql``}
      order by ${columns} limit ${PAGE}
    `.execute(db);
    for (const row of rows) {
      const text = String(row[column]);
      const upgraded = JSON.stringify(upgradeDefinition(JSON.parse(text)));
      if (upgraded === text) continue;
      const same = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      );
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${upgraded} where ${same}`.execute(db);
    }
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}
