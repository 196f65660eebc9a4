import { join } from 'node:path';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Engine } from './database.ts';
import { spine } from './migrations/0001-spine.ts';
import { webhooks } from './migrations/0002-webhooks.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Database> {
  const database =
    options.databaseUrl === undefined
      ? openSqlite(join(options.dataDir, 'symbolon.db'))
      : openPostgres(options.databaseUrl);
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
  const migrator = new Migrator({
    db: database.schema,
    provider: { getMigrations: async () => migrations(database.engine) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
