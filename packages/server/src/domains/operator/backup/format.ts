import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Engine } from '../../../db/database.ts';
import type { EncryptedColumn } from '../../../db/encrypted-columns.ts';

/*
 * A backup is one file: a line of JSON (the manifest), the database, and after it each blob behind a line of JSON of its own.
 * A last line says that nothing is missing at the end. The database is what its engine's own tools read: a SQLite file, or
 * an archive of pg_restore; `tail -n +2` shows it.
 */

/** The first line. */
export interface Manifest {
  readonly symbolon_backup: 1;
  readonly engine: Engine;
  readonly version: string;
  readonly region: string;
  readonly created_at: string;
  /** What tells the secrets apart under which it was written, by their versions. Backups of 0.1.0 lack it. */
  readonly keys?: Readonly<Record<string, string>>;
  /** The columns whose texts the server's keys encrypt. Backups of 0.1.0 lack it. */
  readonly encrypted?: readonly EncryptedColumn[];
  /** Names of the migrations that made the schema. */
  readonly migrations: readonly string[];
  /** Rows of each table at the moment of the backup. */
  readonly tables: Readonly<Record<string, number>>;
  readonly database: { readonly bytes: number; readonly sha256: string };
}

/** The line before a blob's bytes. */
interface BlobLine {
  readonly blob: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The last line. `missing` blobs were removed while the backup was made. */
export interface EndLine {
  readonly end: true;
  readonly blobs: number;
  readonly missing: number;
}

export const line = (value: Manifest | BlobLine | EndLine): Buffer =>
  Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');

/** Not a backup, damaged, or of another version; the message says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** How the first line begins. */
const FIRST = '{"symbolon_backup":';
const LINE_MOST = 1024 * 1024;
const CHUNK = 1024 * 1024;

/** Reads a backup from its beginning to its end. */
export class BackupReader implements AsyncDisposable {
  readonly #file: FileHandle;
  #position = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<BackupReader> {
    return new BackupReader(await open(path, 'r'));
  }

  /** @throws {BackupError} */
  async manifest(): Promise<Manifest> {
    const value = (await this.#line(FIRST)) as Partial<Manifest> | undefined;
    if (value?.symbolon_backup !== 1 || value.database === undefined || value.tables === undefined) {
      throw new BackupError('This is not a backup of Symbolon.');
    }
    return value as Manifest;
  }

  /** The next blob's line, or the last line. @throws {BackupError} */
  async next(): Promise<BlobLine | EndLine> {
    const value = (await this.#line()) as Partial<BlobLine & EndLine> | undefined;
    if (value?.end === true || typeof value?.blob === 'string') return value as BlobLine | EndLine;
    throw damaged();
  }

  /** Copies the next bytes into a file, made again and brought to the disk. @throws {BackupError} for a wrong checksum */
  async copyTo(path: string, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<void> {
    const target = await open(path, 'wx', 0o600);
    try {
      const digest = await this.#each(bytes, (chunk) => target.writeFile(chunk));
      if (digest !== sha256) throw damaged();
      await target.sync();
    } finally {
      await target.close();
    }
  }

  /** The next bytes. @throws {BackupError} for a wrong checksum */
  async take({ bytes, sha256 }: { bytes: number; sha256: string }): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const digest = await this.#each(bytes, async (chunk) => void chunks.push(Buffer.from(chunk)));
    if (digest !== sha256) throw damaged();
    return Buffer.concat(chunks);
  }

  /** Reads the next bytes and checks them. @throws {BackupError} for a wrong checksum */
  async check({ bytes, sha256 }: { bytes: number; sha256: string }): Promise<void> {
    if ((await this.#each(bytes, async () => {})) !== sha256) throw damaged();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #each(bytes: number, use: (chunk: Buffer) => Promise<unknown>): Promise<string> {
    const hash = createHash('sha256');
    for (let left = bytes; left > 0; ) {
      const chunk = Buffer.alloc(Math.min(CHUNK, left));
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#position);
      if (bytesRead === 0) throw new BackupError('The backup is cut off.');
      this.#position += bytesRead;
      left -= bytesRead;
      const read = chunk.subarray(0, bytesRead);
      hash.update(read);
      await use(read);
    }
    return hash.digest('hex');
  }

  /** @param begins how the line must begin; a line of another format is refused at any length */
  async #line(begins = ''): Promise<unknown> {
    const chunk = Buffer.alloc(64 * 1024);
    let text = Buffer.alloc(0);
    while (text.length < LINE_MOST) {
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length, this.#position + text.length);
      if (bytesRead === 0 && !begins.startsWith(text.toString('latin1').slice(0, begins.length)))
        return undefined;
      if (bytesRead === 0) throw new BackupError('The backup is cut off.');
      const end = chunk.subarray(0, bytesRead).indexOf(0x0a);
      text = Buffer.concat([text, chunk.subarray(0, end < 0 ? bytesRead : end)]);
      if (end < 0) continue;
      this.#position += text.length + 1;
      try {
        return JSON.parse(text.toString('utf8'));
      } catch {
        return undefined;
      }
    }
    return undefined;
  }
}

/** Reads a whole backup and checks every checksum in it. @throws {BackupError} */
export async function checkBackup(path: string): Promise<{ manifest: Manifest; end: EndLine }> {
  await using reader = await BackupReader.open(path);
  const manifest = await reader.manifest();
  await reader.check(manifest.database);
  for (;;) {
    const next = await reader.next();
    if ('end' in next) return { manifest, end: next };
    await reader.check(next);
  }
}

/** Hands out the blobs of a backup that have one of these hashes. @throws {BackupError} */
export async function takeBlobs(
  path: string,
  wanted: ReadonlySet<string>,
  take: (bytes: Buffer) => Promise<unknown>,
): Promise<void> {
  await using reader = await BackupReader.open(path);
  await reader.check((await reader.manifest()).database);
  for (;;) {
    const next = await reader.next();
    if ('end' in next) return;
    if (wanted.has(next.sha256)) await take(await reader.take(next));
    else await reader.check(next);
  }
}

function damaged(): BackupError {
  return new BackupError('The backup is damaged: a checksum does not match.');
}
