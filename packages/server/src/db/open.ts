import { join } from 'node:path';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Engine, Writer } from './database.ts';
import { spine } from './migrations/0001-spine.ts';
import { webhooks } from './migrations/0002-webhooks.ts';
import { accountClients } from './migrations/0003-account-clients.ts';
import { portalSecurity } from './migrations/0004-portal-security.ts';
import { profile } from './migrations/0005-profile.ts';
import { customers } from './migrations/0006-customers.ts';
import { operations } from './migrations/0007-operations.ts';
import { regions } from './migrations/0008-regions.ts';
import { moves } from './migrations/0009-moves.ts';
import { webhookDeliveries } from './migrations/0010-webhook-deliveries.ts';
import { drains } from './migrations/0011-drains.ts';
import { onePassMoves } from './migrations/0012-one-pass-moves.ts';
import { peerCalls } from './migrations/0014-peer-calls.ts';
import { oneTimeSnapshots } from './migrations/0016-one-time-snapshots.ts';
import { openSqlite } from './sqlite.ts';

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(options: {
  databaseUrl: string | undefined;
  dataDir: string;
}): Promise<Database> {
  const database =
    options.databaseUrl === undefined
      ? openSqlite(databasePath(options.dataDir))
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

/** The embedded database's file. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'symbolon.db');
}

function migrations(engine: Engine): Record<string, Migration> {
  return {
    '0001-spine': spine(engine),
    '0002-webhooks': webhooks(engine),
    '0003-account-clients': accountClients(engine),
    '0004-portal-security': portalSecurity(),
    '0005-profile': profile(),
    '0006-customers': customers(),
    '0007-operations': operations(),
    '0008-regions': regions(engine),
    '0009-moves': moves(engine),
    '0010-webhook-deliveries': webhookDeliveries(engine),
    '0011-drains': drains(engine),
    '0012-one-pass-moves': onePassMoves(),
    '0014-peer-calls': peerCalls(engine),
    '0016-one-time-snapshots': oneTimeSnapshots(),
  };
}

/** Names of the migrations that this version knows. */
export const knownMigrations: readonly string[] = Object.keys(migrations('sqlite'));

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
