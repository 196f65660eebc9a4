import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Writer } from '../../../server/src/db/database.ts';
import { openDatabase } from '../../../server/src/db/open.ts';
import { prepared } from '../../../server/src/db/prepared.ts';
import { refuseLateWrites } from './late-writes.ts';
import { placeMigratedDatabase } from './sqlite-databases.ts';

const namesOf = prepared<[], { name: string }>((db) => db.selectFrom('region_settings').select('name'));
const LATE = { message: /after its end/ };

test('a transaction takes no writes after its end, whether it was committed or not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-late-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await placeMigratedDatabase(folder);
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder });
  t.after(() => database.stop());
  refuseLateWrites(database);
  const save = (writer: Writer, name: string) =>
    writer.insertInto('region_settings').values({ name, value: '', updated_at: 0 }).execute();
  const own = await database.write(async (writer) => {
    await save(writer, 'test.saved');
    return { writer, names: await namesOf(writer) };
  });
  assert.ok(own.names.some(({ name }) => name === 'test.saved'));
  assert.throws(() => save(own.writer, 'test.late'), LATE);
  await assert.rejects(namesOf(own.writer), LATE);
  let refused: Writer | undefined;
  const failed = database.write(async (writer) => {
    refused = writer;
    throw new Error('no');
  });
  await assert.rejects(failed, { message: 'no' });
  assert.throws(() => save(refused as Writer, 'test.late'), LATE);
});
