import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SOURCE = join(import.meta.dirname, '..', 'tools');
const CACHE = join(ROOT, 'node_modules', '.cache');

/**
 * The compilers, bundlers and least runtimes of `tools/package-lock.json`. They are installed once, beside what `npm ci`
 * brings, because nothing but this test needs them. `undefined` where no registry answers.
 */
export function installTools(): string | undefined {
  const lock = readFileSync(join(SOURCE, 'package-lock.json'), 'utf8');
  try {
    const folder = madeInCache('installed-tools', lock, (fresh) => {
      writeFileSync(join(fresh, 'package.json'), readFileSync(join(SOURCE, 'package.json')));
      writeFileSync(join(fresh, 'package-lock.json'), lock);
      npm(['ci', '--prefer-offline', '--ignore-scripts', '--fetch-retries=0'], fresh);
    });
    return join(folder, 'node_modules');
  } catch {
    if (process.env.CI === 'true') throw new Error('The tools of test/installed could not be installed.');
    return undefined;
  }
}

/**
 * A folder that is kept beside what `npm ci` brings, until what it was made of is another.
 *
 * @param of what it is made of
 * @param make fills the empty folder that it is given
 */
export function madeInCache(name: string, of: string, make: (folder: string) => void): string {
  const folder = join(CACHE, `${name}-${createHash('sha256').update(of).digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    make(fresh);
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
  return folder;
}

/** Runs npm in a folder that knows nothing of this repository. */
export function npm(args: readonly string[], cwd: string): string {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  return execFileSync('npm', [...args, ...quiet], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
