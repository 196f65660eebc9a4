/**
 * Builds the pages of apps/web into apps/web/dist: `npm run build:web`, and by itself on `npm ci`. Nothing is done when the
 * sources are those of the last build. Beside what the bundler makes it adds the integrity of every script and style, and
 * compressed copies of every text.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { noArguments } from './usage.ts';

const root = join(import.meta.dirname, '..');
const DIST = join(root, 'apps/web/dist');
const SOURCES = [
  'apps/web/{index.html,package.json,vite.config.ts}',
  'apps/web/{src,public}/**/*.*',
  'packages/{crypto,field-types,flows,pdf,protocol,sdk}/{package.json,src/**/*.ts}',
  'package-lock.json',
  'scripts/build-web.ts',
];

const ROUTES = 'apps/web/src/routes';
/** An address without a parameter, and the source that shows its page. */
const PAGE =
  /'(?<address>\/[^'$]*)',(?:(?!'\/).)*?lazyRouteComponent\(\(\) => import\('\.\.\/(?<source>[^']+)'\)/gs;
const ENTRY = 'index.html';
const APP = 'src/app.tsx';
const IMPORT_MAP = '<!-- import map -->';
const SERVICE_WORKER = 'service-worker.js';
/** What companies and operators see; the group of the portal is one file of the bundler's. */
const OF_STAFF =
  /^(?:_portal-|src\/routes\/(?:operator|portal)\.ts$|src\/(?:pages|text)\/(?:operator|portal)\/)/;
/** People do not need these to read without a network; the viewer of PDF files is as large as all else. */
const NOT_OFFLINE = new RegExp(`${OF_STAFF.source}|^src/pages/verify/|/pdf-view\\.tsx$`);
/** Nobody signs without a network. */
const DRAWINGS_WORKER = /\/drawings\.worker-/;
/** Other scripts are written in letters that the device has. */
const FONTS_OFFLINE = /\/inter-latin-/;

/** What the server must know of a build, beside its files. */
interface Built {
  /** Of everything that the pages are made of. */
  readonly sources: string;
  /** Stands in the page where the nonce goes. */
  readonly nonce: string;
  /** Where the import map stands in the page. */
  readonly importMapPlace: string;
  /** The import map of the pages of people, and of those of companies and operators: it names the integrity of what scripts load. */
  readonly importMaps: Readonly<Record<'people' | 'staff', ImportMap>>;
  /** By the address of a page: the tags for what it loads beside what all pages do. */
  readonly preloads: Readonly<Record<string, string>>;
}

interface ImportMap {
  readonly script: string;
  /** Of the script, for the policy. */
  readonly hash: string;
}

/** What the bundler says of a file. */
type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  /** Fonts and workers. */
  readonly assets?: readonly string[];
};
type Chunks = Readonly<Record<string, Chunk>>;

/** The pages of the router by their addresses, with what they load: those without a parameter, whose files can be named beforehand. */
function pagesOfRouter(chunks: Chunks): [address: string, sources: string[]][] {
  const folder = join(root, ROUTES);
  const pages = readdirSync(folder).flatMap((file) => {
    const list = `src/routes/${file}`;
    // The bundler put it into a file of others, which the pages load, or it is one of its own.
    const alone = OF_STAFF.test(list) && list in chunks ? [list] : [];
    return [...readFileSync(join(folder, file), 'utf8').matchAll(PAGE)].map(
      ({ groups }): [string, string[]] => [groups?.address ?? '', [`src/${groups?.source}`, ...alone]],
    );
  });
  if (pages.length === 0) throw new Error(`${ROUTES} has no page that ${PAGE} finds`);
  return pages;
}

