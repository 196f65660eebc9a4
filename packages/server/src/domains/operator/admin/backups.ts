import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../../core/blobs.ts';
import { isoTime } from '../../../core/clock.ts';
import type { Config } from '../../../core/config.ts';
import { PlatformError } from '../../../core/errors.ts';
import { version } from '../../../core/version.ts';
import { databasePath } from '../../../db/database-path.ts';
import { encryptedColumns } from '../../../db/encrypted-columns.ts';
import { fingerprints } from '../../../db/key-checks.ts';
import type { Core } from '../../domain.ts';
import {
  BackupError,
  copyPostgres,
  copySqlite,
  type FindProgram,
  findProgram,
  line,
  MADE,
  type Manifest,
  measure,
  regionOf,
} from '../backup/index.ts';
import { migrationsRun } from './store.ts';

interface Deps
  extends Pick<Core, 'availability' | 'clock' | 'database' | 'ids' | 'log' | 'settings' | 'tables'> {
  readonly blobs: BlobStore;
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'region' | 'roles'>;
  readonly find?: FindProgram;
}

/**
 * Backups while the platform serves: the database as it was at one moment, and the blobs its rows named then. The keys of the
 * server are not in it.
 */
export class Backups {
  readonly #deps: Deps;
  readonly #find: FindProgram;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#find = deps.find ?? findProgram;
  }

  /**
   * Makes a backup. The copy of the database lies in the data folder until the stream has ended, however it does.
   * @throws {PlatformError} admin.backup_unavailable, with the reason
   */
  async make(): Promise<Readable> {
    const { dataDir, databaseUrl, databaseDirectUrl } = this.#deps.config;
    const folder = join(dataDir, `backup-${this.#deps.ids.uuid()}`);
    const path = join(folder, 'database');
    const clear = () => rm(folder, { recursive: true, force: true });
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const createdAt = this.#deps.clock.now();
      const migrations = await migrationsRun(this.#deps.database.reader);
      const copy =
        databaseUrl === undefined
          ? await copySqlite(databasePath(dataDir), path)
          : await copyPostgres(databaseDirectUrl ?? databaseUrl, path, this.#find);
      const manifest: Manifest = {
        symbolon_backup: 1,
        engine: this.#deps.database.engine,
        version,
        region: regionOf(this.#deps.config),
        created_at: isoTime(createdAt),
        keys: await fingerprints(this.#deps.database.reader),
        encrypted: encryptedColumns(this.#deps.tables),
        migrations,
        tables: copy.tables,
        database: await measure(path),
      };
      const parts = this.#parts(manifest, path, copy.blobs, createdAt);
      const stream = Readable.from(parts, { objectMode: false });
      stream.once('close', () => void clear().catch(() => {}));
      return stream;
    } catch (error) {
      await clear();
      if (!(error instanceof BackupError)) throw error;
      // A damaged database is one for everybody, not for backups alone.
      this.#deps.availability.failed('saving', error.cause);
      throw new PlatformError('admin.backup_unavailable', { text: error.message, cause: error });
    }
  }

  async *#parts(
    manifest: Manifest,
    path: string,
    blobs: readonly { key: string; hash: string }[],
    createdAt: number,
  ): AsyncGenerator<Buffer> {
    yield line(manifest);
    yield* createReadStream(path) as AsyncIterable<Buffer>;
    let written = 0;
    for (const { key, hash } of blobs) {
      const bytes = await this.#deps.blobs.read(key);
      // Removed since the moment that the database was copied at.
      if (bytes === undefined) continue;
      yield line({ blob: key, bytes: bytes.length, sha256: hash });
      yield bytes;
      written++;
    }
    yield line({ end: true, blobs: written, missing: blobs.length - written });
    await this.#noteMade(createdAt);
  }

  /** Its reader has all of it. A backup is as good while nothing can be saved. */
  async #noteMade(createdAt: number): Promise<void> {
    const { availability, database, log, settings } = this.#deps;
    try {
      await database.write((writer) => settings.set(writer, MADE, createdAt));
      await settings.reload();
    } catch (error) {
      if (!availability.explains(error)) log.error({ err: error }, 'the time of a backup could not be saved');
    }
  }
}
