import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '@symbolon/testkit/platform/engines';
import { openBefore, openPlace } from '@symbolon/testkit/platform/places';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ConfigError } from '../core/config-error.ts';
import { version } from '../core/version.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import { openDatabase } from './open.ts';
import { checkSchema, upgrade } from './upgrade.ts';

/** After all that there are. */
const NOTES = '9999-notes';
const createNotes: Migration = {
  up: async (db) => {
    await sql`create table notes (id text not null, text text not null)`.execute(db);
  },
};

async function tablesOf({ schema }: Database): Promise<string[]> {
  const tables = await schema.introspection.getTables({ withInternalKyselyTables: true });
  return tables.map(({ name }) => name).sort();
}

async function migrationsOf({ schema }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    schema,
  );
  return rows.map(({ name }) => name);
}

for (const engine of engines) {
  const known = migrations(engine);

  test(`a new migration runs once, with a line in the log (${engine})`, async () => {
    await using empty = await openBefore(engine, '0001');
    const { database } = empty;
    const logged: unknown[] = [];
    const log = { info: (...line: unknown[]) => void logged.push(line) };
    await upgrade(database, log);
    assert.deepEqual(logged, [], 'an empty database is made, not upgraded');
    assert.deepEqual(await migrationsOf(database), Object.keys(known));
    for (const _ of ['once', 'again']) await upgrade(database, log, { ...known, [NOTES]: createNotes });
    assert.deepEqual(logged, [[{ from: version, to: version, migrations: [NOTES] }, 'database upgraded']]);
    assert.ok((await tablesOf(database)).includes('notes'));
  });

  test(`a migration that fails leaves nothing, and is tried again by the next start (${engine})`, async () => {
    await using before = await openBefore(engine, NOTES);
    const { database } = before;
    const tables = await tablesOf(database);
    const failing: Migration = {
      up: async (db) => {
        await createNotes.up(db);
        await sql`insert into notes (id) values ('no text')`.execute(db);
      },
    };
    await assert.rejects(upgrade(database, undefined, { ...known, [NOTES]: failing }), /null/i);
    assert.deepEqual(await tablesOf(database), tables);
    assert.deepEqual(await migrationsOf(database), Object.keys(known));
    await upgrade(database, undefined, { ...known, [NOTES]: createNotes });
    assert.deepEqual(await migrationsOf(database), [...Object.keys(known), NOTES]);
  });

  test(`a version works on beside a newer one that says so, and after it (${engine})`, async () => {
    await using before = await openBefore(engine, NOTES);
    const { database } = before;
    const newer = (besideOlder: boolean) => ({ ...known, [NOTES]: { ...createNotes, besideOlder } });
    await upgrade(database, undefined, newer(true));
    await checkSchema(database);
    await upgrade(database);
    const later = { '9999-other': { up: async () => {} } };
    await assert.rejects(upgrade(database, undefined, { ...known, ...later }), /which cannot read it/);
    assert.deepEqual(await migrationsOf(database), [...Object.keys(known), NOTES]);
    await upgrade(database, undefined, { ...newer(true), ...later });
    await assert.rejects(checkSchema(database), /a newer version has upgraded the database/);
    await assert.rejects(upgrade(database), /which cannot read it/);
  });

  test(`a database of a newer version is refused with that version (${engine})`, async () => {
    await using place = await openPlace(engine);
    const database = await openDatabase(place);
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2027')`.execute(
      database.schema,
    );
    await sql`update region_settings set value = '"9.1.0"' where name = 'platform.version'`.execute(
      database.schema,
    );
    await database.stop();
    await assert.rejects(openDatabase(place), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, /^The database was written by version 9\.1\.0, and this is/);
      return true;
    });
  });

  test(`a database from before 0.1.0 is refused, and stays as it is (${engine})`, async () => {
    await using old = await openBefore(engine, '0001');
    const { database } = old;
    const earlier = { '0001-spine': createNotes, '0002-webhooks': { up: async () => {} } };
    // Nothing but the names of its migrations tells it from others.
    await assert.rejects(upgrade(database, undefined, earlier), /region_settings/);
    const tables = await tablesOf(database);
    assert.ok(tables.includes('notes'));
    await assert.rejects(upgrade(database), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.equal(
        error.message,
        'The database was made by a version before 0.1.0 and cannot be upgraded: start with an empty database.',
      );
      return true;
    });
    assert.deepEqual(await tablesOf(database), tables);
    assert.deepEqual(await migrationsOf(database), Object.keys(earlier));
  });
}

test('processes that start at once on an empty PostgreSQL make its schema once', {
  skip: !engines.includes('postgres') && 'PostgreSQL not found',
}, async () => {
  await using place = await openPlace('postgres', 'empty');
  const databases = await Promise.all([1, 2, 3].map(() => openDatabase(place)));
  const ran = await Promise.all(databases.map(migrationsOf));
  await Promise.all(databases.map((database) => database.stop()));
  for (const names of ran) assert.deepEqual(names, Object.keys(migrations('postgres')));
});
