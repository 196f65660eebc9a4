import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import type { Database, Writer } from './database.ts';
import { openDatabase } from './open.ts';
import { isCompiled, prepared } from './prepared.ts';

const codesOf = prepared<[kind: string], { code: string }>((db, [kind]) =>
  db
    .selectFrom('share_codes')
    .select('code')
    .where('kind', '=', kind as 'person')
    .orderBy('code'),
);

describe('the embedded database', () => {
  const folder = temporaryFolder();
  let database: Database;

  before(async () => {
    database = await openDatabase({ databaseUrl: undefined, dataDir: folder.path });
  });
  after(async () => {
    await database.stop();
    folder[Symbol.dispose]();
  });

  const insert = (writer: Writer, code: string) =>
    writer.insertInto('share_codes').values({ code, kind: 'person', subject_id: 'p' }).execute();
  const codes = async () => (await codesOf(database.reader, 'person')).map((row) => row.code);

  test('a read that follows a write sees it, in the same turn of the event loop too', async () => {
    for (const code of ['A', 'B', 'C']) {
      const seen = await codes();
      await database.write((writer) => insert(writer, code));
      assert.deepEqual(await codes(), [...seen, code]);
    }
  });

  test('a read during a write sees only what was committed', async () => {
    const seen = await codes();
    await database.write(async (writer) => {
      await insert(writer, 'D');
      assert.deepEqual(await codes(), seen);
      assert.deepEqual(
        (await codesOf(writer, 'person')).map((row) => row.code),
        [...seen, 'D'],
      );
    });
    assert.deepEqual(await codes(), [...seen, 'D']);
  });

  test('the event loop turns between the writes of one commit, and between two commits', async () => {
    const happened: string[] = [];
    const write = (name: string) =>
      database.write(async () => {
        happened.push(name);
        setImmediate(() => happened.push(`turn after ${name}`));
      });
    const first = [write('one'), write('two')];
    const second = first[1]?.then(() => write('three'));
    await Promise.all([...first, second]);
    assert.deepEqual(happened, ['one', 'turn after one', 'two', 'turn after two', 'three']);
  });

  test('a commit of another process is seen in the next turn of the event loop', async () => {
    const seen = await codes();
    const other = new DatabaseSync(folder.file('symbolon.db'));
    other.exec(`insert into share_codes (code, kind, subject_id) values ('E', 'person', 'p')`);
    other.close();
    await new Promise(setImmediate);
    assert.deepEqual(await codes(), [...seen, 'E']);
  });

  test('a compiled query and a built one give equal rows', async () => {
    const built = await database.reader.selectFrom('share_codes').selectAll().orderBy('code').execute();
    const compiled = await prepared<[], object>((db) =>
      db.selectFrom('share_codes').selectAll().orderBy('code'),
    )(database.reader);
    assert.deepEqual(compiled, built);
    assert.deepEqual(Object.keys(built[0] ?? {}).slice(0, 3), ['code', 'kind', 'subject_id']);
  });

  test('what is the same in every run stands in the text of a compiled query', async () => {
    const someOf = prepared<[code: string], { code: string }>((db, [code]) =>
      db
        .selectFrom('share_codes')
        .select('code')
        .where('kind', 'in', ['person', "it's" as 'company'])
        .where('subject_id', '=', 'p')
        .where('code', '=', code),
    );
    assert.deepEqual(await someOf(database.reader, 'A'), [{ code: 'A' }]);
    assert.deepEqual(await someOf(database.reader, 'none'), []);
    const text = `select "code" from "share_codes" where "kind" in ('person', 'it''s') and "subject_id" = 'p' and "code" = ?`;
    assert.ok(isCompiled(text));
  });

  test('reads do not keep the write-ahead log from being checkpointed', async () => {
    for (let round = 0; round < 300; round++) {
      await Promise.all([
        codes(),
        database.write(async (writer) => {
          for (let row = 0; row < 20; row++) await insert(writer, `${round}-${row}-${'x'.repeat(200)}`);
          await writer.deleteFrom('share_codes').where('code', 'like', `${round}-%`).execute();
        }),
        codes(),
      ]);
      // Commits are faster than the thread on a disk in memory.
      await database.untilIdle();
    }
    // A checkpoint is due at 1000 pages of 4 KiB; a snapshot left open would let the log grow with every round.
    const { size } = await stat(folder.file('symbolon.db-wal'));
    assert.ok(size < 8 * 1024 * 1024, `the log has ${size} bytes`);
  });
});
