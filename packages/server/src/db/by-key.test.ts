import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { deleteBy, putBy, replacedBut, rowBy, updateBy } from './by-key.ts';

onEachEngine('Rows by their keys', (platform) => {
  const one = { name: 'test one', value: '1', updated_at: 5 };
  const two = { ...one, name: 'test two' };

  test('a row is put, found, changed and deleted by its key, and no other row is', async () => {
    const { database } = platform().context;
    await database.write(async (writer) => {
      await putBy(writer, 'region_settings', ['name'], one);
      await putBy(writer, 'region_settings', ['name'], two);
      await putBy(writer, 'region_settings', ['name'], { ...one, value: '2' });
      const found = await rowBy(writer, 'region_settings', { name: one.name, updated_at: 5 });
      assert.deepEqual({ ...found }, { ...one, value: '2' });
      const changed = await updateBy(writer, 'region_settings', { name: one.name }, { value: '3' });
      const wrong = await updateBy(
        writer,
        'region_settings',
        { name: one.name, updated_at: 6 },
        { value: '4' },
      );
      assert.deepEqual([changed, wrong], [true, false]);
      const value = await rowBy(writer, 'region_settings', { name: one.name }, ['value']);
      assert.deepEqual({ ...value }, { value: '3' });
      const deleted = await deleteBy(writer, 'region_settings', { name: one.name });
      const again = await deleteBy(writer, 'region_settings', { name: one.name });
      assert.deepEqual([deleted, again], [true, false]);
      assert.equal(await rowBy(writer, 'region_settings', { name: one.name }), undefined);
    });
    assert.deepEqual({ ...(await rowBy(database.reader, 'region_settings', { name: two.name })) }, two);
  });

  test('rows replace those that are there, but for the columns that stay', async () => {
    const { database } = platform().context;
    const rows = (value: string, at: number) =>
      ['test three', 'test four'].map((name) => ({ name, value: `${name} ${value}`, updated_at: at }));
    const put = (value: string, at: number) =>
      database.write((writer) =>
        writer
          .insertInto('region_settings')
          .values(rows(value, at))
          .onConflict((conflict) =>
            conflict.column('name').doUpdateSet(replacedBut(rows(value, at), ['name', 'updated_at'])),
          )
          .execute(),
      );
    await put('first', 1);
    await put('second', 2);
    const found = await database.reader
      .selectFrom('region_settings')
      .selectAll()
      .where('name', 'in', ['test three', 'test four'])
      .orderBy('name', 'desc')
      .execute();
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      rows('second', 1),
    );
  });

  test('a key without a column is refused: it would be all rows', async () => {
    const { database } = platform().context;
    await database.write((writer) => putBy(writer, 'region_settings', ['name'], two));
    await assert.rejects(
      database.write((writer) => deleteBy(writer, 'region_settings', {})),
      /at least one column/,
    );
    assert.ok((await rowBy(database.reader, 'region_settings', { name: two.name })) !== undefined);
  });
});
