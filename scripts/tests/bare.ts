import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BARE_VARIABLE } from '@symbolon/testkit/tools';

/** What any machine with Node has. */
const ESSENTIALS = (
  'node npm npx sh bash env cat chmod cp date dirname basename echo grep head id kill ln ls mkdir mktemp mv ps pwd ' +
  'readlink realpath rm sed seq sleep sort tail tar tee touch tr true uname wc which git'
).split(' ');

/** An environment in which nothing is installed but Node. @param folder where the path of programs is laid out */
export function bareEnvironment(environment: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const path = join(folder, 'bare');
  mkdirSync(path);
  const folders = (environment.PATH ?? '').split(delimiter);
  for (const name of ESSENTIALS) {
    const program = folders.map((one) => join(one, name)).find(existsSync);
    if (program !== undefined) symlinkSync(program, join(path, name));
  }
  const { CI: _, SYMBOLON_TEST_DATABASE_URL: __, ...rest } = environment;
  return { ...rest, PATH: path, [BARE_VARIABLE]: '1' };
}
