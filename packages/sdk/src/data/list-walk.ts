import { limits } from '@symbolon/protocol/constants';

export type ListPage<T> = { total: number; items: T[] };
export type LoadPage<T> = (offset: number, limit: number) => Promise<ListPage<T>>;

/**
 * Reads a list by limit and offset. When rows are deleted in the meantime, later rows move forward. So each page begins
 * with the last row of the page before, and the walk steps back when that row is missing. Rows seen before are dropped.
 */
export class ListWalk<T> {
  readonly #load: LoadPage<T>;
  readonly #idOf: (item: T) => string;
  #limit: number;
  /** Ids of the last two pages, as far as one step back can reach. */
  #recent: Set<string>[] = [];
  #offset = 0;
  readonly #grows: boolean;
  #done = false;

  /** @param limit Rows to a page; left out, small pages for a short list and the largest for a long one. */
  constructor(load: LoadPage<T>, idOf: (item: T) => string, limit?: number) {
    this.#load = load;
    this.#idOf = idOf;
    // The overlap needs a second row to make progress.
    this.#limit = Math.max(2, Math.min(limit ?? SMALL_PAGE, limits.pageMost));
    this.#grows = limit === undefined;
  }

  /** The new rows of the next page; `undefined` after the last. Do not call it in parallel. */
  async next(): Promise<T[] | undefined> {
    if (this.#done) return undefined;
    let offset = this.#offset;
    let page = await this.#load(offset, this.#limit);
    if (offset > 0 && !this.#met(page.items[0])) {
      offset = Math.max(0, offset - this.#limit + 1);
      page = await this.#load(offset, this.#limit);
    }
    const fresh = page.items.filter((item) => !this.#met(item));
    const end = offset + page.items.length;
    this.#offset = Math.max(0, end - 1);
    this.#done = page.items.length === 0 || end >= page.total;
    this.#recent = [...this.#recent.slice(-1), new Set(page.items.map(this.#idOf))];
    // The rate limit counts requests, memory counts rows.
    if (this.#grows && page.total > LONG_LIST) this.#limit = limits.pageMost;
    return fresh;
  }

  #met(item: T | undefined): boolean {
    return item !== undefined && this.#recent.some((ids) => ids.has(this.#idOf(item)));
  }
}

/**
 * Reads a list by keys: each page begins behind the last row of the page before, so rows that come or are deleted in the
 * meantime neither hide nor repeat others. The list ends at the first page that is not full.
 */
export class KeyWalk<T> {
  readonly #load: (place: string, limit: number) => Promise<ListPage<T>>;
  readonly #idOf: (item: T) => string;
  readonly #limit: number;
  #place = '';
  #done = false;

  constructor(
    load: (place: string, limit: number) => Promise<ListPage<T>>,
    idOf: (item: T) => string,
    limit: number,
  ) {
    this.#load = load;
    this.#idOf = idOf;
    this.#limit = Math.max(1, Math.min(limit, limits.pageMost));
  }

  /** The rows of the next page; `undefined` after the last. Do not call it in parallel. */
  async next(): Promise<T[] | undefined> {
    if (this.#done) return undefined;
    const { items } = await this.#load(this.#place, this.#limit);
    const last = items.at(-1);
    this.#done = last === undefined || items.length < this.#limit;
    if (last !== undefined) this.#place = this.#idOf(last);
    return items;
  }
}

const SMALL_PAGE = 200;
/** Forty small pages, well under the requests that are allowed in a minute (wire 8). */
const LONG_LIST = 8000;
