import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openDatabase } from '../../../server/src/db/open.ts';

/** A database of one's own on the suite's PostgreSQL. */
export interface PostgresDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const MIGRATIONS = new URL('../../../server/src/db/migrations/', import.meta.url);
const NO_SUCH_DATABASE = '3D000';

/** The address of a pooler in front of the suite's PostgreSQL, through which platforms reach their databases. */
export const POOLER_VARIABLE = 'SYMBOLON_TEST_POOLER_URL';

/** The variables by which a platform reaches a database. */
export function throughPooler(url: string): Readonly<Record<string, string>> {
  const pooler = process.env[POOLER_VARIABLE];
  if (pooler === undefined) return { DATABASE_URL: url };
  const through = new URL(url);
  through.host = new URL(pooler).host;
  return { DATABASE_URL: through.href, SYMBOLON_DATABASE_DIRECT_URL: url };
}

/** An empty database. */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  return created((name) => administer((client) => client.query(`create database ${name}`)));
}

/** A database with the schema of today: copying one takes a fraction of the time of migrating one. */
export async function createMigratedDatabase(): Promise<PostgresDatabase> {
  const template = `migrated_${versionOfMigrations()}`;
  return created((name) =>
    administer(async (client) => {
      // Copying its files takes half the time of logging its pages.
      const copy = () => client.query(`create database ${name} template ${template} strategy file_copy`);
      try {
        await copy();
      } catch (error) {
        if ((error as pg.DatabaseError).code !== NO_SUCH_DATABASE) throw error;
        await makeTemplate(client, template);
        await copy();
      }
    }),
  );
}

async function created(create: (name: string) => Promise<unknown>): Promise<PostgresDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await create(name);
  const drop = (client: pg.Client) => client.query(`drop database if exists ${name} with (force)`);
  return { url: urlOf(name), drop: async () => void (await administer(drop)) };
}

/** The first process that needs it makes it; it has its name once it is whole. */
async function makeTemplate(client: pg.Client, template: string): Promise<void> {
  await client.query('select pg_advisory_lock(1)');
  const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
  if (rowCount !== 0) return;
  await client.query('drop database if exists migrating with (force)');
  await client.query('create database migrating');
  const database = await openDatabase({ databaseUrl: urlOf('migrating'), dataDir: '' });
  await database.stop();
  await client.query(`alter database migrating rename to ${template}`);
}

async function administer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: suiteUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(suiteUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function suiteUrl(): string {
  const url = process.env.SYMBOLON_TEST_DATABASE_URL;
  if (url === undefined) throw new Error('SYMBOLON_TEST_DATABASE_URL is not set: run the tests by npm test.');
  return url;
}

/** A PostgreSQL that is kept between runs may have the template of other migrations. */
function versionOfMigrations(): string {
  const hash = createHash('sha256');
  const files = readdirSync(MIGRATIONS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const file of files.sort()) hash.update(readFileSync(new URL(file, MIGRATIONS)));
  return hash.digest('hex').slice(0, 16);
}
