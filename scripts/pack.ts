/**
 * Packs what others install: `npm run pack [-- FOLDER [PACKAGE…]]` builds the packages to JavaScript with declarations and writes one
 * tarball of each, or of those that are named, to FOLDER (default `dist`). Here in the repository the sources run unbuilt, so a package's own
 * manifest names its sources; the manifest in the tarball is rewritten and names what was built.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildWeb } from './build-web.ts';

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
  { folder: 'pdf', node: '>=24' },
  { folder: 'server', node: '>=24' },
  { folder: 'cli', node: '>=24' },
];
/** Paths between the files of a package. */
const RELATIVE = /(?:from |import\(|new URL\()["'](\.{1,2}\/[^"']+)["']/g;

const root = join(import.meta.dirname, '..');
const [folder = join(root, 'dist'), ...names] = process.argv.slice(2);
const target = resolve(folder);
const packages = PACKAGES.filter((one) => names.length === 0 || names.includes(one.folder));
const work = join(target, 'packages');

rmSync(work, { recursive: true, force: true });
for (const old of globSync(join(target, 'symbolon-*.tgz'))) rmSync(old);
mkdirSync(work, { recursive: true });
build(join(work, '.built'));
if (packages.some(({ folder }) => folder === 'server')) await buildWeb();
for (const { folder, node } of packages) assemble(folder, node);
const folders = packages.map(({ folder }) => join(work, folder));
execFileSync('npm', ['pack', ...folders, '--pack-destination', target, '--silent'], { stdio: 'inherit' });
rmSync(work, { recursive: true });

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
  // The pages travel with the server, which looks for them beside its own files.
  if (folder === 'server') cpSync(join(root, 'apps/web/dist'), join(out, 'pages'), { recursive: true });
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(out, file));
  if (existsSync(join(source, 'README.md'))) cpSync(join(source, 'README.md'), join(out, 'README.md'));
}

/** The compiler rewrites import paths in scripts, but neither in declarations nor in the addresses of workers. */
function pointDeclaration(text: string): string {
  return text.replace(/((?:from |import\()["']\.{1,2}\/[^"']+)\.ts(["'])/g, '$1.js$2');
}
function pointScript(text: string): string {
  return text.replace(/(new URL\(["']\.{1,2}\/[^"']+)\.ts(["'], import\.meta\.url\))/g, '$1.js$2');
}

function published(manifest: Manifest, node: string): object {
  const { exports, imports, bin, ...rest } = manifest;
  return {
    ...rest,
    engines: { node },
    files: manifest.name === '@symbolon/server' ? ['lib', 'pages', 'NOTICE'] : ['lib'],
    ...(exports && {
      exports: map(exports, (path) => ({ types: built(path, 'd.ts'), default: built(path, 'js') })),
    }),
    ...(imports && { imports: map(imports, (conditions) => map(conditions, (path) => built(path, 'js'))) }),
    ...(bin && { bin: map(bin, (path) => built(path, 'js').replace(/^\.\//, '')) }),
    // Bundles leave out what is not used.
    ...(node === NODE_OF_LIBRARIES && { sideEffects: false }),
  };
}

function built(path: string, extension: string): string {
  return path.replace(/^(\.\/)?src\//, './lib/').replace(/\.ts$/, `.${extension}`);
}

function map<From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
