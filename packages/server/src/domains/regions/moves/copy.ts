import type { Reader } from '../../../db/database.ts';
import type { Chunk, Manifest } from './destination.ts';
import { type Row, RowDigest } from './digest.ts';
import { pagesOf, type TableShape } from './table-store.ts';

/** A chunk is sent when it has this many characters: 60,000 values are about fifty requests. */
const CHUNK_SIZE = 1024 * 1024;

/** What was copied: the number of rows, and for each table what the destination must find. */
export interface Copied {
  readonly rows: number;
  readonly tables: Manifest['tables'];
}

interface Deps {
  readonly reader: Reader;
  readonly companyId: string;
  readonly send: (chunk: Omit<Chunk, 'attempt'>) => Promise<void>;
  /** Called before each read; throws to end the copying. */
  readonly check: () => Promise<void>;
}

/**
 * Copies the rows of a frozen company in one pass, and hashes them on the way. One chunk is on its way while the next is
 * read, so that the distance to the other region costs little.
 */
export async function copyRows(shapes: readonly TableShape[], deps: Deps): Promise<Copied> {
  const tables: Record<string, Manifest['tables'][string]> = {};
  let rows = 0;
  let sending = Promise.resolve();
  for (const shape of shapes) {
    const digest = new RowDigest(shape.apartPlaces, shape.columns.length);
    let chunks = 0;
    const send = async (content: string) => {
      await sending;
      sending = deps.send({ table: shape.name, chunk: ++chunks, content });
      // A failure is thrown by the next `await`, and must not end the process before that.
      sending.catch(() => {});
    };
    let waiting: string[] = [];
    let size = 0;
    for await (const page of pagesOf(deps.reader, shape, { companyId: deps.companyId, withKnown: true })) {
      await deps.check();
      for (const row of page) {
        digest.add(row);
        const text = JSON.stringify(row satisfies Row);
        waiting.push(text);
        size += text.length;
        if (size < CHUNK_SIZE) continue;
        await send(`[${waiting.join()}]`);
        waiting = [];
        size = 0;
      }
    }
    if (waiting.length > 0) await send(`[${waiting.join()}]`);
    const sum = digest.end();
    tables[shape.name] = { ...sum, chunks };
    rows += sum.rows;
  }
  await sending;
  return { rows, tables };
}
