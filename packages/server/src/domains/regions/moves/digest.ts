import { hash } from 'node:crypto';

/** A row as it is sent and compared: its values in the order of the column names. */
export type Row = readonly (string | number | null)[];

/** Count and hash of a company's rows of one table. */
export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Hashes rows one by one. The hashes are added up, because two engines need not sort alike; a primary key occurs once.
 * @param apart indexes of columns that are not compared
 * @param columns how many columns the table has; values behind those are not compared
 */
export class RowDigest {
  readonly #apart: ReadonlySet<number>;
  readonly #columns: number;
  readonly #sum = new Uint32Array(8);
  #rows = 0;

  constructor(apart: readonly number[], columns: number) {
    this.#apart = new Set(apart);
    this.#columns = columns;
  }

  add(row: Row): void {
    const compared = row.filter((_, place) => place < this.#columns && !this.#apart.has(place));
    const digest = hash('sha256', JSON.stringify(compared), 'buffer');
    for (let lane = 0; lane < 8; lane++) {
      this.#sum[lane] = (this.#sum[lane] ?? 0) + digest.readUInt32BE(lane * 4);
    }
    this.#rows++;
  }

  end(): TableDigest {
    return { rows: this.#rows, sha256: Buffer.from(this.#sum.buffer).toString('hex') };
  }
}
