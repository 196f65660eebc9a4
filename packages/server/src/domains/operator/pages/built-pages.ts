import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { bestEncoding, type Encoding } from '../../../http/accept.ts';

/** How a file travels: as it is, or compressed when the pages were built. */
export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoding: Encoding | undefined;
  /** Sent with each script: a worker gets its policy from its own script. */
  readonly policy: string | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.webmanifest': 'application/manifest+json',
};
/** The worker that draws contracts with a second program, which is WebAssembly. The pages and all other workers do without. */
const DRAWINGS_WORKER = /^assets\/drawings\.worker-[\w-]+\.js$/;
/** Seen from the folder of a bundle, of a compiled module and of this source. */
const PLACES = ['../pages', '../../../../pages', '../../../../../../apps/web/dist'];
/** Pages of companies and operators: those of people name the integrity of what people load. */
const OF_STAFF = /^\/(?:portal|operator)(?:\/|$)/;
const EXTENSIONS: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** The pages as they were built. Files are read when they are first asked for, and kept. */
export class BuiltPages {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, Promise<Buffer>>();
  readonly #html: readonly string[];
  readonly #importMapPlace: string;
  readonly #importMaps: Readonly<Record<'people' | 'staff', { script: string; hash: string }>>;
  readonly #preloads: Readonly<Record<string, string>>;
  /** Of the page before its nonce is put in, and of what names every script: another one for each build. */
  readonly version: string;

  private constructor(folder: string) {
    const built = JSON.parse(readFileSync(join(folder, 'built.json'), 'utf8'));
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    this.#folder = folder;
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    this.#names = new Set(names.map((name) => name.replaceAll(sep, '/')));
    this.#html = html.split(String(built.nonce));
    this.#importMapPlace = built.importMapPlace;
    this.#importMaps = built.importMaps;
    this.#preloads = built.preloads;
    this.version = createHash('sha256')
      .update(html)
      .update(this.#importMaps.staff.script)
      .digest('base64url');
  }

  /** The pages of the bundle or of the package that was packed, else those of the repository; undefined where they were not built. */
  static open(): BuiltPages | undefined {
    const folder = PLACES.map((place) => join(import.meta.dirname, place)).find((each) =>
      existsSync(join(each, 'built.json')),
    );
    return folder === undefined ? undefined : new BuiltPages(folder);
  }

  /**
   * The page with a nonce of its own, and the policy that goes with it.
   * @param path of the address: what is shown there is loaded at once
   * @param forwarders of other origins, through which the page calls plugins
   */
  page(
    path: string,
    settings: Readonly<Record<string, string>>,
    forwarders: readonly string[],
  ): { html: string; policy: string } {
    const nonce = randomBytes(16).toString('base64');
    const map = this.#importMaps[OF_STAFF.test(path) ? 'staff' : 'people'];
    const metas = Object.entries(settings).map(
      ([name, value]) => `<meta name="${name}" content="${value}" />`,
    );
    return {
      html: this.#html
        .join(nonce)
        .replace(this.#importMapPlace, map.script)
        .replace('</title>', `</title>${metas.join('')}`)
        .replace('</head>', `${Object.hasOwn(this.#preloads, path) ? this.#preloads[path] : ''}</head>`),
      policy: this.#policy(nonce, map.hash, forwarders),
    };
  }

  #policy(nonce: string, script: string, forwarders: readonly string[]): string {
    return [
      "default-src 'none'",
      `script-src 'self' '${script}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      ["connect-src 'self'", ...forwarders].join(' '),
      "worker-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; ');
  }

  /**
   * A file in the best encoding that the browser takes.
   * @param name relative to the folder of the pages
   * @returns undefined for a name that no file has
   */
  async asset(name: string, acceptEncoding = ''): Promise<Asset | undefined> {
    const type = TYPES[extname(name)];
    if (type === undefined || !this.#names.has(name)) return undefined;
    const encoding = bestEncoding(acceptEncoding, (each) => this.#names.has(name + EXTENSIONS[each]));
    const bytes = await this.#bytes(name + (encoding === undefined ? '' : EXTENSIONS[encoding]));
    return { type, bytes, encoding, policy: policyOfScript(name) };
  }

  #bytes(name: string): Promise<Buffer> {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const read = readFile(join(this.#folder, name));
    read.catch(() => this.#read.delete(name));
    this.#read.set(name, read);
    return read;
  }
}

/** A page that loads the script keeps its own policy; a worker has the one that comes with its script. */
function policyOfScript(name: string): string | undefined {
  if (extname(name) !== '.js') return undefined;
  const wasm = DRAWINGS_WORKER.test(name) ? " 'wasm-unsafe-eval'" : '';
  return `default-src 'none'; script-src 'self'${wasm}; worker-src 'self'; connect-src 'self'`;
}
