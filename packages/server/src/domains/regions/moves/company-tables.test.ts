import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '../../../testing/platform.ts';
import { companyTables, staying } from './company-tables.ts';
import { shapesOf } from './table-store.ts';

onEachEngine('the tables of a company', (platform) => {
  test('are all named, those that move and those that stay', async () => {
    const tables = await platform().context.database.schema.introspection.getTables();
    const named = new Set<string>([...companyTables.map(({ name }) => name), ...staying]);
    const forgotten = tables
      .filter(({ columns }) => columns.some(({ name }) => name === 'company_id'))
      .map(({ name }) => name)
      .filter((name) => !named.has(name));
    assert.deepEqual(forgotten, [], 'say in company-tables.ts how these move');
    const none = [...named].filter((name) => !tables.some((table) => table.name === name));
    assert.deepEqual(none, [], 'these are no tables');
  });

  test('have the columns that the list says', async () => {
    for (const shape of await shapesOf(platform().context.database)) {
      const places = [...shape.keyPlaces, ...shape.apartPlaces, ...shape.emptiedPlaces];
      assert.ok(!places.includes(-1), shape.name);
      for (const column of [shape.owner, ...(shape.feed === undefined ? [] : [shape.feed])]) {
        assert.ok(
          shape.columns.some(({ name }) => name === column),
          `${shape.name}.${column}`,
        );
      }
    }
  });
});
