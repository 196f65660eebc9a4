import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Database, Engine } from '../../../server/src/db/database.ts';
import { databasePath, migrations } from '../../../server/src/db/open.ts';
import { openPostgres } from '../../../server/src/db/postgres.ts';
import { openSqlite } from '../../../server/src/db/sqlite.ts';
import { temporaryFolder } from '../folder.ts';
import { createMigratedDatabase, createPostgresDatabase } from './postgres-databases.ts';
import { UNLIMITED } from './rates.ts';
import { placeMigratedDatabase } from './sqlite-databases.ts';

/** The token of the operator of every platform in a place. */
export const OPERATOR = 'operator-token-of-the-tests-0123456789';

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
      ...(database && { DATABASE_URL: database.url }),
    },
    async [Symbol.asyncDispose]() {
      await database?.drop();
      remove();
    },
  };
}

/** An empty database, for migrations one by one. */
export async function openEmpty(engine: Engine): Promise<AsyncDisposable & { readonly database: Database }> {
  const place = await openPlace(engine, 'empty');
  const database = databaseIn(place);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.stop();
      await place[Symbol.asyncDispose]();
    },
  };
}

const databaseIn = ({ databaseUrl, dataDir }: Place): Database =>
  databaseUrl === undefined ? openSqlite(databasePath(dataDir)) : openPostgres(databaseUrl);

/**
 * The data of a release from before a migration.
 * @param number of the migration, as its name begins
 * @param fill writes what was there
 */
export async function openBefore(
  engine: Engine,
  number: string,
  fill: (db: Kysely<unknown>) => Promise<unknown>,
): Promise<Place> {
  const place = await openPlace(engine, 'empty');
  const database = databaseIn(place);
  const before = Object.entries(migrations(engine)).filter(([name]) => name < number);
  const run = async (connection: unknown) => {
    const db = connection as Kysely<unknown>;
    const provider = { getMigrations: async () => Object.fromEntries(before) };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error !== undefined) throw error;
    await fill(db);
  };
  if (engine === 'sqlite') await database.write(run);
  else await run(database.schema);
  await database.stop();
  return place;
}
