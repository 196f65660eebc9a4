import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from './database.ts';
import { patiently } from './patience.ts';
import { openSqlite } from './sqlite.ts';
import { upgrade } from './upgrade.ts';

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(
  options: { databaseUrl: string | undefined; dataDir: string; databaseWaitMs?: number },
  log?: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<Database> {
  const waitMs = options.databaseWaitMs ?? 0;
  const patience = { until: 0 };
  const begun = performance.now();
  const database =
    options.databaseUrl === undefined
      ? openSqlite(databasePath(options.dataDir))
      : // What only PostgreSQL needs is not loaded for the embedded database: it starts sooner.
        (await import('./postgres.ts')).openPostgres(options.databaseUrl, { patience });
  try {
    await whenThere(() => upgrade(database, log), waitMs, log);
    // What follows at the start waits as long as this did not.
    patience.until = begun + waitMs;
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

/** Runs the first work on a database, and says that the start waits for it. */
async function whenThere(
  work: () => Promise<void>,
  mostMs: number,
  log?: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<void> {
  const begun = performance.now();
  let waits = false;
  await patiently(work, { until: begun + mostMs }, (error) => {
    if (!waits) {
      log?.warn(
        { err: error },
        `database unavailable: it does not answer; the start waits for it, ${Math.round(mostMs / 1000)} s at most`,
      );
    }
    waits = true;
  });
  if (waits) log?.info(`database available again after ${Math.round((performance.now() - begun) / 1000)} s`);
}

/** The embedded database's file. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'symbolon.db');
}
