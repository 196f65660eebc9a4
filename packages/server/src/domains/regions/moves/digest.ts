import { hash } from 'node:crypto';

/** A row as it is sent and compared: the values of its columns in the order of their names. */
export type Row = readonly (string | number | null)[];

/** What a table of a company comes to, whatever the order of its rows. */
export interface TableDigest {
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Takes in rows one by one: their hashes are added up, for two engines need not sort alike, and a row is there once.
 * @param apart places of columns that are not compared
 * @param columns what comes behind those belongs to no column
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

export const sha256 = (text: string): string => hash('sha256', text, 'hex');
