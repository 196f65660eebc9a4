import type { Database } from '../../../db/database.ts';
import type { Destination, Manifest } from './destination.ts';
import { type Row, RowDigest, sha256 } from './digest.ts';
import { chunksOf, putChunk } from './store.ts';
import { breath, partsOf, readStretch, type TableShape } from './table-store.ts';
import type { CompanyMoveChunkRow, CompanyMoveRow } from './tables.ts';

/** A stretch is cut when it gets larger than this: long values are few to a stretch. */
const CHUNK_BYTES = 1024 * 1024;

/** What one passage over all tables came to. */
export interface Passage {
  readonly sent: number;
  readonly rows: number;
  readonly tables: Manifest['tables'];
}

interface Deps {
  readonly database: Database;
  readonly destination: Destination;
  readonly move: CompanyMoveRow;
  readonly between: () => Promise<void>;
}

/**
 * Brings the rows of a company to where it moves, stretch by stretch in the order of the keys of this database. A stretch
 * that is as it was when it was sent is not sent again, so each passage brings what changed since the one before; one over
 * rows that nobody writes leaves nothing different.
 */
export class Transfer {
  readonly #deps: Deps;
  #sent = 0;
  #rows = 0;

  /** @param deps.between called before each stretch; throws to end the passage */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async pass(shapes: readonly TableShape[]): Promise<Passage> {
    const tables: Record<string, Manifest['tables'][string]> = {};
    for (const shape of shapes) tables[shape.name] = await this.#passTable(shape);
    return { sent: this.#sent, rows: this.#rows, tables };
  }

  async #passTable(shape: TableShape): Promise<Manifest['tables'][string]> {
    const { id: moveId, company_id: companyId } = this.#deps.move;
    const { reader } = this.#deps.database;
    const known = await chunksOf(reader, moveId, shape.name);
    const byPart = Map.groupBy(known, (chunk) => chunk.part);
    // One that was deleted meanwhile has no rows any more, which has to be told as well.
    const parts = new Set([...(await partsOf(reader, shape, companyId)), ...byPart.keys()]);
    const digest = new RowDigest(shape.apartPlaces, shape.columns.length);
    let chunks = known.at(-1)?.chunk ?? 0;
    for (const part of parts) {
      let after: Row | undefined;
      for (const chunk of byPart.get(part) ?? []) {
        const upto = JSON.parse(chunk.upto) as Row;
        await breath();
        await this.#deps.between();
        const rows = await readStretch(reader, shape, { companyId, part, after, upto, withKnown: true });
        await this.#send(shape, chunk, rows, digest);
        after = upto;
      }
      for (;;) {
        await breath();
        await this.#deps.between();
        const page = await readStretch(reader, shape, {
          companyId,
          part,
          after,
          most: shape.page,
          withKnown: true,
        });
        if (page.length === 0) break;
        for (const rows of cut(page)) {
          const last = rows.at(-1) ?? [];
          after = shape.keyPlaces.map((place) => last[place] ?? null);
          const upto = JSON.stringify(after);
          const chunk = { move_id: moveId, table_name: shape.name, chunk: ++chunks, part, upto };
          await this.#send(shape, { ...chunk, rows: -1, sha256: '' }, rows, digest);
        }
        if (page.length < shape.page) break;
      }
    }
    const { rows, sha256: sum } = digest.end();
    this.#rows += rows;
    return { rows, sha256: sum, chunks };
  }

  async #send(
    shape: TableShape,
    chunk: CompanyMoveChunkRow,
    rows: readonly Row[],
    digest: RowDigest,
  ): Promise<void> {
    for (const row of rows) digest.add(row);
    const content = JSON.stringify(rows);
    const sum = sha256(content);
    if (chunk.rows === rows.length && chunk.sha256 === sum) return;
    const { state } = await this.#deps.destination.stage(this.#deps.move.id, {
      table: shape.name,
      chunk: chunk.chunk,
      rows: rows.length,
      sha256: sum,
      content,
    });
    if (state !== 'staging') throw new Error(`The other region takes nothing in: ${state}.`);
    await this.#deps.database.write((writer) =>
      putChunk(writer, { ...chunk, rows: rows.length, sha256: sum }),
    );
    this.#sent++;
  }
}

/** A page in pieces that are not too large to be sent at once. */
function cut(page: readonly Row[]): Row[][] {
  const pieces: Row[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of page) {
    const length = row.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 8),
      0,
    );
    if (size + length > CHUNK_BYTES) {
      pieces.push([]);
      size = 0;
    }
    pieces.at(-1)?.push(row);
    size += length;
  }
  return pieces;
}
