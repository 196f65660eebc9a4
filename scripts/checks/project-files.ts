import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = 'main';

/** Every file of the project, relative to `root`: what git tracks and what it would, without what it ignores. */
export function projectFiles(root: string): string[] {
  const listed = git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  return names(listed).filter((file) => existsSync(join(root, file)));
}

/**
 * The files of the project that are not what they were, those that are gone too.
 * @param since a commit; when this branch left the main one unless said otherwise
 */
export function changedFiles(root: string, since = leftMain(root)): string[] {
  const tracked = git(root, 'diff', '-z', '--name-only', since);
  return names(tracked + git(root, 'ls-files', '-z', '--others', '--exclude-standard'));
}

/** The first lines of the commits of this branch, without those that only bring branches together. */
export function ownSubjects(root: string): string[] {
  const listed = git(root, 'log', '--no-merges', '--format=%s', `${leftMain(root)}..HEAD`);
  return listed.split('\n').filter((subject) => subject !== '');
}

function leftMain(root: string): string {
  const hasMain = git(root, 'branch', '--list', MAIN) !== '';
  return hasMain ? git(root, 'merge-base', 'HEAD', MAIN).trim() : 'HEAD';
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
}

const names = (listed: string) => [...new Set(listed.split('\0').filter((name) => name !== ''))].sort();
