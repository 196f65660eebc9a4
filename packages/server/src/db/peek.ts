import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Config } from '../core/config.ts';
import { databasePath } from './database-path.ts';

/** Gives the rows of a statement; no rows where a table is missing. */
export type Peek = (statement: string) => Promise<Readonly<Record<string, unknown>>[]>;

/** PostgreSQL has no such table. */
const UNDEFINED_TABLE = '42P01';

/**
 * Reads a database as it is, beside whatever runs on it: nothing is made, upgraded or changed.
 * @returns undefined when the embedded database has no file yet
 */
export async function peekInto<T>(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  read: (peek: Peek) => Promise<T>,
): Promise<T | undefined> {
  return databaseUrl === undefined
    ? intoSqlite(databasePath(dataDir), read)
    : intoPostgres(databaseUrl, read);
}

/** Settings of a region or front door, read the same way; undefined when there is no database. */
export async function peekSettings(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
): Promise<{ get<T>(name: string): T | undefined } | undefined> {
  return peekInto(config, async (peek) => {
    const rows = await peek('select name, value from region_settings');
    const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]));
    return {
      get<T>(name: string) {
        const value = values.get(name);
        return value === undefined ? undefined : (JSON.parse(value) as T);
      },
    };
  });
}

async function intoSqlite<T>(path: string, read: (peek: Peek) => Promise<T>): Promise<T | undefined> {
  if (!existsSync(path)) return undefined;
  const database = openToPeek(path);
  try {
    return await read(async (statement) => {
      try {
        return database.prepare(statement).all();
      } catch (error) {
        if (/^no such table/.test((error as Error).message)) return [];
        throw error;
      }
    });
  } finally {
    database.close();
  }
}

/** Opens an embedded database to read it as it is. */
export function openToPeek(path: string): DatabaseSync {
  // Beside a database without a log SQLite would leave one, of the user that looked, which the platform could perhaps not write.
  const isAtRest = !existsSync(`${path}-wal`);
  const location = isAtRest ? new URL(`${pathToFileURL(path).href}?immutable=1`) : path;
  return new DatabaseSync(location, { readOnly: true, timeout: 5000 });
}

async function intoPostgres<T>(databaseUrl: string, read: (peek: Peek) => Promise<T>): Promise<T> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await read(async (statement) => {
      try {
        return (await client.query(statement)).rows;
      } catch (error) {
        if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
        throw error;
      }
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
