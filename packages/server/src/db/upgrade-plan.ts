import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Config } from '../core/config.ts';
import { databasePath } from './database-path.ts';
import { knownMigrations, migrations, readability } from './migrations/index.ts';
import { type Peek, peekInto } from './peek.ts';
import { BESIDE_OLDER, WRITTEN_BY } from './upgrade.ts';

/** What this version would do to a database, read without a change to it. */
export interface UpgradePlan {
  readonly engine: 'sqlite' | 'postgres';
  /** Of the database's engine, as it says itself. */
  readonly engineVersion: string;
  /** The version of the platform that last wrote there; undefined: none did. */
  readonly writtenBy: string | undefined;
  readonly path: 'empty' | 'readable' | 'older' | 'newer';
  /** Migrations that the start would run. */
  readonly pending: readonly string[];
  /** Processes of the version that wrote there may go on while the migrations run, and afterwards. */
  readonly rolls: boolean;
  readonly bytes: number;
  /** Of the disk of an embedded database; PostgreSQL's is not seen from here. */
  readonly freeBytes: number | undefined;
}

/** @returns undefined where the embedded database has no file yet */
export async function planUpgrade(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
): Promise<UpgradePlan | undefined> {
  return peekInto(config, async (peek) => {
    const ran = (await peek('select name from kysely_migration order by name')).map(({ name }) =>
      String(name),
    );
    const read = await peek('select name, value from region_settings');
    const setting = <T>(name: string): T | undefined => {
      const value = read.find((row) => row.name === name)?.value;
      return typeof value === 'string' ? (JSON.parse(value) as T) : undefined;
    };
    const beside = setting<string[]>(BESIDE_OLDER);
    const known = knownMigrations();
    const pending = known.filter((name) => !ran.includes(name));
    const own =
      config.databaseUrl === undefined ? await ofSqlite(peek, config.dataDir) : await ofPostgres(peek);
    return {
      ...own,
      writtenBy: setting<string>(WRITTEN_BY),
      path: ran.length === 0 ? 'empty' : readability(ran, known, beside),
      pending,
      rolls:
        pending.length === 0 ||
        (own.engine === 'postgres' &&
          beside !== undefined &&
          pending.every((name) => migrations(own.engine)[name]?.besideOlder)),
    };
  });
}

type OfEngine = Pick<UpgradePlan, 'engine' | 'engineVersion' | 'bytes' | 'freeBytes'>;

async function ofSqlite(peek: Peek, dataDir: string): Promise<OfEngine> {
  const [row] = await peek('select sqlite_version() as version');
  const { bavail, bsize } = await statfs(dataDir);
  return {
    engine: 'sqlite',
    engineVersion: String(row?.version),
    bytes: statSync(databasePath(dataDir)).size,
    freeBytes: bavail * bsize,
  };
}

async function ofPostgres(peek: Peek): Promise<OfEngine> {
  const [row] = await peek(
    "select current_setting('server_version') as version, pg_database_size(current_database()) as bytes",
  );
  return {
    engine: 'postgres',
    engineVersion: String(row?.version),
    bytes: Number(row?.bytes),
    freeBytes: undefined,
  };
}
