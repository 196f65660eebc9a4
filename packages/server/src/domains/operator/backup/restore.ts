import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type BlobStore, folderBlobs, syncFolder } from '../../../core/blobs.ts';
import { systemClock } from '../../../core/clock.ts';
import type { Config } from '../../../core/config.ts';
import { createIds } from '../../../core/ids.ts';
import { hasKeys, KeyRing } from '../../../core/key-ring.ts';
import { databasePath } from '../../../db/database-path.ts';
import { countTables as countPostgres } from './copy-postgres.ts';
import { assertFits, regionOf, type Target } from './fits.ts';
import { BackupError, BackupReader, checkBackup, type EndLine, type Manifest } from './format.ts';
import { type FindProgram, findProgram, replaceContent, runProgram } from './postgres-programs.ts';
import { countTables as countSqlite, damageOf } from './sqlite-tables.ts';

/** Tables that have rows in an unused installation too. */
const OF_EVERY_INSTALLATION = /^(kysely_|processes$|region_settings$|row_count)/;

/** Puts a backup in the place of what a configuration names. @throws {BackupError} with what to do */
export function restoreInto(
  config: Config,
  file: string,
  options: { force?: boolean } = {},
): Promise<Restored> {
  const ports = { clock: systemClock, ids: createIds(systemClock) };
  const blobs = folderBlobs(config.blobsDir ?? join(config.dataDir, 'blobs'), ports);
  const { dataDir } = config;
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const target = { dataDir, databaseUrl, region: regionOf(config), keys: keysOf(config), blobs };
  return restoreBackup(target, file, options);
}

/** The secret that is there; none is made. */
function keysOf(config: Config): KeyRing | undefined {
  return hasKeys(config) ? new KeyRing(config.secret, config.dataDir) : undefined;
}

export interface Restored {
  readonly manifest: Manifest;
  readonly end: EndLine;
  /** Where the former embedded database was put aside. */
  readonly putAside?: string;
}

/**
 * Puts a backup in the place of an installation's database. The platform must not run. Phases: 1. the whole file is checked
 * before anything is touched; 2. the target must be empty, unless forced; 3. the blobs are written, beside what is there: they are
 * named by their content; 4. the database is put in place, whole or not at all, and its rows are counted against the manifest. So a
 * restore that ends early leaves the database that was there, and never one without its files.
 *
 * @throws {BackupError} with what to do
 */
export async function restoreBackup(
  target: Target & { dataDir: string; blobs: Pick<BlobStore, 'write'> },
  file: string,
  options: { force?: boolean; find?: FindProgram } = {},
): Promise<Restored> {
  const { manifest } = await checkBackup(file);
  assertFits(manifest, target);
  await using reader = await BackupReader.open(file);
  await reader.manifest();
  await mkdir(target.dataDir, { recursive: true, mode: 0o700 });
  let end: EndLine | undefined;
  const writeBlobs = async (): Promise<void> => {
    for (;;) {
      const next = await reader.next();
      if ('end' in next) {
        end = next;
        return;
      }
      await target.blobs.write(next.blob, await reader.take(next));
    }
  };
  const content = { reader, manifest, writeBlobs };
  const putAside =
    target.databaseUrl === undefined
      ? await intoSqlite(content, databasePath(target.dataDir), options.force ?? false)
      : await intoPostgres(content, { ...target, databaseUrl: target.databaseUrl }, options);
  if (end === undefined) throw new Error('The blobs of the backup were not written.');
  return { manifest, end, ...(putAside === undefined ? {} : { putAside }) };
}

/** What a backup holds: its database is read first, then its blobs. */
interface Content {
  readonly reader: BackupReader;
  readonly manifest: Manifest;
  /** Called when the database is copied, before it takes its place. */
  readonly writeBlobs: () => Promise<void>;
}

