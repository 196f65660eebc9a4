/**
 * Packs what others install: `npm run pack [-- FOLDER [PACKAGE…]]` builds the packages to JavaScript with declarations and writes one
 * tarball of each, or of those that are named, to FOLDER (default `dist`). Here in the repository the sources run unbuilt, so a package's own
 * manifest names its sources; the manifest in the tarball is rewritten and names what was built. The command, which is run and not imported,
 * is bundled with the platform and its pages, as `npm run build` does it.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { dependencies, layOutPlatform } from './build.ts';
import { buildSite, SITE } from './build-site.ts';
import { buildWeb } from './build-web.ts';
import { TRIMMED } from './trimmed.ts';
import { argumentsOf, refuse } from './usage.ts';

type Manifest = {
  name: string;
  version: string;
  exports?: Record<string, string>;
  imports?: Record<string, Record<string, string>>;
  bin?: Record<string, string>;
  [member: string]: unknown;
};

/** ECMAScript modules that `require` loads too need at least these. The platform itself runs on Node 24. */
const NODE_OF_LIBRARIES = '^20.19.0 || ^22.13.0 || >=24';
const PACKAGES = [
  { folder: 'protocol', node: NODE_OF_LIBRARIES },
  { folder: 'crypto', node: NODE_OF_LIBRARIES },
  { folder: 'field-types', node: NODE_OF_LIBRARIES },
  { folder: 'flows', node: NODE_OF_LIBRARIES },
  { folder: 'sdk', node: NODE_OF_LIBRARIES },
  { folder: 'fonts', node: '>=24' },
  { folder: 'pdf', node: '>=24' },
  { folder: 'server', node: '>=24' },
];
const COMMAND = 'cli';
/** Paths between the files of a package. */
const RELATIVE = /(?:from |import\(|new URL\()["'](\.{1,2}\/[^"']+)["']/g;

const root = join(import.meta.dirname, '..');
const USAGE = 'npm run pack [-- FOLDER [PACKAGE…]]';
const [folder = join(root, 'dist'), ...names] = argumentsOf(USAGE);
const known = [...PACKAGES.map(({ folder }) => folder), COMMAND];
const unknown = names.find((name) => !known.includes(name));
if (unknown !== undefined) refuse(`There is no package '${unknown}': ${known.join(', ')}.`, USAGE);
const target = resolve(folder);
const isPacked = (name: string) => names.length === 0 || names.includes(name);
const packages = PACKAGES.filter(({ folder }) => isPacked(folder));
mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(target, '.packing-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));

for (const old of globSync(join(target, 'symbolon-*.tgz'))) rmSync(old);
if (packages.length > 0) build(join(work, '.built'));
if (isPacked('server')) {
  await buildWeb();
  await buildSite();
}
for (const { folder, node } of packages) assemble(folder, node);
if (isPacked(COMMAND)) await assembleCommand(join(work, COMMAND));
const folders = [...packages.map(({ folder }) => folder), ...(isPacked(COMMAND) ? [COMMAND] : [])].map(
  (folder) => join(work, folder),
);
execFileSync('npm', ['pack', ...folders, '--pack-destination', target, '--silent'], { stdio: 'inherit' });

function build(out: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(work, 'tsconfig.json');
  const include = packages.map(({ folder }) => join(root, 'packages', folder, 'src/**/*.ts'));
  const compilerOptions = { typeRoots: [join(root, 'node_modules/@types')] };
  const config = { extends: join(root, 'tsconfig.build.json'), include, compilerOptions };
  writeFileSync(project, JSON.stringify(config));
  // Several threads would each look at the same types.
  const flags = ['--project', project, '--outDir', out, '--singleThreaded'];
  execFileSync(process.execPath, [compiler, ...flags], { stdio: 'inherit' });
}

/** Lays out one package as its tarball has it. */
function assemble(folder: string, node: string): void {
  const source = join(root, 'packages', folder);
  const out = join(work, folder);
  cpSync(join(work, '.built', folder, 'src'), join(out, 'lib'), { recursive: true });
  for (const data of globSync('**/*.br', { cwd: join(source, 'src') }))
    cpSync(join(source, 'src', data), join(out, 'lib', data));
  const manifest: Manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published(manifest, node), null, 2)}\n`);
  for (const file of globSync(join(out, 'lib', '**', '*.{js,d.ts}'))) {
    const text = readFileSync(file, 'utf8');
    const pointed = file.endsWith('.d.ts') ? pointDeclaration(text) : pointScript(text);
    for (const [, to] of pointed.matchAll(RELATIVE)) {
      if (to !== undefined && !existsSync(join(dirname(file), to)))
        throw new Error(`${file} names ${to}: no such file`);
    }
    writeFileSync(file, pointed);
  }
  // These travel with the server, which looks for them beside its own files.
  if (folder === 'server') {
    cpSync(join(root, 'apps/web/dist'), join(out, 'pages'), { recursive: true });
    cpSync(SITE, join(out, 'docs'), { recursive: true });
  }
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(out, file));
  if (existsSync(join(source, 'README.md'))) cpSync(join(source, 'README.md'), join(out, 'README.md'));
}

/** The command needs none of the other packages. */
async function assembleCommand(out: string): Promise<void> {
  const from = join(root, 'packages', COMMAND);
  await layOutPlatform(out);
  cpSync(join(from, 'README.md'), join(out, 'README.md'));
  const manifest: Manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const { bin = {}, devDependencies: _, ...rest } = manifest;
  const text = {
    ...rest,
    ...source(manifest),
    files: ['lib', 'pages', 'docs', 'NOTICE', 'THIRD-PARTY.txt'],
    bin: map(bin, (path) => built(path, 'js').replace(/^\.\//, '')),
    dependencies: dependencies(),
    // The tarball brings these.
    bundleDependencies: TRIMMED,
  };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(text, null, 2)}\n`);
}

/** The compiler rewrites import paths in scripts, but neither in declarations nor in the addresses of workers. */
function pointDeclaration(text: string): string {
  return text.replace(/((?:from |import\()["']\.{1,2}\/[^"']+)\.ts(["'])/g, '$1.js$2');
}
function pointScript(text: string): string {
  return text.replace(/(new URL\(["']\.{1,2}\/[^"']+)\.ts(["'], import\.meta\.url\))/g, '$1.js$2');
}

function published(manifest: Manifest, node: string): object {
  const { exports, imports, devDependencies: _, ...rest } = manifest;
  return {
    ...rest,
    ...source(manifest),
    engines: { node },
    files: manifest.name === '@symbolon/server' ? ['lib', 'pages', 'docs', 'NOTICE'] : ['lib'],
    ...(exports && {
      exports: map(exports, (path) => ({ types: built(path, 'd.ts'), default: built(path, 'js') })),
    }),
    ...(imports && { imports: map(imports, (conditions) => map(conditions, (path) => built(path, 'js'))) }),
    // Bundles leave out what is not used.
    ...(node === NODE_OF_LIBRARIES && { sideEffects: false }),
  };
}

/** Where a published package comes from, which its provenance must name. */
function source({ name }: Manifest): object {
  const url = process.env.SYMBOLON_REPOSITORY;
  const directory = name.replace('@symbolon/', 'packages/');
  return url === undefined ? {} : { repository: { type: 'git', url, directory } };
}

function built(path: string, extension: string): string {
  return path.replace(/^(\.\/)?src\//, './lib/').replace(/\.ts$/, `.${extension}`);
}

function map<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
