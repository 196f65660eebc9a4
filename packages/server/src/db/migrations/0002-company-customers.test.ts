import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';
import { openBefore } from '@symbolon/testkit/platform/places';
import { sql } from 'kysely';
import { upgrade } from '../upgrade.ts';

for (const engine of engines) {
  test(`companies that were customers before are counted, by service (${engine})`, async () => {
    await using before = await openBefore(engine, '0002');
    const { database } = before;
    const customers = ['a company', 'a person', 'a company', 'b person'].map((customer, index) => {
      const [service, type] = customer.split(' ');
      return sql`('c', ${service}, ${`id ${index}`}, ${`customer ${index}`}, ${type}, 0, 0)`;
    });
    await database.write((writer) =>
      sql`
        insert into connections
          (company_id, service_id, id, customer_id, customer_type, request_version, connected_at)
        values ${sql.join(customers)}
      `.execute(writer),
    );
    await upgrade(database);
    const { rows } = await sql<{ key: string; n: number }>`
      select key, n from row_counts where kind = 'company_customers'
    `.execute(database.schema);
    assert.deepEqual(
      rows.map(({ key, n }) => [key, Number(n)]),
      [['a', 2]],
    );
  });
}
