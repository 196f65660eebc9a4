import type { Reader } from '../../../db/database.ts';
import type { Chunk, Manifest } from './destination.ts';
import { type Row, RowDigest } from './digest.ts';
import { pagesOf, type TableShape } from './table-store.ts';

/** Chunks are sent when they have this many characters: 60,000 values are about fifty requests, most companies are one or two. */
const CHUNK_SIZE = 1024 * 1024;

/** What was copied: the number of rows, and for each table what the destination must find. */
export interface Copied {
  readonly rows: number;
  readonly tables: Manifest['tables'];
}

interface Deps {
  readonly reader: Reader;
  readonly companyId: string;
  readonly send: (chunks: readonly Chunk[]) => Promise<void>;
  /** Called after each read with the number of rows so far; throws to end the copying. */
  readonly check: (rows: number) => Promise<void>;
}

/** Tables whose first rows are read ahead: a database that is far away is asked about some of them at once. */
const TABLES_AHEAD = 4;

/**
 * Copies the rows of a frozen company in one pass, and hashes them on the way. Some chunks are on their way while the next are
 * read, so that the distance to the other region costs little.
 */
export async function copyRows(shapes: readonly TableShape[], deps: Deps): Promise<Copied> {
  const tables: Record<string, Manifest['tables'][string]> = {};
  let rows = 0;
  const outgoing = new Outgoing(deps.send);
  for await (const { shape, pages } of readAhead(shapes, deps)) {
    const digest = new RowDigest(shape.apartPlaces, shape.columns.length);
    let chunks = 0;
    const cut = () => {
      if (outgoing.cut(shape.name, chunks + 1)) chunks++;
    };
    for await (const page of pages) {
      rows += page.length;
      await deps.check(rows);
      for (const row of page) {
        digest.add(row);
        outgoing.add(JSON.stringify(row satisfies Row));
        if (!outgoing.isFull) continue;
        cut();
        await outgoing.flush();
      }
    }
    cut();
    const sum = digest.end();
    tables[shape.name] = { ...sum, chunks };
  }
  await outgoing.end();
  return { rows, tables };
}

/** The pages of each table, in the order of the tables; the first pages of the next ones are being read meanwhile. */
async function* readAhead(shapes: readonly TableShape[], { reader, companyId }: Deps) {
  const begun: { shape: TableShape; pages: AsyncIterable<Row[]> }[] = [];
  let next = 0;
  for (;;) {
    for (; next < shapes.length && begun.length <= TABLES_AHEAD; next++) {
      const shape = shapes[next] as TableShape;
      begun.push({ shape, pages: begin(pagesOf(reader, shape, { companyId, withKnown: true })) });
    }
    const first = begun.shift();
    if (first === undefined) return;
    yield first;
  }
}

/** Asks for the first page at once. */
function begin(pages: AsyncGenerator<Row[]>): AsyncIterable<Row[]> {
  const first = pages.next();
  // A failure is thrown where the page is used, and must not end the process before that.
  first.catch(() => {});
  return (async function* () {
    const { done, value } = await first;
    if (done) return;
    yield value;
    yield* pages;
  })();
}

/** What is collected until it is worth a request; one request is on its way at a time. */
class Outgoing {
  readonly #send: Deps['send'];
  #sending = Promise.resolve();
  #chunks: Chunk[] = [];
  #rows: string[] = [];
  #size = 0;

  constructor(send: Deps['send']) {
    this.#send = send;
  }

  get isFull(): boolean {
    return this.#size >= CHUNK_SIZE;
  }

  add(row: string): void {
    this.#rows.push(row);
    this.#size += row.length;
  }

  /** Makes a chunk of the rows that were added since the last one. @returns whether there were any */
  cut(table: string, chunk: number): boolean {
    if (this.#rows.length === 0) return false;
    this.#chunks.push({ table, chunk, content: `[${this.#rows.join()}]` });
    this.#rows = [];
    return true;
  }

  async flush(): Promise<void> {
    if (this.#chunks.length === 0) return;
    await this.#sending;
    this.#sending = this.#send(this.#chunks);
    // A failure is thrown by the next `await`, and must not end the process before that.
    this.#sending.catch(() => {});
    this.#chunks = [];
    this.#size = 0;
  }

  async end(): Promise<void> {
    await this.flush();
    await this.#sending;
  }
}
