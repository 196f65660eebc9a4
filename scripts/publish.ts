/**
 * Publishes the packages: `npm run publish:packages -- REPOSITORY [npm's flags]` packs them and hands each tarball to npm, what others need
 * first. REPOSITORY is the address that the provenance names, as `git+https://example.org/symbolon.git`: npm signs where a tarball was built,
 * which it can do in a workflow that may ask for an identity token. `--dry-run` publishes nothing, and needs neither.
 */
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { helpWhenAsked, refuse } from './usage.ts';

const USAGE = 'npm run publish:packages -- REPOSITORY [FLAG OF npm publish…]';
helpWhenAsked(USAGE);
const [repository, ...flags] = process.argv.slice(2);
if (repository === undefined || !URL.canParse(repository))
  refuse('Name the repository, as git+https://example.org/symbolon.git.', USAGE);

const folder = mkdtempSync(join(tmpdir(), 'symbolon-publish-'));
try {
  const env = { ...process.env, SYMBOLON_REPOSITORY: repository };
  const pack = [join(import.meta.dirname, 'pack.ts'), folder];
  const packed = execFileSync(process.execPath, pack, { env, encoding: 'utf8' });
  // It names the tarballs in the order in which they need each other.
  for (const tarball of packed
    .trim()
    .split('\n')
    .slice(-globSync('*.tgz', { cwd: folder }).length)) {
    const publish = ['publish', join(folder, tarball), '--provenance', '--access', 'public', ...flags];
    execFileSync('npm', publish, { stdio: 'inherit' });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
