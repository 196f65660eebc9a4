import assert from 'node:assert/strict';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { CHECKPOINT_PRAGMAS, Checkpoints, LOG_BYTES } from './checkpoints.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);

async function withDatabase(work: (database: Database, folder: string) => Promise<void>): Promise<void> {
  using folder = temporaryFolder();
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder.path });
  await work(database, folder.path).finally(() => database.stop());
}

const put = (database: Database, name: string, value: string) =>
  database.write((writer) =>
    writer
      .insertInto('region_settings')
      .values({ name, value, updated_at: 0 })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  );

const sizeOf = async (path: string) => (await stat(path)).size;

test('a commit carries no log over; a thread does, and the log begins again', async () => {
  await withDatabase(async (database, folder) => {
    const file = join(folder, 'symbolon.db');
    const log = `${file}-wal`;
    const before = await sizeOf(file);
    // In one commit, and more than SQLite carries over within it by itself.
    await put(database, 'all', MEGABYTE.repeat(12));
    assert.equal(await sizeOf(file), before);
    assert.ok((await sizeOf(log)) > LOG_BYTES);
    await eventually('the log in the file, and a log that is short again', async () => {
      // Another value each time: SQLite writes nothing for one that is there already.
      await put(database, 'last', `${performance.now()}`);
      return (await sizeOf(file)) > before + LOG_BYTES && (await sizeOf(log)) < LOG_BYTES ? true : undefined;
    });
  });
});

test('what can wait does so until the log was carried over', async () => {
  await withDatabase(async (database, folder) => {
    const file = join(folder, 'symbolon.db');
    const before = await sizeOf(file);
    await put(database, 'all', MEGABYTE.repeat(12));
    assert.equal(await sizeOf(file), before);
    await database.untilIdle();
    assert.ok((await sizeOf(file)) > before + LOG_BYTES);
  });
});

test('what was committed is there after a stop, with no log beside it', async () => {
  using folder = temporaryFolder();
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder.path });
  for (let index = 0; index < 20; index++) await put(database, `part ${index}`, MEGABYTE);
  await database.stop();
  await assert.rejects(stat(folder.file('symbolon.db-wal')), { code: 'ENOENT' });
  const file = new DatabaseSync(folder.file('symbolon.db'), { readOnly: true });
  const row = file.prepare(`select count(*) as n from region_settings where name like 'part %'`).get();
  file.close();
  assert.equal(row?.n, 20);
});

test('a log that cannot be carried over, as on a full disk, fails no commit and ends no process', async () => {
  using folder = temporaryFolder();
  const path = folder.file('full.db');
  const connection = new DatabaseSync(path);
  const checkpoints = new Checkpoints(path);
  try {
    connection.exec(`pragma journal_mode = wal; ${CHECKPOINT_PRAGMAS}; create table t (text)`);
    connection.prepare('insert into t values (?)').run(MEGABYTE.repeat(6));
    // The thread cannot open what has another name by now.
    await rename(path, `${path}.away`);
    await mkdir(path);
    await checkpoints.idle();
    await checkpoints.committed();
  } finally {
    await checkpoints.stop();
    connection.close();
  }
});

test('a log whose length cannot be read is left alone', () => {
  new Checkpoints('x'.repeat(5000)).committed();
});
