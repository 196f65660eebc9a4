import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Top folders of a particular machine: a path into one works nowhere else. */
const FOLDERS = ['work', 'root'];

/** As a path begins: not in the middle of a relative one or of a URL, but after the scheme of a file URL. */
const PATH_INTO_ONE = new RegExp(`(?<![\\w.~*@)}\\]-]|(?<!file:/)/)/(?:${FOLDERS.join('|')})/`);

/** npm writes it, and registries name their packages as they like. */
const EXEMPT = ['package-lock.json'];

/**
 * Checks that no text file among `files` names an absolute path of the machine it was written on.
 *
 * @param files paths relative to `root`.
 * @returns one line for every line that does.
 */
export function machinePaths(root: string, files: readonly string[]): string[] {
  return files
    .filter((file) => !EXEMPT.includes(file))
    .flatMap((file) => {
      const content = readFileSync(join(root, file));
      if (content.includes(0)) return []; // binary
      const lines = content.toString('utf8').split('\n');
      return lines.flatMap((line, index) => {
        const match = PATH_INTO_ONE.exec(line);
        return match === null ? [] : [`${file}:${index + 1}: an absolute path begins with ${match[0]}`];
      });
    });
}
