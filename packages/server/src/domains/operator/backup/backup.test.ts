import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  closeSync,
  createWriteStream,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import fsPromises, { cp, readFile, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import { OPERATOR, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { createPostgresDatabase } from '@symbolon/testkit/platform/postgres-databases';
import { without } from '@symbolon/testkit/tools';
import pg from 'pg';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { folderBlobs } from '../../../core/blobs.ts';
import { type Config, readConfig } from '../../../core/config.ts';
import { databasePath } from '../../../db/database-path.ts';
import { Backups } from '../admin/backups.ts';
import { BackupError, checkBackup } from './format.ts';
import { type FindProgram, findProgram } from './postgres-programs.ts';
import { restoreBackup, restoreInto } from './restore.ts';
import { countTables } from './sqlite-tables.ts';

const log = pino({ level: 'silent' });

/** Overwrites the first page of a table, past the cache of whoever has the database open. */
function damageTable(path: string, table: string): void {
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(table) as {
    rootpage: number;
  };
  const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number };
  database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(64, 0xff), 0, 64, (rootpage - 1) * size);
  closeSync(file);
}

for (const engine of engines) {
  // What PostgreSQL's server is installed with.
  const skip = engine === 'postgres' && without('pg_dump', 'pg_restore');
  describe(`a backup (${engine})`, { skip }, () => {
    let platform: TestPlatform & { stop(): Promise<void> };
    const folder = temporaryFolder();
    let file: string;
    let company: TestCompany;
    let blob: string;
    const drops: (() => Promise<void>)[] = [];

    before(async () => {
      platform = await startPlatform(engine);
      company = await registerCompany(platform);
      const service = await createService(platform, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
      const person = await registerPerson(platform);
      const field = await createField(platform, person, { type: 'text', slug: 'nick', value: 'Ada' });
      await connect(platform, person, service, { nick: { field, value: 'Ada' } });
      const { blobs, database } = platform.context;
      blob = await blobs.keep(Buffer.from('a picture'));
      await database.write((writer) => blobs.refer(writer, [blob]));
      file = folder.file('one.backup');
      await download(file);
    });
    after(async () => {
      await platform.stop();
      for (const drop of drops) await drop();
      folder[Symbol.dispose]();
    });

    async function download(path: string): Promise<void> {
      const response = await fetch(`${platform.url}/api/admin/backup`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OPERATOR}` },
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/octet-stream');
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path));
    }
    /** A configuration with a data folder, and on PostgreSQL a database, of its own. */
    async function elsewhere(name: string): Promise<Config & { databaseUrl: string | undefined }> {
      const database = engine === 'postgres' ? await createPostgresDatabase() : undefined;
      if (database !== undefined) drops.push(() => database.drop());
      return readConfig({
        SYMBOLON_DATA_DIR: folder.file(name),
        ...(database === undefined ? {} : { DATABASE_URL: database.url }),
      });
    }
    const blobsOf = (config: Config) => folderBlobs(join(config.dataDir, 'blobs'), platform.context);
    const restore = (config: Config, path = file, options = {}) =>
      restoreBackup({ ...config, keys: undefined, blobs: blobsOf(config) }, path, options);

    test('a backup is made while the platform serves, and everything in it is checked', async () => {
      const { manifest, end } = await checkBackup(file);
      assert.deepEqual([manifest.engine, manifest.region], [engine, 'local']);
      const { tables } = manifest;
      assert.deepEqual(
        [tables.companies, tables.persons, tables.connections, tables.slot_values, tables.blobs],
        [1, 1, 1, 1, 1],
      );
      assert.deepEqual(end, { end: true, blobs: 1, missing: 0 });
      await eventually('the copy is cleared away', () =>
        readdirSync(platform.dataDir).some((name) => name.startsWith('backup-')) ? undefined : true,
      );
      const text = await readFile(file);
      assert.ok(!text.includes(company.loginSecret) && !text.includes(company.recoverySecret));
    });

    test('a backup is restored elsewhere whole, and the platform continues from it', async () => {
      const config = await elsewhere('restored');
      const { manifest, end, putAside } = await restore(config);
      assert.deepEqual([end.blobs, putAside], [1, undefined]);
      // The keys of the server are kept apart from the backup.
      await cp(join(platform.dataDir, 'secret.key'), join(config.dataDir, 'secret.key'));
      const context = insidesOf(await createContext(config, { clock: platform.clock, log }));
      try {
        const row = await context.database.reader
          .selectFrom('companies')
          .selectAll()
          .executeTakeFirstOrThrow();
        const original = await platform.context.database.reader
          .selectFrom('companies')
          .selectAll()
          .executeTakeFirstOrThrow();
        assert.deepEqual(row, original);
        context.secrets.decrypt(row.account_private_key, {
          table: 'companies',
          column: 'account_private_key',
          id: row.id,
        });
        assert.equal((await context.blobs.read(blob)).toString(), 'a picture');
        const feed = await context.database.reader.selectFrom('changes').select('seq').execute();
        assert.equal(feed.length, manifest.tables.changes);
        assert.ok(feed.length > 0);
        // Places in the feed go on after those that were there, on both engines.
        const before = Math.max(...feed.map((change) => change.seq));
        const service = await context.database.reader
          .selectFrom('services')
          .selectAll()
          .executeTakeFirstOrThrow();
        await context.database.write((writer) =>
          context.outbox.raise(writer, [
            {
              event: 'message_received',
              companyId: service.company_id,
              serviceId: service.id,
              customer: { id: 'somebody', type: 'person', shareCode: null },
              connectionId: null,
            },
          ]),
        );
        const newest = await context.database.reader
          .selectFrom('changes')
          .select((eb) => eb.fn.max('seq').as('seq'))
          .executeTakeFirstOrThrow();
        assert.ok(Number(newest.seq) > before);
        // Other regions know numbers of messages that were sent since: the next one is beyond them.
        const message = { kind: 'x', subject: 'x', body: '{}', to_region: 'us', lane: 0, at: 0 };
        await context.database.write((writer) =>
          writer.insertInto('region_messages').values(message).execute(),
        );
        const sent = await context.database.reader.selectFrom('region_messages').select('seq').execute();
        assert.ok(sent.every(({ seq }) => seq > Date.UTC(2026, 0) * 1000));
      } finally {
        await context.stop();
      }
    });

    test('restoring a backup never replaces a database unless forced, and then keeps it aside', async () => {
      const config = await elsewhere('occupied');
      const context = insidesOf(await createContext(config, { clock: platform.clock, log }));
      if (engine === 'sqlite') {
        await assert.rejects(restore(config), /in use: stop the platform first/);
      }
      // What a process that ended without a word left of itself is not in the way.
      await context.processes.write();
      await context.stop();
      await restore(config);
      await assert.rejects(restore(config), (error: Error) => {
        assert.ok(error instanceof BackupError);
        assert.match(error.message, /not empty: --force/);
        return true;
      });
      await assert.rejects(
        restoreInto(config, file, { force: true }),
        /made under another secret \([0-9a-f]{12}\) than that of .*secret\.key \([0-9a-f]{12}\)\./,
      );
      const { putAside } = await restore(config, file, { force: true });
      assert.equal(putAside !== undefined, engine === 'sqlite');
      await cp(join(platform.dataDir, 'secret.key'), join(config.dataDir, 'secret.key'));
      const again = insidesOf(await createContext(config, { clock: platform.clock, log }));
      assert.equal((await again.database.reader.selectFrom('companies').select('id').execute()).length, 1);
      await again.stop();
    });

    test('a log that lies beside the place of the database is not read into what is restored', {
      skip: engine === 'postgres' && 'its server keeps the logs',
    }, async () => {
      const config = await elsewhere('stale');
      mkdirSync(config.dataDir);
      const path = join(config.dataDir, 'symbolon.db');
      // The log of another database, as a crash leaves it, whose own file is gone.
      const other = new DatabaseSync(path);
      other.exec(
        'pragma journal_mode = wal; create table foreign_rows (n); insert into foreign_rows values (1)',
      );
      const logs = ['-wal', '-shm'].map((suffix) => [suffix, readFileSync(`${path}${suffix}`)] as const);
      other.close();
      rmSync(path);
      for (const [suffix, bytes] of logs) await writeFile(`${path}${suffix}`, bytes);
      const { manifest } = await restore(config);
      const restored = new DatabaseSync(path);
      assert.deepEqual(Object.keys(countTables(restored)), Object.keys(manifest.tables));
      assert.deepEqual({ ...restored.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' });
      restored.close();
      assert.ok(readdirSync(config.dataDir).some((name) => /before-restore-.*-wal$/.test(name)));
    });

    test('a database that cannot be read is replaced only when forced, and stays aside', {
      skip: engine === 'postgres' && 'a server says so itself',
    }, async () => {
      const config = await elsewhere('unreadable');
      mkdirSync(config.dataDir);
      await writeFile(join(config.dataDir, 'symbolon.db'), Buffer.alloc(8192, 'no database'));
      await assert.rejects(restore(config), /cannot be read: --force puts it aside/);
      const { putAside } = await restore(config, file, { force: true });
      assert.equal((await readFile(putAside ?? '')).subarray(0, 11).toString(), 'no database');
      // Restored once more: what was put aside before is still there.
      const again = await restore(config, file, { force: true });
      assert.notEqual(again.putAside, putAside);
      assert.equal((await readFile(putAside ?? '')).subarray(0, 11).toString(), 'no database');
    });

    test('a restore that ends while it writes files leaves no database without them', async () => {
      const config = await elsewhere('without-files');
      const blobs = { write: () => Promise.reject(new Error('The process has ended.')) };
      const ended = restoreBackup({ ...config, keys: undefined, blobs }, file);
      await assert.rejects(ended, /The process has ended/);
      // It would refuse a database that is there.
      const { end } = await restore(config);
      assert.equal(end.blobs, 1);
    });

    test('a restore that ends before its last step leaves the database that was there', {
      skip: engine === 'postgres' && 'one transaction of its server',
    }, async (t) => {
      const config = await elsewhere('halfway');
      await restore(config);
      const path = join(config.dataDir, 'symbolon.db');
      const before = await readFile(path);
      const { rename } = fsPromises;
      t.mock.method(fsPromises, 'rename', async (from: string, to: string) => {
        if (to === path) throw new Error('The process has ended.');
        await rename(from, to);
      });
      syncBuiltinESMExports();
      try {
        await assert.rejects(restore(config, file, { force: true }), /The process has ended/);
      } finally {
        t.mock.restoreAll();
        syncBuiltinESMExports();
      }
      assert.deepEqual(await readFile(path), before);
      const { putAside } = await restore(config, file, { force: true });
      assert.deepEqual(await readFile(putAside ?? ''), before);
    });

    test('a restore that PostgreSQL refuses halfway leaves the database that was there', {
      skip: engine === 'sqlite' && 'its file is replaced at once',
    }, async () => {
      const config = await elsewhere('refused-halfway');
      await restore(config);
      const client = new pg.Client({ connectionString: config.databaseUrl });
      await client.connect();
      // It has a name that the backup brings, and is none of the tables, sequences and functions that give way.
      await client.query('alter table companies rename to former; create type companies as (n integer)');
      await client.query('alter table former rename to kept');
      await assert.rejects(restore(config, file, { force: true }), /pg_restore failed|psql failed/);
      // A backup whose counts are wrong is found before the exchange counts.
      await client.query('drop type companies');
      const wrong = await withTables({ companies: 2 });
      await assert.rejects(restore(config, wrong, { force: true }), /companies has 1 rows and should have 2/);
      const { rows } = await client.query('select count(*)::integer as count from kept');
      await client.end();
      assert.deepEqual(rows, [{ count: 1 }]);
    });

    test('a restore brings everything when one of its programs is found late', {
      skip: engine === 'sqlite' && 'it needs no program',
    }, async () => {
      const config = await elsewhere('found-late');
      const find: FindProgram = async (name) => {
        if (name === 'psql') await setTimeout(300);
        return findProgram(name);
      };
      await restore(config, file, { find });
      const client = new pg.Client({ connectionString: config.databaseUrl });
      await client.connect();
      const { rows } = await client.query('select count(*)::integer as count from companies');
      await client.end();
      assert.deepEqual(rows, [{ count: 1 }]);
    });

    test('a restore that ends just after the exchange leaves new numbers for messages to other regions', {
      skip: engine === 'sqlite' && 'its file is replaced at once',
    }, async () => {
      const config = await elsewhere('ended-after');
      const endsBadly = folder.file('psql');
      await writeFile(endsBadly, `#!/bin/sh\n'${await findProgram('psql')}' "$@"\nexit 1\n`, { mode: 0o755 });
      const find: FindProgram = async (name) => (name === 'psql' ? endsBadly : findProgram(name));
      await assert.rejects(restore(config, file, { find }), /psql failed/);
      const client = new pg.Client({ connectionString: config.databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ next: string }>(
        `select nextval(pg_get_serial_sequence('region_messages', 'seq')) as next from companies`,
      );
      await client.end();
      assert.ok(Number(rows[0]?.next) > Date.UTC(2026, 0) * 1000, `${rows[0]?.next}`);
    });

    test('a damaged database is backed up by nobody, and saves nothing more', {
      skip: engine === 'postgres' && 'it checks its pages itself',
    }, async () => {
      await using damaged = await startPlatform(engine);
      await registerCompany(damaged);
      const path = databasePath(damaged.dataDir);
      damageTable(path, 'companies');
      const call = (method: string, path: string) =>
        fetch(`${damaged.url}${path}`, { method, headers: { authorization: `Bearer ${OPERATOR}` } });
      const backup = await call('POST', '/api/admin/backup');
      const { error, error_key } = (await backup.json()) as Record<string, string>;
      assert.deepEqual([backup.status, error_key], [503, 'admin.backup_unavailable']);
      assert.match(error ?? '', /is damaged: stop the platform and restore/);
      const health = (await (await call('GET', '/api/health')).json()) as object;
      assert.deepEqual(health, { status: 'writes_paused', away: ['saving'] });
      await assert.rejects(
        damaged.context.database.write(async () => {}),
        (refused: { key: string }) => refused.key === 'db.writes_paused',
      );
    });

    test('restoring a damaged, truncated or foreign file changes nothing', async () => {
      const config = await elsewhere('untouched');
      const bytes = await readFile(file);
      const half = bytes.length >> 1;
      const changed = Buffer.from(bytes);
      changed[half] = (changed[half] ?? 0) ^ 1;
      for (const [name, content, message] of [
        ['changed', changed, /damaged/],
        ['cut', bytes.subarray(0, half), /cut off/],
        ['no-end', bytes.subarray(0, bytes.length - 5), /cut off/],
        ['other', Buffer.from('{"a":1}\n'), /not a backup/],
        ['other', Buffer.from('nothing of the kind'), /not a backup of Symbolon/],
        ['other-line', Buffer.from('nothing\nof the kind\n'), /not a backup of Symbolon/],
        ['empty', Buffer.alloc(0), /cut off/],
        ['binary', Buffer.from([0, 1, 2, 10, 3]), /not a backup/],
      ] as const) {
        const path = folder.file(name);
        await writeFile(path, content);
        await assert.rejects(restore(config, path), message, name);
      }
      assert.throws(() => readdirSync(config.dataDir), /ENOENT/);
    });

    /** The same backup with another first line. */
    async function changed(change: object): Promise<string> {
      const [first = '', ...rest] = (await readFile(file, 'latin1')).split('\n');
      const name = createHash('sha1').update(JSON.stringify(change)).digest('hex');
      const path = folder.file(`changed-${name}`);
      const line = JSON.stringify({ ...JSON.parse(first), ...change });
      await writeFile(path, [line, ...rest].join('\n'), 'latin1');
      return path;
    }
    async function withTables(counts: Record<string, number>): Promise<string> {
      const { manifest } = await checkBackup(file);
      return changed({ tables: { ...manifest.tables, ...counts } });
    }

    test('restoring a backup of another engine or a newer version is refused with its own error', async () => {
      const config = await elsewhere('wrong');
      const other = engine === 'sqlite' ? 'postgres' : 'sqlite';
      await assert.rejects(restore(config, await changed({ engine: other })), /DATABASE_URL decides/);
      const { migrations } = (await checkBackup(file)).manifest;
      const newer = await changed({ migrations: [...migrations, '9999-later'] });
      await assert.rejects(restore(config, newer), /newer version/);
      const older = await changed({ migrations: ['0001-spine', '0002-webhooks'] });
      await assert.rejects(restore(config, older), /before 0\.1\.0 and cannot be upgraded/);
      await assert.rejects(
        restore(config, await withTables({ companies: 2 })),
        /companies has 1 rows and should have 2/,
      );
    });

    test('a backup that cannot be made says why', {
      skip: engine === 'sqlite' && 'it needs no program',
    }, async () => {
      const { config } = platform.context;
      const backups = new Backups({
        ...platform.context,
        blobs: blobsOf(config),
        find: async () => undefined,
      });
      await assert.rejects(backups.make(), (error: { key: string; status: number; message: string }) => {
        assert.deepEqual([error.key, error.status], ['admin.backup_unavailable', 503]);
        assert.match(error.message, /pg_dump is not installed/);
        return true;
      });
    });
  });
}