async function intoSqlite(
  { reader, manifest, writeBlobs }: Content,
  path: string,
  force: boolean,
): Promise<string | undefined> {
  if (existsSync(path)) {
    const rows = readWholly(path, force);
    if (rows > 0 && !force) throw notEmpty();
  }
  const fresh = `${path}.restoring`;
  await rm(fresh, { force: true });
  try {
    await reader.copyTo(fresh, manifest.database);
    const database = new DatabaseSync(fresh);
    try {
      const damage = damageOf(database);
      if (damage !== undefined) throw new BackupError(`The database in the backup is damaged: ${damage}`);
      compare(manifest.tables, countSqlite(database));
      database.exec(`
        delete from sqlite_sequence where name = 'region_messages';
        insert into sqlite_sequence (name, seq) values ('region_messages', ${beyondAllGiven()})`);
    } finally {
      database.close();
    }
    await writeBlobs();
    const putAside = await putAsideFrom(path, manifest.created_at);
    await rename(fresh, path);
    await syncFolder(dirname(path));
    return putAside;
  } finally {
    await rm(fresh, { force: true });
  }
}

/**
 * Gives what is there a second name, and moves its logs away: a log of another database would be read into the one that comes. The
 * database keeps its first name until the other takes it: whenever the process ends, there is one of the two, and it is whole.
 * @returns the new name of what was there
 */
async function putAsideFrom(path: string, createdAt: string): Promise<string | undefined> {
  const first = `${path}.before-restore-${createdAt.replaceAll(/[:.]/g, '-')}`;
  // What an earlier restore put aside stays.
  let putAside = first;
  for (let next = 2; existsSync(putAside); next++) putAside = `${first}-${next}`;
  const there = existsSync(path);
  if (there) {
    // Some file systems know no second names.
    await link(path, putAside).catch(() => copyFile(path, putAside));
  }
  for (const suffix of ['-wal', '-shm'])
    if (existsSync(`${path}${suffix}`)) await rename(`${path}${suffix}`, `${putAside}${suffix}`);
  await syncFolder(dirname(path));
  return there ? putAside : undefined;
}

/**
 * Counts the rows of an embedded database and checkpoints its log.
 * @param damagedToo one that cannot be read counts as empty
 * @throws {BackupError} when a process has it open, or it cannot be read
 */
function readWholly(path: string, damagedToo: boolean): number {
  const database = new DatabaseSync(path);
  try {
    // Exclusive from the first look on: that fails while any other process has the database open.
    database.exec(
      'pragma locking_mode = exclusive; begin immediate; commit; pragma wal_checkpoint(truncate)',
    );
    return rowsIn(countSqlite(database));
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    if (((errcode ?? 0) & 0xff) === SQLITE_BUSY) {
      throw new BackupError('The database is in use: stop the platform first.');
    }
    if (damagedToo) return 0;
    throw new BackupError('The database that is there cannot be read: --force puts it aside.', {
      cause: error,
    });
  } finally {
    database.close();
  }
}

const SQLITE_BUSY = 5;
/** The functions of the schema, on PostgreSQL: they are dropped with the triggers that call them. */
const FUNCTIONS = `select oid::regprocedure::text as name from pg_proc
  where pronamespace = current_schema()::regnamespace and prorettype = 'trigger'::regtype`;
/** Those that belong to no table: the others are dropped with their table. */
const SEQUENCES = 'select sequencename as name from pg_sequences where schemaname = current_schema()';

