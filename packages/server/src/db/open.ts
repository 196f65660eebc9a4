import type { FastifyBaseLogger } from 'fastify';
import { type Instruments, noInstruments } from '../core/instruments.ts';
import type { Database } from './database.ts';
import { databasePath } from './database-path.ts';
import { type Patience, patiently } from './patience.ts';
import { openSqlite } from './sqlite.ts';
import { upgrade } from './upgrade.ts';

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** Opens the database that the configuration names and brings its schema up to date. */
export async function openDatabase(
  options: {
    databaseUrl: string | undefined;
    databaseDirectUrl?: string | undefined;
    dataDir: string;
    databaseWaitMs?: number;
  },
  log?: Log,
  instruments: Instruments = noInstruments,
): Promise<Database> {
  const waitMs = options.databaseWaitMs ?? 0;
  const patience = { until: 0 };
  const begun = performance.now();
  const { database, prepare } =
    options.databaseUrl === undefined
      ? { database: openSqlite(databasePath(options.dataDir), instruments), prepare: async () => {} }
      : await behindPooler(options.databaseUrl, options.databaseDirectUrl, { patience, instruments, log });
  const work = async () => {
    await prepare();
    await upgrade(database, log);
  };
  try {
    await whenThere(work, waitMs, log);
    // What follows at the start waits as long as this did not.
    patience.until = begun + waitMs;
  } catch (error) {
    await database.stop();
    throw error;
  }
  return database;
}

/** PostgreSQL, and the look at what stands before it. What only it needs is not loaded for the embedded database: it starts sooner. */
async function behindPooler(
  url: string,
  directUrl: string | undefined,
  { log, ...options }: { patience: Patience; instruments: Instruments; log: Log | undefined },
) {
  const [{ openPostgres }, { lookForPooler }] = await Promise.all([
    import('./postgres.ts'),
    import('./pooler.ts'),
  ]);
  const parsesAgain =
    'each statement is parsed again (PgBouncer knows them from 1.21 on, with max_prepared_statements)';
  const naming = {
    isOn: true,
    lost: () => log?.warn(`the pooler at DATABASE_URL knows no prepared statements any more: ${parsesAgain}`),
  };
  return {
    database: openPostgres(url, { ...options, naming, directUrl }),
    async prepare() {
      const { lends, keepsNames } = await lookForPooler(url);
      naming.isOn = keepsNames;
      if (!keepsNames)
        log?.warn(
          `the pooler at DATABASE_URL lends connections for a transaction and knows no prepared statements: ${parsesAgain}`,
        );
      if (lends && directUrl === undefined)
        log?.warn(
          'the pooler at DATABASE_URL lends connections for a transaction: signals of other processes do not come through it, and no backup is made; set SYMBOLON_DATABASE_DIRECT_URL',
        );
    },
  };
}

/** Runs the first work on a database, and says that the start waits for it. */
async function whenThere(work: () => Promise<void>, mostMs: number, log?: Log): Promise<void> {
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
