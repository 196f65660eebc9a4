import type { Engine } from '../../database.ts';
import { statements } from './ddl.ts';

/** Rows that are counted as they come and go: how many there are is then read, never counted again. */
interface Counted {
  readonly table: string;
  /** What tells the counts of a table apart, of a row that is given by its alias. */
  readonly key?: (row: string) => string;
  /** The columns that the key is made of, where they change. */
  readonly changing?: readonly string[];
}

/** The service, a space, and the status of a document; empty for what the company deleted. */
export const listedDocument = (row: '' | `${string}.`): string =>
  `case when ${row}deleted_at is null then ${row}service_id || ' ' || ${row}status else '' end`;

const COUNTED: readonly Counted[] = [
  { table: 'changes' },
  { table: 'webhook_events', key: (row) => `${row}.webhook_id` },
  { table: 'connections' },
  { table: 'services' },
  { table: 'clients' },
  { table: 'webhooks', key: (row) => `${row}.health`, changing: ['health'] },
  { table: 'persons', key: (row) => `coalesce(${row}.region, '')`, changing: ['region'] },
  {
    table: 'companies',
    // The names of regions have no spaces.
    key: (row) => `coalesce(${row}.region, '') || ' ' || ${row}.level`,
    changing: ['region', 'level'],
  },
  { table: 'audit_log', key: (row) => `${row}.company_id` },
  { table: 'service_logs', key: (row) => `${row}.service_id` },
  { table: 'operator_acts' },
  { table: 'company_moves' },
  { table: 'documents', key: (row) => listedDocument(`${row}.`), changing: ['status', 'deleted_at'] },
];

/**
 * Counts of rows, kept by triggers: whatever writes a table, counts and rows change in the same transaction. On SQLite a
 * trigger changes the count itself. On PostgreSQL transactions would wait for each other there: a trigger adds the
 * difference as a row, once for each statement, and a worker sums these rows up.
 */
export function rowCounts(engine: Engine): string[] {
  const key = 'kind text not null, key text not null, n bigint not null';
  if (engine === 'sqlite')
    return [
      `create table row_counts (${key}, primary key (kind, key)) without rowid`,
      ...COUNTED.flatMap(sqliteTriggers),
    ];
  return [
    ...statements`
      create table row_counts (${key}, primary key (kind, key));
      create table row_count_changes (${key}) with (autovacuum_vacuum_scale_factor = 0.01);
      create index row_count_changes_key on row_count_changes (kind, key) include (n);
    `,
    ...COUNTED.flatMap(postgresTriggers),
  ];
}

function sqliteTriggers({ table, key, changing }: Counted): string[] {
  const keyOf = (row: string) => key?.(row) ?? "''";
  const raise = `insert into row_counts (kind, key, n) values ('${table}', ${keyOf('new')}, 1)
    on conflict (kind, key) do update set n = n + 1;`;
  const lower = `update row_counts set n = n - 1 where kind = '${table}' and key = ${keyOf('old')};
    ${key === undefined ? '' : `delete from row_counts where kind = '${table}' and key = ${keyOf('old')} and n = 0;`}`;
  const trigger = (name: string, event: string, work: string) =>
    `create trigger count_${table}_${name} after ${event} on ${table} begin ${work} end`;
  return [
    trigger('insert', 'insert', raise),
    trigger('delete', 'delete', lower),
    ...(changing === undefined ? [] : [trigger('update', `update of ${changing.join(', ')}`, lower + raise)]),
  ];
}

function postgresTriggers({ table, key, changing }: Counted): string[] {
  const change = (rows: string, sign: '' | '-') =>
    `insert into row_count_changes (kind, key, n)
     select '${table}', ${key?.('counted') ?? "''"}, ${sign}count(*) from ${rows} as counted
     ${key === undefined ? '' : `group by ${key('counted')}`} having count(*) > 0;`;
  const body = `
    begin
      if tg_op = 'INSERT' then ${change('new_rows', '')}
      elsif tg_op = 'DELETE' then ${change('old_rows', '-')}
      else insert into row_count_changes (kind, key, n)
        values ('${table}', ${key?.('old') ?? "''"}, -1), ('${table}', ${key?.('new') ?? "''"}, 1);
      end if;
      return null;
    end`;
  const execute = `execute function count_${table}()`;
  const isOther = changing?.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
  return [
    `create function count_${table}() returns trigger language plpgsql as $body$ ${body} $body$`,
    `create trigger count_${table}_insert after insert on ${table}
     referencing new table as new_rows for each statement ${execute}`,
    `create trigger count_${table}_delete after delete on ${table}
     referencing old table as old_rows for each statement ${execute}`,
    ...(changing === undefined
      ? []
      : [
          `create trigger count_${table}_update after update of ${changing.join(', ')} on ${table}
           for each row when (${isOther}) ${execute}`,
        ]),
  ];
}
