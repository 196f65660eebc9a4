import { join } from 'node:path';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Engine, Writer } from './database.ts';
import { spine } from './migrations/0001-spine.ts';
import { webhooks } from './migrations/0002-webhooks.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Database> {
  const database =
    options.databaseUrl === undefined
      ? openSqlite(join(options.dataDir, 'symbolon.db'))
      : // What only PostgreSQL needs is not loaded for the embedded database: it starts sooner.
        (await import('./postgres.ts')).openPostgres(options.databaseUrl);
  try {
    await migrate(database);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

function migrations(engine: Engine): Record<string, Migration> {
  return { '0001-spine': spine(engine), '0002-webhooks': webhooks(engine) };
}

async function migrate(database: Database): Promise<void> {
  // On SQLite, Kysely would commit every statement by itself: slow to start with, and half a schema if the process dies.
  if (database.engine === 'sqlite') await database.write((writer) => migrateOn(writer, database.engine));
  else await migrateOn(database.schema, database.engine);
}

async function migrateOn(db: Writer, engine: Engine): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(engine) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
