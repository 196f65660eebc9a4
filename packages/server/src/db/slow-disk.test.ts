import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { holdSyncs, letSyncsGo } from '@symbolon/testkit/platform/held-syncs';
import type { Database } from './database.ts';
import { openDatabase } from './open.ts';

afterEach(letSyncsGo);

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  using folder = temporaryFolder();
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder.path });
  await work(database).finally(() => database.stop());
}

const add = (database: Database, code: string) =>
  database.write((writer) =>
    writer.insertInto('share_codes').values({ code, kind: 'person', subject_id: 'p' }).execute(),
  );
const codes = async (database: Database) =>
  (await database.reader.selectFrom('share_codes').select('code').orderBy('code').execute()).map(
    ({ code }) => code,
  );
const turns = async (count: number) => {
  for (let index = 0; index < count; index++) await new Promise(setImmediate);
};

test('while the disk takes a commit, reads go on and see nothing of it', () =>
  withDatabase(async (database) => {
    const syncs = holdSyncs();
    let isSaved = false;
    const saved = add(database, 'A').then(() => {
      isSaved = true;
    });
    while (syncs.length === 0) await turns(1);
    await turns(20);
    assert.deepEqual([isSaved, await codes(database)], [false, []]);
    // What comes meanwhile waits for the next commit.
    const second = add(database, 'B');
    await turns(20);
    assert.deepEqual([syncs.length, await codes(database)], [1, []]);
    syncs[0]?.(null);
    await saved;
    assert.deepEqual(await codes(database), ['A']);
    while (syncs.length === 1) await turns(1);
    syncs[1]?.(null);
    await second;
    assert.deepEqual(await codes(database), ['A', 'B']);
  }));

test('a commit that the disk does not take is in doubt, and is not shown', () =>
  withDatabase(async (database) => {
    const syncs = holdSyncs();
    const saved = add(database, 'A');
    while (syncs.length === 0) await turns(1);
    syncs[0]?.(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
    await assert.rejects(saved, (error: { key: string }) => error.key === 'db.unavailable');
    assert.deepEqual(await codes(database), []);
  }));

test('what changes nothing waits for no disk', () =>
  withDatabase(async (database) => {
    const syncs = holdSyncs();
    const read = await database.write((writer) => writer.selectFrom('share_codes').selectAll().execute());
    assert.deepEqual([read, syncs.length], [[], 0]);
  }));
