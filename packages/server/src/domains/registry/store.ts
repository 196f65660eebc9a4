import { sql } from 'kysely';
import { deleteBy } from '../../db/by-key.ts';
import type { Database, Reader, Writer } from '../../db/database.ts';
import { isInserted } from '../../db/rows.ts';
import type { FieldTypeTableRow } from './tables.ts';

export async function addedTypes(reader: Reader): Promise<FieldTypeTableRow[]> {
  return reader.selectFrom('field_types').selectAll().orderBy('created_at').orderBy('type').execute();
}

/** False when there is a row of this type. */
export function insertType(writer: Writer, row: FieldTypeTableRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('field_types')
      .values(row)
      .onConflict((conflict) => conflict.column('type').doNothing()),
  );
}

export async function deleteType(writer: Writer, type: string): Promise<void> {
  await deleteBy(writer, 'field_types', { type });
}

/** Where rows have a field type. */
const TYPED = ['person_fields', 'request_fields', 'share_fields', 'contact_fields', 'contact_data'] as const;

/** The types that something is of. */
export async function typesInUse(reader: Reader): Promise<Set<string>> {
  const types = new Set<string>();
  for (const table of TYPED) {
    // From each type to the next one by the index: a `distinct` would read all rows.
    for (let last = ''; ; ) {
      const next = await reader
        .selectFrom(table)
        .select('type')
        .where('type', '>', last)
        .orderBy('type')
        .limit(1)
        .execute();
      const [row] = next;
      if (row === undefined) break;
      types.add(row.type);
      last = row.type;
    }
  }
  return types;
}

/**
 * Keeps rows of any type from being written until the transaction ends, so that what was seen of them stays true. On SQLite
 * there is one writer.
 */
export async function freezeTypes({ engine }: Pick<Database, 'engine'>, writer: Writer): Promise<void> {
  if (engine === 'sqlite') return;
  for (const table of ['field_types', ...TYPED]) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(writer);
  }
}
