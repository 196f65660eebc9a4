/**
 * Builds what an installation runs: `npm run build [-- FOLDER]` writes the platform, its command and its pages to FOLDER (default
 * `dist/platform`), which needs nothing else of this repository:
 *
 *     lib/main.js      the command: `node FOLDER/lib/main.js serve`; beside it what it loads and starts (see `bundle.ts`)
 *     pages/           the pages for people
 *     docs/            the documentation
 *     node_modules/    packages with native code, WebAssembly or files of their own, for the kind of machine that builds
 *     package.json     which of them, and their versions: where the machine is another, `npm install` brings them
 *     LICENSE, NOTICE, THIRD-PARTY.txt
 *
 * Node keeps what it compiled in `NODE_COMPILE_CACHE`, for each user: an image is started once while it is made, as the user that it will
 * run as, so that its first start is as fast as all others.
 */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSite, SITE } from './build-site.ts';
import { buildWeb } from './build-web.ts';
import { bundlePlatform, manifestOf, OUTSIDE } from './bundle.ts';
import { copyTrimmed, TRIMMED } from './trimmed.ts';
import { argumentsOf, folderToReplace } from './usage.ts';

const ROOT = join(import.meta.dirname, '..');
/** Of the packages of others. */
const LICENCES = 'THIRD-PARTY.txt';
/** A program of others that the pages have as a file of its own. */
const IN_PAGES = '@embedpdf/pdfium';

/** Lays out the bundle, the pages, the packages of which it reads some files, and the licences in a folder. */
export async function layOutPlatform(folder: string): Promise<void> {
  await buildWeb();
  await buildSite();
  mkdirSync(folder, { recursive: true });
  const inside = await bundlePlatform(join(folder, 'lib'));
  writeFileSync(join(folder, LICENCES), licencesOf(new Set([...inside, installed(IN_PAGES)])));
  copyTrimmed(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(ROOT, 'apps/web/dist'), join(folder, 'pages'), { recursive: true });
  cpSync(SITE, join(folder, 'docs'), { recursive: true });
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(ROOT, file), join(folder, file));
}

/** The packages outside of the bundle, with their versions here. */
export function dependencies(): Record<string, string> {
  return Object.fromEntries(OUTSIDE.map((name) => [name, manifestOf(installed(name)).version]));
}

/** Of the packages whose code is in the bundle and in the pages. */
function licencesOf(folders: ReadonlySet<string>): string {
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = manifestOf(folder);
      const texts = globSync('{LICENSE,LICENCE,License,license,NOTICE}*', { cwd: folder }).sort();
      return [
        `${name} ${version} (${license})`,
        ...texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()),
      ].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

const installed = (name: string, from = ROOT) => {
  const nested = join(from, 'node_modules', name);
  return existsSync(nested) ? nested : join(ROOT, 'node_modules', name);
};

/** Copies packages as they are installed here, with what they need. */
function copyPackages(names: Iterable<string>, target: string, from = ROOT): void {
  for (const name of names) {
    const source = installed(name, from);
    // Optional, and for another kind of machine.
    if (!existsSync(source)) continue;
    const to = join(target, 'node_modules', name);
    if (existsSync(to)) continue;
    cpSync(source, to, { recursive: true, filter: (path) => !/\.(map|d\.[cm]?ts)$/.test(path) });
    const { dependencies, optionalDependencies } = manifestOf(source);
    copyPackages(Object.keys({ ...dependencies, ...optionalDependencies }), target, source);
  }
}

async function build(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await layOutPlatform(folder);
  copyPackages(
    OUTSIDE.filter((name) => !TRIMMED.includes(name)),
    folder,
  );
  const { version, license } = manifestOf(join(ROOT, 'packages/cli'));
  const manifest = {
    name: 'symbolon',
    version,
    private: true,
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { symbolon: 'lib/main.js' },
    dependencies: dependencies(),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) {
  const usage = 'npm run build [-- FOLDER]';
  const [folder = join(ROOT, 'dist/platform')] = argumentsOf(usage);
  await build(folderToReplace(resolve(folder), LICENCES, usage));
}
