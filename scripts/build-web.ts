/**
 * Builds the pages of apps/web into apps/web/dist: `npm run build:web`, and by itself on `npm ci`. Nothing is done when the
 * sources are those of the last build. Beside what the bundler makes it adds the integrity of every script and style, and
 * compressed copies of every text.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const DIST = join(root, 'apps/web/dist');
const SOURCES = [
  'apps/web/{index.html,package.json,vite.config.ts}',
  'apps/web/{src,public}/**/*.*',
  'packages/{crypto,field-types,flows,pdf,protocol,sdk}/{package.json,src/**/*.ts}',
  'package-lock.json',
  'scripts/build-web.ts',
];

/** The source that shows the page of an address. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'src/pages/home.tsx',
  '/auth': 'src/pages/consent/consent-page.tsx',
  '/sign-in': 'src/pages/sign-in.tsx',
  '/register': 'src/pages/register.tsx',
  '/recover': 'src/pages/recover.tsx',
  '/verify': 'src/pages/verify/verify-page.tsx',
  '/me': 'src/pages/me/me-page.tsx',
  '/me/approvals': 'src/pages/approvals/approvals-page.tsx',
  '/me/documents': 'src/pages/documents/documents-page.tsx',
  '/me/messages': 'src/pages/messages/messages-page.tsx',
  '/me/requests': 'src/pages/requests/requests-page.tsx',
  '/me/connections': 'src/pages/connections/connections-page.tsx',
  '/me/flows': 'src/pages/flows/flows-page.tsx',
  '/me/fields': 'src/pages/fields/fields-page.tsx',
  '/me/enrolments': 'src/pages/enrolments/enrolments-page.tsx',
  '/me/security': 'src/pages/security/security-page.tsx',
  '/portal': 'src/pages/portal/services-page.tsx',
  '/portal/plugins': 'src/pages/portal/plugins/plugins-page.tsx',
  '/portal/sign-in': 'src/pages/portal/sign-in-page.tsx',
};
const ENTRY = 'index.html';
const APP = 'src/app.tsx';

/** What the server must know of a build, beside its files. */
interface Built {
  /** Of everything that the pages are made of. */
  readonly sources: string;
  /** Stands in the page where the nonce goes. */
  readonly nonce: string;
  /** Of the one script that stands in the page itself, for the policy. */
  readonly inlineScripts: readonly string[];
  /** By the address of a page: the tags for what it loads beside what all pages do. */
  readonly preloads: Readonly<Record<string, string>>;
}

/** What the bundler says of a file. */
type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};
type Chunks = Readonly<Record<string, Chunk>>;

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
    inlineScripts: secure(folder, chunks),
    preloads: Object.fromEntries(
      Object.entries(PAGES).map(([address, source]) => [
        address,
        tagsFor(folder, loadedBy(chunks, source), loadedBy(chunks, ENTRY, APP)),
      ]),
    ),
  };
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

/**
 * Adds the integrity of what the page loads: as attributes, and for scripts that other scripts load by an import map. Adds the
 * files that every page needs and that the first script loads.
 * @returns the hashes of the scripts that stand in the page
 */
function secure(folder: string, chunks: Chunks): string[] {
  const page = join(folder, 'index.html');
  const scripts = globSync('assets/*.js', { cwd: folder }).filter((name) => !name.includes('.worker-'));
  const map = JSON.stringify({
    integrity: Object.fromEntries(scripts.sort().map((name) => [`/${name}`, integrityOf(folder, name)])),
  });
  const html = readFileSync(page, 'utf8')
    .replace(
      /<(script|link)\b([^>]*?) (src|href)="(\/assets\/[^"]+)"/g,
      (_all, tag, rest, attribute, path) =>
        `<${tag}${rest} ${attribute}="${path}" integrity="${integrityOf(folder, path.slice(1))}"`,
    )
    // Before the first script that it speaks of.
    .replace(/(<meta charset="utf-8" \/>)/, `$1\n    <script type="importmap">${map}</script>`)
    .replace('</head>', `${tagsFor(folder, loadedBy(chunks, APP), loadedBy(chunks, ENTRY))}</head>`);
  writeFileSync(page, html);
  return [`sha256-${digest('sha256', Buffer.from(map))}`];
}

const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('base64');

async function compress(folder: string): Promise<void> {
  const files = globSync('**/*.{js,css,svg,ttf,webmanifest}', { cwd: folder });
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(join(folder, file));
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 10,
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
  // Installed without what builds, as on a server that gets the packed packages.
  if (existsSync(join(root, 'node_modules/vite'))) await buildWeb();
  else console.error('The pages are not built: the packages for development are not installed.');
}
