import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import type { TableShape } from './table-store.ts';

/** A person as others know one who is gone. */
export interface KnownPerson {
  readonly id: string;
  readonly share_code: string;
}

/** The id of a company, by its id or its code. */
export async function companyNamed(reader: Reader, name: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('companies')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('id', '=', name),
        eb(
          'id',
          'in',
          eb.selectFrom('share_codes').select('subject_id').where('code', '=', name.toUpperCase()),
        ),
      ]),
    )
    .executeTakeFirst();
  return row?.id;
}

/** Columns that name people, with the column that says whether they do. */
const NAMING = { person_id: undefined, customer_id: 'customer_type', user_id: 'user_type' } as const;

/** The people whom rows of a company name. */
export async function peopleOf(
  reader: Reader,
  shapes: readonly TableShape[],
  companyId: string,
): Promise<KnownPerson[]> {
  const named = shapes.flatMap(({ name, owner, columns }) =>
    Object.entries(NAMING).flatMap(([column, type]) => {
      const has = (wanted: string) => columns.some((one) => one.name === wanted);
      if (!has(column) || (type !== undefined && !has(type))) return [];
      const isPerson = type === undefined ? sql`` : sql`and ${sql.ref(type)} = 'person'`;
      return [
        sql`select ${sql.ref(column)} from ${sql.table(name)} where ${sql.ref(owner)} = ${companyId} ${isPerson}`,
      ];
    }),
  );
  const { rows } = await sql<KnownPerson>`
    select id, share_code from persons where id in (${sql.join(named, sql` union `)}) order by id
  `.execute(reader as Writer);
  return rows;
}

/** Those of some people of whom there is no row here. */
export async function gonePeople(
  engine: Engine,
  reader: Reader,
  people: readonly KnownPerson[],
): Promise<KnownPerson[]> {
  const ids = listParameter(
    engine,
    people.map(({ id }) => id),
  );
  const rows = await reader
    .selectFrom('persons')
    .select('id')
    .where(inList(engine, 'id', ids))
    .execute();
  const here = new Set(rows.map(({ id }) => id));
  return people.filter(({ id }) => !here.has(id));
}

/** The companies that are customers of a company in its rows, and are gone. */
export async function goneCustomers(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('connections')
    .leftJoin('companies', 'companies.id', 'connections.customer_id')
    .select('customer_id')
    .distinct()
    .where('connections.company_id', '=', companyId)
    .where('customer_type', '=', 'company')
    .where('companies.id', 'is', null)
    .execute();
  return rows.map(({ customer_id }) => customer_id);
}