async function intoPostgres(
  { reader, manifest, writeBlobs }: Content,
  target: { dataDir: string; databaseUrl: string },
  { force = false, find = findProgram }: { force?: boolean; find?: FindProgram },
): Promise<undefined> {
  const archive = join(target.dataDir, 'restoring.dump');
  await rm(archive, { force: true });
  const client = new pg.Client({ connectionString: target.databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const before = await countPostgres(client);
    if (rowsIn(before) > 0 && !force) throw notEmpty();
    if (!force) await assertUnused(client);
    await reader.copyTo(archive, manifest.database);
    // Nothing is dropped for an archive that pg_restore cannot read.
    await runProgram('pg_restore', undefined, ['--list', archive], find);
    const sequences = await client.query<{ name: string }>(SEQUENCES);
    const functions = await client.query<{ name: string }>(FUNCTIONS);
    const schema = await client.query('select current_schema() as schema');
    // What is there gives way in the transaction that brings the other: whenever the process ends, there is one of the two.
    const drops = [
      ...Object.keys(before).map((name) => `drop table ${pg.escapeIdentifier(name)} cascade;`),
      ...sequences.rows.map(({ name }) => `drop sequence if exists ${pg.escapeIdentifier(name)};`),
      ...functions.rows.map(({ name }) => `drop function if exists ${name} cascade;`),
    ];
    // The schema itself stays as it is: only what is in it comes back.
    const args = ['--no-owner', '--no-privileges', '--no-comments', `--schema=${schema.rows[0].schema}`];
    // Nothing is changed behind the exchange: the process may end there.
    const last = [rowsCompared(schema.rows[0].schema, manifest.tables), numbersSet(schema.rows[0].schema)];
    await writeBlobs();
    await replaceContent(target.databaseUrl, drops, [...args, archive], last, find);
  } finally {
    await client.end().catch(() => {});
    await rm(archive, { force: true });
  }
}

async function assertUnused(client: pg.Client): Promise<void> {
  const others = await client.query(
    'select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  if (Number(others.rows[0].count) > 0)
    throw new BackupError('The database is in use: stop the platform first.');
}

/** Refuses a PostgreSQL database that anybody is connected to. @throws {BackupError} */
export async function refuseUsed(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  await assertUnused(client).finally(() => client.end());
}

/** A statement that fails unless each table of a schema has the rows that a backup tells of. */
function rowsCompared(schema: string, told: Readonly<Record<string, number>>): string {
  return `do ${pg.escapeLiteral(`
    declare
      told constant jsonb := ${pg.escapeLiteral(JSON.stringify(told))};
      name text;
      found bigint;
    begin
      for name in
        select jsonb_object_keys(told)
        union select tablename from pg_tables where schemaname = ${pg.escapeLiteral(schema)}
      loop
        execute format('select count(*) from %I.%I', ${pg.escapeLiteral(schema)}, name) into found;
        if found is distinct from (told->>name)::bigint then
          raise exception 'The table % has % rows and should have %.', name, found, coalesce(told->>name, 'none');
        end if;
      end loop;
    end`)};`;
}

/** A statement that lets the next message to another region have a number that none had. */
function numbersSet(schema: string): string {
  const table = pg.escapeLiteral(`${pg.escapeIdentifier(schema)}.region_messages`);
  return `select setval(pg_get_serial_sequence(${table}, 'seq'), ${beyondAllGiven()});`;
}

/**
 * A number beyond all that messages to other regions ever had. Since the backup was made, the others have taken in messages whose
 * numbers it does not know, and would skip new ones with the same numbers. Those that wait in it keep theirs: what has arrived of them is
 * not applied twice.
 */
const beyondAllGiven = () => Date.now() * 1000;

function rowsIn(tables: Readonly<Record<string, number>>): number {
  return Object.entries(tables).reduce(
    (sum, [name, rows]) => sum + (OF_EVERY_INSTALLATION.test(name) ? 0 : rows),
    0,
  );
}

function compare(told: Readonly<Record<string, number>>, found: Readonly<Record<string, number>>): void {
  const names = new Set([...Object.keys(told), ...Object.keys(found)]);
  for (const name of names) {
    if (told[name] !== found[name]) {
      throw new BackupError(
        `The table ${name} has ${found[name] ?? 'no'} rows and should have ${told[name] ?? 'none'}.`,
      );
    }
  }
}

function notEmpty(): BackupError {
  return new BackupError('The database is not empty: --force replaces what is there.');
}
