import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/** A folder that all test processes of a run share; nothing is shared when it is not set. */
export const RUN_FOLDER_VARIABLE = 'SYMBOLON_TEST_FOLDER';

/**
 * The path of a file or a folder that takes long to make and is the same for every test of a run: the first processes that need it make
 * it. Undefined outside such a run.
 *
 * @param make writes the file at the path that it is given
 */
export async function madeOnce(
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string | undefined> {
  const folder = process.env[RUN_FOLDER_VARIABLE];
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  if (!existsSync(path)) {
    // It has its name once it is whole.
    const unfinished = `${path}.${randomUUID()}`;
    await make(unfinished);
    try {
      // Neither takes the place of what somebody else has made meanwhile, and others may use already.
      if (statSync(unfinished).isDirectory()) renameSync(unfinished, path);
      else linkSync(unfinished, path);
    } catch (error) {
      if (!existsSync(path)) throw error;
    }
    rmSync(unfinished, { recursive: true, force: true });
  }
  return path;
}

/** The same for a value; outside a run of tests each process makes its own. */
export async function valueMadeOnce<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = await madeOnce(name, async (path) => writeFile(path, serialize(await make())));
  return file === undefined ? make() : deserialize(await readFile(file));
}
