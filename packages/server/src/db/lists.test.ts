import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { inList, listParameter } from './lists.ts';

onEachEngine('A list as one parameter', (platform) => {
  test('a list as one parameter holds its texts unchanged, whatever characters they contain', async () => {
    const { database } = platform().context;
    const { engine } = database;
    const names = ['plain', 'a,b', '"', '\\', '{x}', 'null', ' ', '', "'", 'two\nlines', 'ü'];
    const rows = names.map((name) => ({ name: `test ${name}`, value: 'x', updated_at: 0 }));
    const others = ['test a', 'test b', 'test x'].map((name) => ({ name, value: 'x', updated_at: 0 }));
    await database.write((writer) =>
      writer
        .insertInto('region_settings')
        .values([...rows, ...others])
        .execute(),
    );
    const wanted = rows.map(({ name }) => name);
    const found = await database.reader
      .selectFrom('region_settings')
      .select('name')
      .where(inList(engine, 'name', listParameter(engine, wanted)))
      .execute();
    assert.deepEqual(found.map(({ name }) => name).sort(), wanted.sort());
  });
});
