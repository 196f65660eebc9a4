import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { KeyRing } from '../../../core/key-ring.ts';
import { createSecrets } from '../../../core/secrets.ts';
import type { Database, Reader } from '../../../db/database.ts';
import { type EncryptedColumn, oldRows } from '../../../db/encrypted-columns.ts';
import { assertSecret } from '../../../db/key-checks.ts';
import { openDatabase } from '../../../db/open.ts';
import { checkSchema } from '../../../db/upgrade.ts';
import { decryptFile, isEncrypted } from './age.ts';
import { BackupError, type EndLine, type Manifest } from './format.ts';
import { restoreBackup } from './restore.ts';

/** Plain data: it crosses to a thread. */
export interface ProofOptions {
  readonly file: string;
  /** Private keys that open it. */
  readonly identities: readonly string[];
  /** For what is written meanwhile; it is made, and removed afterwards. */
  readonly folder: string;
  /** The PostgreSQL on which a database is made for the proof; undefined: the embedded one is proven. */
  readonly scratchUrl: string | undefined;
  readonly region: string;
  readonly secret: string | undefined;
  readonly dataDir: string;
}

/** What was found when a backup was restored. */
export interface Proof
  extends Pick<Manifest, 'version' | 'region' | 'engine' | 'created_at' | 'keys' | 'migrations'> {
  readonly rows: number;
  readonly blobs: number;
  /** Encrypted texts that the server's keys opened. */
  readonly opened: number;
}

/** Texts of each encrypted column that are opened. */
const OPENED_EACH = 20;

/** A backup in a database of its own. */
export interface RestoredBeside {
  readonly database: Database;
  readonly manifest: Manifest;
  readonly end: EndLine;
  readonly keys: KeyRing;
  /** The backup, not encrypted. */
  readonly file: string;
}

/**
 * Restores a backup into a database that is made for it and dropped afterwards: every checksum is compared, every row counted
 * against the manifest, the schema checked, and texts opened with the server's keys.
 * @throws {BackupError | ConfigError | Error} when something is not as it should be
 */
export function proveBackup(options: ProofOptions): Promise<Proof> {
  return restoreBeside(options, async ({ database, manifest, end, keys }) => {
    const { version, engine, created_at, keys: fingerprints, migrations } = manifest;
    return {
      ...{ version, region: manifest.region, engine, created_at, migrations },
      ...(fingerprints === undefined ? {} : { keys: fingerprints }),
      rows: Object.values(manifest.tables).reduce((sum, rows) => sum + rows, 0),
      blobs: end.blobs,
      opened: await openTexts(database.reader, manifest.encrypted ?? [], keys),
    };
  });
}

/**
 * Restores a backup beside an installation for some work, into a database that is made for it and dropped afterwards. It is checked
 * whole, and has the schema of this version.
 * @throws {BackupError | ConfigError | Error} when something is not as it should be
 */
export async function restoreBeside<T>(
  options: ProofOptions,
  work: (restored: RestoredBeside) => Promise<T>,
): Promise<T> {
  const { folder, scratchUrl } = options;
  await mkdir(folder, { mode: 0o700 });
  try {
    const file = await plainFile(options);
    if (scratchUrl === undefined) return await restoreIn(undefined, file, options, work);
    return await withDatabase(scratchUrl, (url) => restoreIn(url, file, options, work));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function plainFile({ file, identities, folder }: ProofOptions): Promise<string> {
  if (!(await isEncrypted(file))) return file;
  const plain = join(folder, 'plain');
  await decryptFile(file, plain, identities);
  return plain;
}

async function restoreIn<T>(
  databaseUrl: string | undefined,
  file: string,
  { folder, region, secret, dataDir: home }: ProofOptions,
  work: (restored: RestoredBeside) => Promise<T>,
): Promise<T> {
  const keys = new KeyRing(secret, home);
  const dataDir = join(folder, 'scratch');
  // What blobs hold is compared with their hashes; they need not be written for that.
  const blobs = { write: async () => {} };
  const { manifest, end } = await restoreBackup({ databaseUrl, dataDir, region, keys, blobs }, file);
  const database = await openDatabase({ databaseUrl, dataDir });
  try {
    await checkSchema(database);
    await assertSecret(database, keys);
    return await work({ database, manifest, end, keys, file });
  } finally {
    await database.stop();
  }
}

async function openTexts(
  reader: Reader,
  columns: readonly EncryptedColumn[],
  keys: KeyRing,
): Promise<number> {
  const secrets = createSecrets(keys);
  let opened = 0;
  for (const column of columns) {
    // No version of the key has this number: all rows are under another.
    const rows = await oldRows(reader, column, { version: 0, after: '', most: OPENED_EACH });
    for (const { key, stored } of rows) {
      try {
        secrets.decrypt(stored, { table: column.table, column: column.column, id: key }).fill(0);
      } catch (cause) {
        throw new BackupError(
          `A text of ${column.table}.${column.column} does not open with the server's keys.`,
          {
            cause,
          },
        );
      }
      opened++;
    }
  }
  return opened;
}

const SCRATCH = /^symbolon_proof_(\d{1,15})_[0-9a-f]{8}$/;
/** Older ones are of processes that died. */
const SCRATCH_MS = 86_400_000;

/** Makes a database for some work, and drops it afterwards. */
async function withDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  const name = `symbolon_proof_${Date.now()}_${randomBytes(4).toString('hex')}`;
  const drop = (database: string) => client.query(`drop database if exists ${database} with (force)`);
  try {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname like 'symbolon\\_proof\\_%'",
    );
    for (const row of rows) {
      const [, at] = SCRATCH.exec(row.name) ?? [];
      if (at !== undefined && Number(at) < Date.now() - SCRATCH_MS) await drop(row.name);
    }
    await client.query(`create database ${name}`).catch((cause: { code?: string }) => {
      if (cause.code !== '42501') throw cause;
      throw new BackupError(
        'The database user may not make a database for the proof: ALTER ROLE … CREATEDB, or set SYMBOLON_BACKUP_SCRATCH_URL.',
        { cause },
      );
    });
    try {
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return await work(url.href);
    } finally {
      await drop(name);
    }
  } finally {
    await client.end().catch(() => {});
  }
}
