import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small separate file system, which can be filled, and broken so that it is read-only. */
export interface Disk {
  readonly folder: string;
  /** Writes until nothing more fits. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
  /** As after an input/output error: everything that writes fails. Undefined where it cannot be made. */
  readonly breakIt: (() => Promise<void>) | undefined;
  /** Checks and mounts it again. No process may have a file of it open. */
  repair(): Promise<void>;
  remove(): Promise<void>;
}

/** Why there are no disks to break: mounting takes root on Linux. */
export async function noDisks(): Promise<string | false> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting needs root on Linux';
  try {
    await (await tmpfsDisk(1)).remove();
    return false;
  } catch (error) {
    return `mounting is not possible here: ${(error as Error).message.split('\n')[0]}`;
  }
}

/** A disk in memory: quick, and an fsync costs nothing. It cannot be broken, for tmpfs knows no errors. */
async function tmpfsDisk(megabytes: number): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'symbolon-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'symbolon-chaos', folder]);
  return {
    ...fillable(folder),
    breakIt: undefined,
    repair: async () => {},
    remove: () => unmount(folder),
  };
}

/** An ext4 in a file. @returns undefined where loop devices are missing */
export async function ext4Disk(megabytes: number): Promise<Disk | undefined> {
  const place = await mkdtemp(join(tmpdir(), 'symbolon-disk-'));
  // PostgreSQL runs as another user.
  await chmod(place, 0o755);
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  await mkdir(folder);
  const mount = () => run('mount', ['-o', 'loop', image, folder]);
  try {
    await run('truncate', ['-s', `${megabytes}m`, image]);
    await run('mkfs.ext4', ['-q', '-m', '0', image]);
    await mount();
  } catch {
    await rm(place, { recursive: true, force: true });
    return undefined;
  }
  return {
    ...fillable(folder),
    breakIt: async () => void (await run('mount', ['-o', 'remount,abort', folder])),
    async repair() {
      await run('umount', [folder]);
      // 1: errors were corrected.
      await run('fsck.ext4', ['-p', '-f', image]).catch((error: { code?: number }) => {
        if (error.code !== 1) throw error;
      });
      await mount();
    },
    async remove() {
      await unmount(folder);
      await rm(place, { recursive: true, force: true });
    },
  };
}

function fillable(folder: string): Pick<Disk, 'folder' | 'fill' | 'free'> {
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        // In large pieces first, then by the page: what is left is taken as well.
        for (const size of [1 << 20, 1 << 12]) {
          const piece = Buffer.alloc(size, 1);
          while ((await statfs(folder)).bavail > 0) {
            const { bytesWritten } = await file.write(piece).catch(() => ({ bytesWritten: 0 }));
            if (bytesWritten < size) break;
          }
        }
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast, { force: true }),
  };
}

async function unmount(folder: string): Promise<void> {
  // Lazily: what still has a file open goes on without being seen.
  await run('umount', ['-l', folder]).catch(() => undefined);
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
