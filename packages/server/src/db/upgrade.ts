import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigError } from '../core/config-error.ts';
import { version } from '../core/version.ts';
import type { Database } from './database.ts';
import { migrations, readability } from './migrations/index.ts';

/** The setting with the version of the platform that last wrote here. */
const WRITTEN_BY = 'platform.version';

/**
 * Brings the schema up to date and notes which version did it.
 * @throws {ConfigError} for a database that this version cannot read; nothing in it is changed
 */
export async function upgrade(
  database: Database,
  log?: Pick<FastifyBaseLogger, 'info'>,
  known: Readonly<Record<string, Migration>> = migrations(database.engine),
): Promise<void> {
  const before = await migrationsRun(database);
  const names = Object.keys(known);
  const readable = readability(before, names);
  if (readable === 'older') {
    throw new ConfigError(
      'The database was made by a version before 0.1.0 and cannot be upgraded: start with an empty database.',
    );
  }
  const writtenBy = before.length > 0 ? await writerVersion(database) : undefined;
  if (readable === 'newer') {
    throw new ConfigError(
      `The database was written by ${writtenBy === undefined ? 'a newer version' : `version ${writtenBy}`}, and this is version ${version}, which cannot read it. Start that version or a newer one, or restore a backup from before the upgrade.`,
    );
  }
  await migrate(database, known);
  const added = names.filter((name) => !before.includes(name));
  if (before.length > 0 && added.length > 0)
    log?.info(
      { from: writtenBy ?? 'an earlier version', to: version, migrations: added },
      'database upgraded',
    );
  if (writtenBy === version) return;
  await database.write(async (writer) => {
    const row = { value: JSON.stringify(version), updated_at: Date.now() };
    await writer
      .insertInto('region_settings')
      .values({ name: WRITTEN_BY, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  });
}

/** Names of the migrations that made the schema; none for a new database. */
async function migrationsRun({ schema }: Database): Promise<string[]> {
  const tables = await schema.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    schema,
  );
  return rows.map(({ name }) => name);
}

async function writerVersion({ reader }: Database): Promise<string | undefined> {
  const row = await reader
    .selectFrom('region_settings')
    .select('value')
    .where('name', '=', WRITTEN_BY)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.value) as string);
}

async function migrate(database: Database, known: Readonly<Record<string, Migration>>): Promise<void> {
  const on = async (db: Kysely<unknown>) => {
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...known }) },
    }).migrateToLatest();
    if (error !== undefined) throw error;
  };
  // On SQLite, Kysely would commit every statement by itself: slow to start with, and half a schema if the process dies.
  if (database.engine === 'sqlite')
    await database.write((writer) => on(writer as unknown as Kysely<unknown>));
  else await on(database.schema as unknown as Kysely<unknown>);
}
