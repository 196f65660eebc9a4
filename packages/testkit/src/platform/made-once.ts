import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';

/** A folder that all test processes of a run share; nothing is shared when it is not set. */
export const RUN_FOLDER_VARIABLE = 'SYMBOLON_TEST_FOLDER';

/** How often whoever waits looks whether it is made. */
const LOOK_MS = 50;

/**
 * The path of a file or a folder that takes long to make and is the same for every test of a run: the first process that needs it makes
 * it, and the others wait for that. Undefined outside such a run.
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
  const claim = `${path}.maker`;
  while (!existsSync(path)) {
    if (!isClaimed(claim)) await pause(LOOK_MS);
    else await makeIt(path, make).finally(() => rmSync(claim, { force: true }));
  }
  return path;
}

async function makeIt(path: string, make: (path: string) => Promise<void>): Promise<void> {
  // Another process has made it between the look and the claim.
  if (existsSync(path)) return;
  // It has its name once it is whole.
  const unfinished = `${path}.${randomUUID()}`;
  await make(unfinished);
  try {
    // It takes no other one's place, which others may use already: two took the claim of one that had died.
    if (statSync(unfinished).isDirectory()) renameSync(unfinished, path);
    else linkSync(unfinished, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  rmSync(unfinished, { recursive: true, force: true });
}

/** Whether it is this call's to make: no other process makes it, or who did has died. */
function isClaimed(claim: string): boolean {
  try {
    // Unlike a file, a link is there with what it says or not at all.
    symlinkSync(String(process.pid), claim);
    return true;
  } catch {
    if (!isHeld(claim)) rmSync(claim, { force: true });
    return false;
  }
}

function isHeld(claim: string): boolean {
  try {
    return process.kill(Number(readlinkSync(claim)), 0);
  } catch {
    return false;
  }
}

/** The same for a value; outside a run of tests each process makes its own. */
export async function valueMadeOnce<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = await madeOnce(name, async (path) => writeFile(path, serialize(await make())));
  return file === undefined ? make() : deserialize(await readFile(file));
}
