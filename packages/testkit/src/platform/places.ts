import type { Database, Engine } from '../../../server/src/db/database.ts';
import { databasePath } from '../../../server/src/db/database-path.ts';
import { migrations } from '../../../server/src/db/migrations/index.ts';
import { openPostgres } from '../../../server/src/db/postgres.ts';
import { openSqlite } from '../../../server/src/db/sqlite.ts';
import { upgrade } from '../../../server/src/db/upgrade.ts';
import { temporaryFolder } from '../folder.ts';
import { createMigratedDatabase, createPostgresDatabase, throughPooler } from './postgres-databases.ts';
import { UNLIMITED } from './rates.ts';
import { placeMigratedDatabase } from './sqlite-databases.ts';

/** The token of the operator of every platform in a place. */
export const OPERATOR = 'operator-token-of-the-tests-0123456789';
/** The one that only reads. */
export const OPERATOR_READS = 'operator-token-that-only-reads-0123456789';

/** Where a platform keeps its data: a folder, and a database on PostgreSQL. Both go with it. */
export interface Place extends AsyncDisposable {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** The variables of a platform there, whose limits are off. */
  readonly environment: Readonly<Record<string, string>>;
}

/** @param content with the schema of today, or nothing */
export async function openPlace(engine: Engine, content: 'migrated' | 'empty' = 'migrated'): Promise<Place> {
  const { path: dataDir, [Symbol.dispose]: remove } = temporaryFolder();
  const create = content === 'migrated' ? createMigratedDatabase : createPostgresDatabase;
  const database = engine === 'postgres' ? await create() : undefined;
  if (engine === 'sqlite' && content === 'migrated') await placeMigratedDatabase(dataDir);
  return {
    dataDir,
    databaseUrl: database?.url,
    environment: {
      ...UNLIMITED,
      SYMBOLON_DATA_DIR: dataDir,
      SYMBOLON_LOG_LEVEL: 'error',
      SYMBOLON_OPERATOR_TOKEN: OPERATOR,
      SYMBOLON_OPERATOR_READ_TOKEN: OPERATOR_READS,
      ...(database && throughPooler(database.url)),
    },
    async [Symbol.asyncDispose]() {
      await database?.drop();
      remove();
    },
  };
}

/**
 * A database as it was before a migration.
 * @param number of the migration, as its name begins; before `0001` there is nothing
 */
export async function openBefore(
  engine: Engine,
  number: string,
): Promise<AsyncDisposable & { readonly database: Database }> {
  const place = await openPlace(engine, 'empty');
  const { databaseUrl, dataDir } = place;
  const database = databaseUrl === undefined ? openSqlite(databasePath(dataDir)) : openPostgres(databaseUrl);
  const before = Object.entries(migrations(engine)).filter(([name]) => name < number);
  if (before.length > 0) await upgrade(database, undefined, Object.fromEntries(before));
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.stop();
      await place[Symbol.asyncDispose]();
    },
  };
}
