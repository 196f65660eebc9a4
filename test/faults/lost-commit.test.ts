import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';

import { createPostgresDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { TcpProxy } from '@symbolon/testkit/servers/tcp-proxy';
import { openPostgres } from '../../packages/server/src/db/postgres.ts';

const skip = !engines.includes('postgres') && 'PostgreSQL not found';

test('a commit whose answer is lost is not said to have written nothing', { skip }, async () => {
  const created = await createPostgresDatabase();
  const url = new URL(created.url);
  await using proxy = await TcpProxy.start(url.hostname, Number(url.port || 5432));
  url.host = proxy.address;
  const database = openPostgres(url.href);
  const direct = openPostgres(created.url);
  try {
    await direct.schema.schema.createTable('notes').addColumn('text', 'text').execute();
    const note = (text: string, before: () => void) =>
      database.write(async (writer) => {
        await writer
          .insertInto('notes' as never)
          .values({ text } as never)
          .execute();
        before();
      });
    const losesAnswers = () => {
      proxy.fate = () => ({ bytes: 0, how: 'reset' });
    };
    await assert.rejects(note('in doubt', losesAnswers), { key: 'db.unavailable', status: 503 });
    // Before the commit it is known that nothing was written.
    await assert.rejects(
      note('refused', () => {}),
      { key: 'db.writes_paused' },
    );
    proxy.pass();
    await note('saved', () => {});
    const rows = await direct.reader
      .selectFrom('notes' as never)
      .selectAll()
      .execute();
    assert.deepEqual(rows, [{ text: 'in doubt' }, { text: 'saved' }]);
  } finally {
    await database.stop();
    await direct.stop();
    await created.drop();
  }
});
