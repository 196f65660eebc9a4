import { accessSync, constants, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/*
 * Programs of the machine that tests judge or run with. A test never asks the machine in another way, so that
 * `npm test -- --bare` can hide them all.
 */

/** Hides every program: set by `npm test -- --bare`. */
export const BARE_VARIABLE = 'SYMBOLON_TEST_BARE';

/** Debian puts PostgreSQL's server here, one folder for each version, and not on the path. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** Where servers stand; the path of a user may lack it. */
const SERVERS = '/usr/sbin';

/** @returns the path of the first of these programs that is installed; undefined when none is */
export function findTool(...names: readonly string[]): string | undefined {
  if (process.env[BARE_VARIABLE] !== undefined) return undefined;
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...onPath, SERVERS];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Why tests that need these programs are skipped; false when they run. With CI=true the programs must be there. */
export function without(...names: readonly string[]): string | false {
  const missing = names.filter((name) => findTool(name) === undefined);
  return missing.length > 0 && process.env.CI !== 'true' && `${missing.join(', ')} not installed`;
}

/** The folder of `initdb` and `postgres`: by the path, else Debian's of the newest version. */
export function findPostgres(): string | undefined {
  const found = findTool('initdb') ?? newestOfDebian();
  // Through a link, so that both programs come from one version and find their shared files.
  return found === undefined ? undefined : dirname(realpathSync(found));
}

function newestOfDebian(): string | undefined {
  if (process.env[BARE_VARIABLE] !== undefined) return undefined;
  try {
    const versions = readdirSync(DEBIAN_POSTGRES).sort((a, b) => Number(b) - Number(a));
    return versions.map((name) => join(DEBIAN_POSTGRES, name, 'bin', 'initdb')).find(isProgram);
  } catch {
    return undefined;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
