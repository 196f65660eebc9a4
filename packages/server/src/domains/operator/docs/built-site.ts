import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** A file of the documentation as it travels. */
export interface SiteFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** Whether the bytes are compressed by Brotli. */
  readonly isPacked: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
/** Seen from the folder of a bundle, of a compiled module and of this source. */
const PLACES = ['../docs', '../../../../docs', '../../../../../../dist/docs'];
const PACKED = '.br';
/** Bytes of files that are kept in memory. */
const KEPT_MOST = 4 * 1024 * 1024;

const unpacked = promisify(brotliDecompress);

/** The documentation as it was built: each text in one compressed file. */
export class BuiltSite {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #etag: string;
  readonly #kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_MOST,
    sizeCalculation: ({ length }) => length + 1,
  });

  private constructor(folder: string) {
    this.#folder = folder;
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    this.#names = new Set(names.map((name) => name.replaceAll(sep, '/')));
    const { sources } = JSON.parse(readFileSync(join(folder, 'built.json'), 'utf8'));
    this.#etag = createHash('sha256').update(String(sources)).digest('base64url').slice(0, 20);
  }

  /** Undefined where it was not built. */
  static open(): BuiltSite | undefined {
    const folder = PLACES.map((place) => join(import.meta.dirname, place)).find((each) =>
      existsSync(join(each, 'built.json')),
    );
    return folder === undefined ? undefined : new BuiltSite(folder);
  }

  #pathOf(name: string): string {
    if (name === '' || name.endsWith('/')) return `${name}index.html`;
    const page = `${name}.html`;
    return this.#names.has(page) || this.#names.has(page + PACKED) ? page : name;
  }

  /**
   * @param name relative to the site; a folder is its list, and a page may be named without its ending
   * @returns undefined for a name that no file has
   */
  async file(name: string, takesBrotli: boolean): Promise<SiteFile | undefined> {
    const path = this.#pathOf(name);
    const type = TYPES[extname(path)];
    if (type === undefined) return undefined;
    const etag = (form: string) => `"${this.#etag}${form}"`;
    if (this.#names.has(path + PACKED)) {
      const bytes = await this.#bytes(path + PACKED);
      return takesBrotli
        ? { type, bytes, etag: etag('b'), isPacked: true }
        : { type, bytes: await unpacked(bytes), etag: etag(''), isPacked: false };
    }
    if (!this.#names.has(path)) return undefined;
    return { type, bytes: await this.#bytes(path), etag: etag(''), isPacked: false };
  }

  async #bytes(name: string): Promise<Buffer> {
    const kept = this.#kept.get(name);
    if (kept !== undefined) return kept;
    const bytes = await readFile(join(this.#folder, name));
    this.#kept.set(name, bytes);
    return bytes;
  }
}
