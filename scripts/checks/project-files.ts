import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Every file of the project, relative to `root`: what git tracks and what it would, without what it ignores. */
export function projectFiles(root: string): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  return [...new Set(files)].sort();
}