/** @returns whether there was something to build */
export async function buildWeb(): Promise<boolean> {
  const sources = hashOfSources();
  if (lastBuilt()?.sources === sources) return false;
  const [{ build }, { default: config, NONCE_PLACEHOLDER }] = await Promise.all([
    import('vite'),
    import('../apps/web/vite.config.ts'),
  ]);
  const folder = join(root, 'node_modules/.cache', `symbolon-web-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    build: { ...config.build, outDir: folder, emptyOutDir: true },
  });
  const chunks: Chunks = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
  const built: Built = {
    sources,
    nonce: NONCE_PLACEHOLDER,
    importMapPlace: IMPORT_MAP,
    importMaps: {
      people: importMapOf(folder, reachedFrom(chunks, OF_STAFF)),
      staff: importMapOf(folder, reachedFrom(chunks)),
    },
    preloads: Object.fromEntries(
      pagesOfRouter(chunks).map(([address, sources]) => [
        address,
        tagsFor(folder, loadedBy(chunks, ...sources), loadedBy(chunks, ENTRY, APP)),
      ]),
    ),
  };
  secure(folder, chunks);
  nameFiles(folder, offlineFiles(chunks), built.importMaps.people.hash);
  await compress(folder);
  writeFileSync(join(folder, 'built.json'), JSON.stringify(built));
  replace(folder);
  return true;
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: root }).filter((file) => !/\.test\.tsx?$|\/testing\//.test(file));
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function lastBuilt(): Built | undefined {
  const file = join(DIST, 'built.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The files of some sources, and of what they import. */
function loadedBy(chunks: Chunks, ...names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const chunk = chunks[name];
    if (chunk === undefined) throw new Error(`No file was built of ${name}.`);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const name of names) add(name);
  return files;
}

/** What the page may load in the end, but for some sources and what these alone load. */
function reachedFrom(chunks: Chunks, leftOut?: RegExp): Chunk[] {
  const found = new Map<string, Chunk>();
  const add = (name: string) => {
    const chunk = chunks[name];
    if (chunk === undefined || found.has(name) || leftOut?.test(name)) return;
    found.set(name, chunk);
    for (const each of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) add(each);
  };
  add(ENTRY);
  return [...found.values()];
}

/** The files of all that a person can open, for the service worker to keep. */
function offlineFiles(chunks: Chunks): string[] {
  const files = reachedFrom(chunks, NOT_OFFLINE).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets.filter(
      (each) => !DRAWINGS_WORKER.test(each) && (!/\.woff2$/.test(each) || FONTS_OFFLINE.test(each)),
    ),
  ]);
  return [...new Set(files)].sort().map((file) => `/${file}`);
}

/** Tells the service worker which files it keeps. It is another script for each build, by which browsers know that there is one. */
function nameFiles(folder: string, files: readonly string[], scripts: string): void {
  const file = join(folder, SERVICE_WORKER);
  const version = digest(
    'sha256',
    Buffer.concat([readFileSync(join(folder, 'index.html')), Buffer.from(scripts)]),
  );
  const offline = JSON.stringify({ version, files });
  writeFileSync(file, `self.offline=${offline};${readFileSync(file, 'utf8')}`);
}

/** Tags by which the browser loads files at once, instead of when the script that imports them has been read. */
function tagsFor(folder: string, files: ReadonlySet<string>, known: ReadonlySet<string>): string {
  return [...files]
    .filter((file) => !known.has(file))
    .map((file) => {
      const rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload';
      return `<link rel="${rel}" crossorigin href="/${file}" integrity="${integrityOf(folder, file)}" />`;
    })
    .join('');
}

const integrityOf = (folder: string, file: string) =>
  `sha384-${digest('sha384', readFileSync(join(folder, file)))}`;

/** Names the integrity of scripts that other scripts load. */
function importMapOf(folder: string, chunks: readonly Chunk[]): ImportMap {
  const scripts = [...new Set(chunks.map(({ file }) => file))].filter((file) => file.endsWith('.js'));
  const map = JSON.stringify({
    integrity: Object.fromEntries(scripts.sort().map((name) => [`/${name}`, integrityOf(folder, name)])),
  });
  return {
    script: `<script type="importmap">${map}</script>`,
    hash: `sha256-${digest('sha256', Buffer.from(map))}`,
  };
}

/** Adds the integrity of what the page loads as attributes, the place of the import map, and the files that every page needs and the first script loads. */
function secure(folder: string, chunks: Chunks): void {
  const page = join(folder, 'index.html');
  const html = readFileSync(page, 'utf8')
    .replace(
      /<(script|link)\b([^>]*?) (src|href)="(\/assets\/[^"]+)"/g,
      (_all, tag, rest, attribute, path) =>
        `<${tag}${rest} ${attribute}="${path}" integrity="${integrityOf(folder, path.slice(1))}"`,
    )
    // Before the first script that it speaks of.
    .replace(/(<meta charset="utf-8" \/>)/, `$1\n    ${IMPORT_MAP}`)
    .replace('</head>', `${tagsFor(folder, loadedBy(chunks, APP), loadedBy(chunks, ENTRY))}</head>`);
  writeFileSync(page, html);
}

const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('base64');

async function compress(folder: string): Promise<void> {
  const files = globSync('**/*.{js,css,svg,ttf,wasm,webmanifest}', { cwd: folder });
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(join(folder, file));
      const params = {
        // The highest takes twice as long: it is for what every visit waits for.
        [constants.BROTLI_PARAM_QUALITY]: /\.(?:js|css)$/.test(file) ? constants.BROTLI_MAX_QUALITY : 10,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(join(folder, `${file}.br`), await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(join(folder, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** A server that reads meanwhile finds the old pages or the new ones. */
function replace(folder: string): void {
  const old = join(dirname(folder), `${basename(folder)}-old`);
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, old);
  renameSync(folder, DIST);
  rmSync(old, { recursive: true, force: true });
}

if (import.meta.main) {
  noArguments('npm run build:web');
  // Installed without what builds, as on a server that gets the packed packages.
  if (existsSync(join(root, 'node_modules/vite'))) await buildWeb();
  else console.error('The pages are not built: the packages for development are not installed.');
}
