/**
 * Builds the documentation site: `npm run build:docs [-- FOLDER]`, and by itself on `npm ci`. It is made from `docs/`, the pages of the
 * packages, and the OpenAPI document of a platform that is started for it. Without a folder it goes to `dist/docs`, compressed, where the
 * platform looks for it; into a folder it is written as plain files, for any server of static files.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { ApiDocument } from './site/reference.ts';
import { ROOT } from './site/root.ts';
import { argumentsOf } from './usage.ts';

export const SITE = join(ROOT, 'dist/docs');
const SOURCES = [
  '*.md',
  'docs/**/*.*',
  'examples/**/*.*',
  'packages/*/README.md',
  'packages/{protocol,server}/src/**/*.ts',
  'scripts/build-site.ts',
  'apps/web/src/text/settings.ts',
  'scripts/site/**/*.*',
  'package-lock.json',
];
/** What is compressed already. */
const PICTURES = /\.(?:png|webp|jpg)$/;

/** @returns whether there was something to build */
export async function buildSite(): Promise<boolean> {
  const sources = hashOfSources();
  const mark = join(SITE, 'built.json');
  if (existsSync(mark) && JSON.parse(readFileSync(mark, 'utf8')).sources === sources) return false;
  const folder = `${SITE}-${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  for (const [name, content] of await siteFiles(true)) write(folder, name, content);
  writeFileSync(join(folder, 'built.json'), JSON.stringify({ sources }));
  // A server that reads meanwhile finds the old files or the new ones.
  const old = `${folder}-old`;
  if (existsSync(SITE)) renameSync(SITE, old);
  renameSync(folder, SITE);
  rmSync(old, { recursive: true, force: true });
  return true;
}

/** Writes the site as plain files. */
async function writeSite(folder: string): Promise<void> {
  for (const [name, content] of await siteFiles(false)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (typeof content === 'string') writeFileSync(join(folder, name), content);
    else cpSync(content.copyOf, join(folder, name));
  }
}

async function siteFiles(isServed: boolean) {
  // What makes it is not installed where the platform alone is.
  const { filesOf } = await import('./site/site.ts');
  return filesOf(await apiDocument(), isServed);
}

/** A page is read from one small file, whatever the client takes: nearly all take Brotli, and for others it is opened. */
function write(folder: string, name: string, content: string | { readonly copyOf: string }): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  if (PICTURES.test(name) && typeof content === 'object') {
    cpSync(content.copyOf, path);
    return;
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : readFileSync(content.copyOf);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    // A window of the usual size costs a hundred times the work of a small file.
    [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(bytes.length + 1)))),
  };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
}

/** Of a platform that is started, asked and stopped. */
async function apiDocument(): Promise<ApiDocument> {
  const [{ readConfig }, { serve }] = await Promise.all([
    import('../packages/server/src/core/config.ts'),
    import('../packages/server/src/serve.ts'),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'symbolon-docs-'));
  const platform = await serve(
    readConfig({
      SYMBOLON_DATA_DIR: folder,
      SYMBOLON_HOST: '127.0.0.1',
      SYMBOLON_PORT: '0',
      SYMBOLON_LOG_LEVEL: 'silent',
      SYMBOLON_MANAGEMENT_ADDRESS: 'off',
    }),
  );
  try {
    const answer = await fetch(`${platform.url}/openapi.json`);
    if (!answer.ok) throw new Error(`/openapi.json answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as ApiDocument;
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true });
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).filter(
    (file) => !/\.test\.ts$|\/testing\//.test(file),
  );
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

if (import.meta.main) {
  const [folder] = argumentsOf('npm run build:docs [-- FOLDER]');
  if (folder !== undefined) await writeSite(resolve(folder));
  // Installed without what builds, as on a server that gets the packed packages.
  else if (existsSync(join(ROOT, 'node_modules/markdown-it'))) await buildSite();
  else console.error('The documentation is not built: the packages for development are not installed.');
}
