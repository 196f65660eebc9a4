/** A page as one reader draws it: a byte of grey for each pixel, from the upper left corner, row by row. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
}

/** In pixels: from the left and the top, and sizes. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels of a cell. Lower than the gap that a missing line leaves between two others, with a cell above and one below. */
const CELL = { width: 4, height: 2 };
/** Steps of grey within a cell: from here on it has ink, and up to here it has none. */
const INK = 60;
const NO_INK = 10;

export interface Sight {
  /** How many times as large as usual both are drawn: cells have as many more pixels, and a thin line is as much darker. */
  readonly times?: number;
  /** Areas in which the first may have more. */
  readonly passedOver?: readonly Area[];
}

/** Cells of a difference. Real files have up to 14, by fonts that stand in, thin lines and icons; two words in small print have more. */
const MOST_CELLS = 20;

/**
 * Whether one drawing has something, of the size of a few words, where the other has nothing. Other shapes of glyphs, edges, colours and
 * shifts by a few pixels are no difference.
 */
export function isDrawnApart(
  one: Drawing,
  other: Drawing,
  { times = 1, passedOver = [] }: Sight = {},
): boolean {
  if (one.width !== other.width || one.height !== other.height) return true;
  const [first, second] = [new Cells(one, times), new Cells(other, times)];
  const isPassedOver = (x: number, y: number) => passedOver.some((area) => first.isIn(area, x, y));
  return (
    largest(first, (x, y) => second.isEmptyAround(x, y) && !isPassedOver(x, y)) > MOST_CELLS ||
    largest(second, (x, y) => first.isEmptyAround(x, y)) > MOST_CELLS
  );
}

/** The darkest and the lightest pixel of each cell. */
class Cells {
  readonly columns: number;
  readonly rows: number;
  readonly #size: typeof CELL;
  readonly #noInk: number;
  readonly #darkest: Uint8Array;
  readonly #lightest: Uint8Array;

  constructor({ width, height, grey }: Drawing, times: number) {
    this.#size = { width: CELL.width * times, height: CELL.height * times };
    this.#noInk = NO_INK * times;
    this.columns = Math.ceil(width / this.#size.width);
    this.rows = Math.ceil(height / this.#size.height);
    this.#darkest = new Uint8Array(this.columns * this.rows).fill(255);
    this.#lightest = new Uint8Array(this.columns * this.rows);
    for (let y = 0; y < height; y++) this.#addRow(grey.subarray(y * width, (y + 1) * width), y);
  }

  /** An edge that stands between two cells is in the one before it. */
  #addRow(row: Uint8Array, y: number): void {
    const { width, height } = this.#size;
    const first = Math.floor(y / height) * this.columns;
    const isEdge = y > 0 && y % height === 0;
    for (let column = 0; column < this.columns; column++) {
      let [darkest, lightest] = [255, 0];
      const end = (column + 1) * width;
      for (let x = end - width; x < end && x < row.length; x++) {
        const value = row[x] ?? 0;
        if (value < darkest) darkest = value;
        if (value > lightest) lightest = value;
      }
      if (isEdge) this.#add(first - this.columns + column, darkest, lightest);
      const beside = row[end] ?? lightest;
      this.#add(first + column, Math.min(darkest, beside), Math.max(lightest, beside));
    }
  }

  #add(cell: number, darkest: number, lightest: number): void {
    if (darkest < (this.#darkest[cell] ?? 0)) this.#darkest[cell] = darkest;
    if (lightest > (this.#lightest[cell] ?? 0)) this.#lightest[cell] = lightest;
  }

  contrast(x: number, y: number): number {
    const cell = y * this.columns + x;
    return (this.#lightest[cell] ?? 0) - (this.#darkest[cell] ?? 0);
  }

  isIn(area: Area, x: number, y: number): boolean {
    const { width, height } = this.#size;
    return (
      x * width >= area.x - width &&
      x * width <= area.x + area.width &&
      y * height >= area.y - height &&
      y * height <= area.y + area.height
    );
  }

  /** Whether the cell and its neighbours together have no ink. The cell alone tells it of most. */
  isEmptyAround(x: number, y: number): boolean {
    if (this.contrast(x, y) > this.#noInk) return false;
    let [darkest, lightest] = [255, 0];
    for (const cell of this.around(x, y, 1)) {
      darkest = Math.min(darkest, this.#darkest[cell] ?? 255);
      lightest = Math.max(lightest, this.#lightest[cell] ?? 0);
    }
    return lightest - darkest <= this.#noInk;
  }

  *around(x: number, y: number, reach: number): Generator<number> {
    for (let row = Math.max(0, y - 1); row <= Math.min(this.rows - 1, y + 1); row++)
      for (let column = Math.max(0, x - reach); column <= Math.min(this.columns - 1, x + reach); column++)
        yield row * this.columns + column;
  }
}

/** How many cells hang together that have ink and lack it on the other side. Letters may leave one between them. */
function largest(cells: Cells, lacks: (x: number, y: number) => boolean): number {
  const left = new Set<number>();
  for (let y = 0; y < cells.rows; y++)
    for (let x = 0; x < cells.columns; x++)
      if (cells.contrast(x, y) >= INK && lacks(x, y)) left.add(y * cells.columns + x);
  let most = 0;
  for (const start of left) {
    const waiting = [start];
    left.delete(start);
    let count = 0;
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      count++;
      const x = cell % cells.columns;
      for (const next of cells.around(x, (cell - x) / cells.columns, 2))
        if (left.delete(next)) waiting.push(next);
    }
    most = Math.max(most, count);
  }
  return most;
}
