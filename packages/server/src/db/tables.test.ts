import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { sql } from 'kysely';
import { shapesOf } from '../domains/regions/moves/table-store.ts';
import { dependentsOf } from './table-registry.ts';

/** The tables that the migrations made, with their columns. */
async function schemaOf({ context }: TestPlatform): Promise<Map<string, string[]>> {
  const found = await context.database.schema.introspection.getTables();
  return new Map(found.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
}

/** The columns of the primary key of every table, in the order of their names. */
async function keysOf({ context, engine }: TestPlatform): Promise<Map<string, string[]>> {
  const query =
    engine === 'sqlite'
      ? sql<{ name: string; key: string }>`
          select tables.name, columns.name as key from sqlite_schema as tables, pragma_table_info(tables.name) as columns
          where tables.type = 'table' and columns.pk > 0`
      : sql<{ name: string; key: string }>`
          select k.table_name as name, k.column_name as key from information_schema.key_column_usage k
          inner join information_schema.table_constraints c using (constraint_schema, constraint_name)
          where c.constraint_type = 'PRIMARY KEY' and k.table_schema = current_schema()`;
  const { rows } = await query.execute(context.database.schema);
  const keys = new Map<string, string[]>();
  for (const { name, key } of rows) keys.set(name, [...(keys.get(name) ?? []), key].sort());
  return keys;
}

onEachEngine('the list of tables', (platform) => {
  const here = () =>
    platform().context.tables.filter(({ onlyOn = platform().engine }) => onlyOn === platform().engine);

  test('the list of tables has exactly the tables of the database', async () => {
    const names = here().map(({ name }) => name);
    assert.deepEqual(names.toSorted(), [...(await schemaOf(platform())).keys()].sort());
  });

  test('the list of tables names columns and primary keys as the database has them', async () => {
    const schema = await schemaOf(platform());
    const keys = await keysOf(platform());
    for (const { name, key, belongsTo = {}, encrypted = [], move } of here()) {
      assert.deepEqual(key.toSorted(), keys.get(name) ?? [], name);
      const { feed, notCompared = [], emptied = [] } = typeof move === 'object' ? move : {};
      const named = [...Object.values(belongsTo), ...encrypted, ...notCompared, ...emptied];
      for (const column of [...named, ...(feed === undefined ? [] : [feed])]) {
        assert.ok(schema.get(name)?.includes(column), `${name}.${column}`);
      }
    }
  });

  test('rows of every table with a company_id are deleted with the company', async () => {
    for (const [name, columns] of await schemaOf(platform())) {
      if (!columns.includes('company_id')) continue;
      const table = here().find((declared) => declared.name === name);
      assert.equal(table?.belongsTo?.companies, 'company_id', name);
    }
  });

  test('rows of every table with a person_id are deleted with the person', async () => {
    for (const [name, columns] of await schemaOf(platform())) {
      if (!columns.includes('person_id')) continue;
      const table = here().find((declared) => declared.name === name);
      assert.equal(table?.belongsTo?.persons, 'person_id', name);
    }
  });

  test('every table with rows of companies says whether they move with the company', () => {
    for (const { table } of dependentsOf(here(), 'companies'))
      assert.ok(table.move !== undefined, table.name);
  });

  test('the list of tables has a table after those that its rows belong to', () => {
    const names: string[] = here().map(({ name }) => name);
    for (const { name, belongsTo = {} } of here()) {
      for (const parent of Object.keys(belongsTo)) {
        assert.ok(names.includes(parent), `${name} belongs to ${parent}`);
        assert.ok(names.indexOf(parent) <= names.indexOf(name), `${name} comes before ${parent}`);
      }
    }
  });

  test('every table that moves with its company has a key by which its rows are ordered and compared', async () => {
    for (const shape of await shapesOf(platform().context.database, platform().context.tables)) {
      assert.ok(shape.key.length > 0, shape.name);
      const missing = shape.key.filter((name) => !shape.columns.some((column) => column.name === name));
      assert.deepEqual(missing, [], shape.name);
      assert.ok(![...shape.apartPlaces, ...shape.emptiedPlaces].includes(-1), shape.name);
    }
  });
});
