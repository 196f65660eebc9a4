import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Every file of the command is written beside its place and put there when it is whole and on the disk: one that is cut off by a full disk or
 * a kill never has the name that was asked for.
 */

const PRIVATE = 0o600;
/** What the system gives for a file system that has no second name for a file. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Writes a file that only its owner can read, in the place of an older one. */
export const replacePrivate = (file: string, text: string): void => writeNow(file, text, renameSync);

/** Writes a file that only its owner can read. Never over one that is there: it may be the only copy of a key. */
export const writePrivate = (file: string, text: string): void => writeNow(file, text, give);

function writeNow(file: string, text: string, put: (fresh: string, file: string) => void): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = beside(file);
  try {
    writeFileSync(fresh, text, { mode: PRIVATE, flag: 'wx', flush: true });
    put(fresh, file);
  } catch (error) {
    throw of(file, error);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/**
 * Writes a file, never over one that is there.
 *
 * @param mode `PRIVATE` unless everybody may read it
 * @throws what the system says, EEXIST among it, with `path` the file that was asked for
 */
export async function writeNew(
  file: string,
  content: string | Uint8Array | AsyncIterable<string | Uint8Array>,
  { mode = PRIVATE }: { mode?: number } = {},
): Promise<void> {
  const fresh = beside(file);
  try {
    assertFree(file);
    await writeFile(fresh, content, { mode, flag: 'wx', flush: true });
    give(fresh, file);
  } catch (error) {
    throw of(file, error);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** For a file that everybody may read whom the user's own mask lets. */
export const SHARED = { mode: 0o666 };

function beside(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}`;
}

/** A second name is refused where the first is taken, whoever takes it meanwhile; a new name for the file is not. */
function give(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    assertFree(file);
    renameSync(fresh, file);
  }
}

/** Before anything is written, too, so that a user does not wait for a download that has no place. */
function assertFree(file: string): void {
  if (existsSync(file)) throw Object.assign(new Error(`EEXIST: ${file}`), { code: 'EEXIST', path: file });
}

function of(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return error instanceof Error && code !== undefined && syscall !== undefined
    ? Object.assign(error, { path: file })
    : error;
}
