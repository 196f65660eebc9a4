import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Engine } from '../database.ts';

const OF_COMPANIES = `select 'company_customers' as kind, service_id as key, count(*) as n`;

/** SQLite: a connection of a company changes the count itself. */
const SQLITE = [
  `create trigger count_company_customers_insert after insert on connections when new.customer_type = 'company'
   begin
     insert into row_counts (kind, key, n) values ('company_customers', new.service_id, 1)
     on conflict (kind, key) do update set n = n + 1;
   end`,
  `create trigger count_company_customers_delete after delete on connections when old.customer_type = 'company'
   begin
     update row_counts set n = n - 1 where kind = 'company_customers' and key = old.service_id;
     delete from row_counts where kind = 'company_customers' and key = old.service_id and n = 0;
   end`,
];

/** PostgreSQL: the trigger that counts all connections adds both differences, in one statement. */
const difference = (rows: string, sign: '' | '-') =>
  `insert into row_count_changes (kind, key, n)
   select 'connections', '', ${sign}count(*) from ${rows} having count(*) > 0
   union all
   select 'company_customers', service_id, ${sign}count(*) from ${rows}
   where customer_type = 'company' group by service_id;`;
const POSTGRES = [
  `create or replace function count_connections() returns trigger language plpgsql as $body$
   begin
     if tg_op = 'INSERT' then ${difference('new_rows', '')}
     else ${difference('old_rows', '-')}
     end if;
     return null;
   end $body$`,
];

/** Counts the companies among the customers of each service, so that its people are known without counting them. */
export const companyCustomers = (engine: Engine): Migration => ({
  async up(db) {
    const first = `insert into row_counts (kind, key, n)
      ${OF_COMPANIES} from connections where customer_type = 'company' group by service_id`;
    for (const statement of [...(engine === 'sqlite' ? SQLITE : POSTGRES), first])
      await sql.raw(statement).execute(db);
  },
});
