import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../../../core/blobs.ts';
import type { BackupConfig } from '../../../core/config-backup.ts';
import { BackupError } from './format.ts';

/** Where backups are kept: a folder, or a store of objects. */
export interface BackupPlace {
  /** Names that begin so, in order. */
  list(beginning: string): Promise<string[]>;
  /**
   * Resolves once it is there, durably and whole.
   * @param spool a file that may be written meanwhile, where its caller removes it
   */
  put(name: string, source: Readable, spool: string): Promise<void>;
  /** @throws {BackupError} when it is not there */
  read(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** What the name of a proof ends with, after that of its backup. */
export const PROOF = '.proof';
/** Whether a name in such a place is that of a backup. */
export const isBackup = (name: string): boolean => /\.backup(\.age)?$/.test(name);

/** The most that an S3-compatible store takes in one upload. */
const UPLOAD_MOST = 5 * 1024 ** 3;

export async function openPlace(place: NonNullable<BackupConfig['place']>): Promise<BackupPlace> {
  if ('folder' in place) return folderPlace(place.folder);
  const { s3Objects } = await import('../../../core/s3-objects.ts');
  const objects = s3Objects(place.s3);
  return {
    list: (beginning) => objects.list(beginning),
    async put(name, source, spool) {
      // Its length and hash stand before it, so it is written here first.
      const hash = createHash('sha256');
      source.on('data', (chunk: Buffer) => hash.update(chunk));
      await pipeline(source, createWriteStream(spool, { mode: 0o600 }));
      const { size } = await stat(spool);
      if (size > UPLOAD_MOST)
        throw new BackupError(
          'The backup is larger than the 5 GiB that an object store takes at once: set SYMBOLON_BACKUP_TO to a folder.',
        );
      const body = createReadStream(spool);
      await objects.put(name, body, size, hash.digest('hex')).finally(() => body.destroy());
    },
    async read(name) {
      const answer = await objects.get(name);
      if (answer === undefined) throw missing(name);
      return answer.body;
    },
    remove: (name) => objects.remove(name),
    stop: () => objects.stop(),
  };
}

function folderPlace(folder: string): BackupPlace {
  return {
    async list(beginning) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = await readdir(folder);
      return names.filter((name) => name.startsWith(beginning) && !name.endsWith('.part')).sort();
    },
    async put(name, source) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, name);
      const unfinished = `${path}.part`;
      try {
        await pipeline(source, createWriteStream(unfinished, { mode: 0o600 }));
        const file = await open(unfinished, 'r');
        await file.sync().finally(() => file.close());
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(folder);
    },
    async read(name) {
      const file = await open(join(folder, name), 'r').catch((error: { code?: string }) => {
        throw error.code === 'ENOENT' ? missing(name) : error;
      });
      return file.createReadStream();
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    stop: async () => {},
  };
}

const missing = (name: string) => new BackupError(`There is no backup ${name}.`);
