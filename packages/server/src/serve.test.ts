import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { listening } from '@symbolon/testkit/servers/listening';
import { readConfig } from './core/config.ts';
import { databasePath } from './db/database-path.ts';
import { checkPublicUrl, serve } from './serve.ts';

const check = (environment: Record<string, string>) => checkPublicUrl(readConfig(environment));

test('a platform on a public address does not start without the URL that clients use', () => {
  for (const SYMBOLON_HOST of ['0.0.0.0', '::', '0:0::0', '8.8.8.8', '2a00:1450::1']) {
    assert.throws(() => check({ SYMBOLON_HOST }), {
      name: 'ConfigError',
      message: /^SYMBOLON_PUBLIC_URL takes the base URL under which clients reach the platform, [^\n]*$/,
    });
    check({ SYMBOLON_HOST, SYMBOLON_PUBLIC_URL: 'https://api.example.com' });
  }
  for (const SYMBOLON_HOST of ['127.0.0.1', '::1', 'localhost', '192.168.1.5', '10.0.0.7', 'fd00::1'])
    check({ SYMBOLON_HOST });
});

test('a platform whose port is taken has stopped when it says so', async (t) => {
  using folder = temporaryFolder();
  const other = createServer();
  t.after(() => other.close());
  const { port } = await listening(other);
  const config = readConfig({
    SYMBOLON_DATA_DIR: folder.path,
    SYMBOLON_PORT: String(port),
    SYMBOLON_LOG_LEVEL: 'silent',
  });
  await assert.rejects(serve(config));
  // A database that is open has files beside it.
  assert.deepEqual(
    readdirSync(folder.path, { recursive: true }).filter((name) => /-(wal|shm)$/.test(String(name))),
    [],
  );
});

test('a process says that it stops, and leaves nothing of itself among the processes', async () => {
  using folder = temporaryFolder();
  const config = readConfig({
    SYMBOLON_DATA_DIR: folder.path,
    SYMBOLON_PORT: '0',
    SYMBOLON_LOG_LEVEL: 'silent',
  });
  const platform = await serve(config);
  const database = new DatabaseSync(databasePath(folder.path));
  const note = "insert into told values (json_extract(new.figures, '$.state'))";
  database.exec(`
    create table told (state text);
    create trigger told_insert after insert on processes begin ${note}; end;
    create trigger told_update after update on processes begin ${note}; end;`);
  await platform.stop();
  const told = database.prepare('select state from told').all();
  const left = database.prepare('select count(*) as count from processes').get();
  database.close();
  assert.equal(told.at(-1)?.state, 'draining');
  assert.equal(left?.count, 0);
});
