import type { FastifyBaseLogger } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { ConfigError } from '../core/config-error.ts';
import { version } from '../core/version.ts';
import type { Database, Reader, Writer } from './database.ts';
import { knownMigrations, migrations, readability, type Step } from './migrations/index.ts';

/** The setting with the version of the platform that last wrote here. */
export const WRITTEN_BY = 'platform.version';
/**
 * The setting with the names of migrations beside which older versions may work: those do not know the migrations themselves. A database
 * without it was last written by a version that would not look for it.
 */
export const BESIDE_OLDER = 'platform.migrations_beside_older';

/**
 * Brings the schema up to date and notes which version did it.
 * @throws {ConfigError} for a database that this version cannot read; nothing in it is changed
 */
export async function upgrade(
  database: Database,
  log?: Pick<FastifyBaseLogger, 'info'>,
  known: Readonly<Record<string, Step>> = migrations(database.engine),
): Promise<void> {
  const before = await migrationsRun(database);
  const names = Object.keys(known);
  if (readability(before, names) === 'older') {
    throw new ConfigError(
      'The database was made by a version before 0.1.0 and cannot be upgraded: start with an empty database.',
    );
  }
  const beside = before.length > 0 ? await setting<string[]>(database.reader, BESIDE_OLDER) : undefined;
  const writtenBy = before.length > 0 ? await setting<string>(database.reader, WRITTEN_BY) : undefined;
  const added = names.filter((name) => !before.includes(name));
  const isOlder = before.some((name) => !names.includes(name));
  // What works beside a newer version adds nothing of its own.
  if (readability(before, names, beside) === 'newer' || (isOlder && added.length > 0)) {
    throw new ConfigError(
      `The database was written by ${writtenBy === undefined ? 'a newer version' : `version ${writtenBy}`}, and this is version ${version}, which cannot read it. Start that version or a newer one, or restore a backup from before the upgrade.`,
    );
  }
  if (isOlder) return;
  if (added.length > 0) await migrate(database, known);
  if (before.length > 0 && added.length > 0)
    log?.info(
      { from: writtenBy ?? 'an earlier version', to: version, migrations: added },
      'database upgraded',
    );
  if (writtenBy === version && beside !== undefined) return;
  await database.write(async (writer) => {
    await put(writer, WRITTEN_BY, version);
    await put(writer, BESIDE_OLDER, (await setting(writer, BESIDE_OLDER)) ?? []);
  });
}

/** Rejects when another version has changed the schema so that this one cannot use it. */
export async function checkSchema({ vital }: Pick<Database, 'vital'>): Promise<undefined> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(vital as Writer);
  const names = rows.map(({ name }) => name);
  const known = knownMigrations();
  const isOlder = names.some((name) => !known.includes(name));
  const beside = isOlder ? await setting<string[]>(vital, BESIDE_OLDER) : [];
  if (readability(names, known, beside) === 'newer')
    throw new Error('a newer version has upgraded the database');
  if (known.some((name) => !names.includes(name))) throw new Error('migrations are missing');
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

async function setting<T>(reader: Reader, name: string): Promise<T | undefined> {
  const row = await reader
    .selectFrom('region_settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.value) as T);
}

async function put(writer: Writer, name: string, value: unknown): Promise<void> {
  const row = { value: JSON.stringify(value), updated_at: Date.now() };
  await writer
    .insertInto('region_settings')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** A process of an older version sees a migration and what is said of it in the same moment. */
const declared = (name: string, step: Step): Step =>
  step.besideOlder
    ? {
        async up(db) {
          await step.up(db);
          const writer = db as unknown as Writer;
          const beside = (await setting<string[]>(writer, BESIDE_OLDER)) ?? [];
          await put(writer, BESIDE_OLDER, [...beside, name]);
        },
      }
    : step;

async function migrate(database: Database, known: Readonly<Record<string, Step>>): Promise<void> {
  const all = Object.fromEntries(Object.entries(known).map(([name, step]) => [name, declared(name, step)]));
  const on = async (db: Kysely<unknown>) => {
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => all },
    }).migrateToLatest();
    if (error !== undefined) throw error;
  };
  // On SQLite, Kysely would commit every statement by itself: slow to start with, and half a schema if the process dies.
  if (database.engine === 'sqlite')
    await database.write((writer) => on(writer as unknown as Kysely<unknown>));
  else await on(database.schema as unknown as Kysely<unknown>);
}
