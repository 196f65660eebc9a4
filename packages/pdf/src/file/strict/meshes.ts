import type { PDF, PdfStream } from '@libpdf/core';
import { numberAt, numbersAt } from '../objects.ts';
import { Unclear } from '../raw/tokens.ts';

/** Points and colours of a patch that stands alone, and of one that goes on from another (ISO 32000-2, 8.7.4.5.7). */
const PATCHES: Readonly<Record<number, readonly [alone: number, goingOn: number]>> = {
  6: [12, 8],
  7: [16, 12],
};
const COLOURS = { alone: 4, goingOn: 2 };
const BITS = {
  BitsPerCoordinate: [1, 2, 4, 8, 12, 16, 24, 32],
  BitsPerComponent: [1, 2, 4, 8, 12, 16],
  BitsPerFlag: [2, 4, 8],
};
const [FREE, LATTICE] = [4, 5];
/** Of the shape before, from which the next one may go on. */
const LAST_EDGE = 3;

/**
 * A shading by points must tell how they are written, and have whole ones alone.
 * @param colours numbers of each point's colour
 * @throws {Unclear}
 */
export function checkMesh(
  pdf: PDF,
  shading: PdfStream,
  { type, colours }: { readonly type: number; readonly colours: number },
  unpack: (stream: PdfStream) => Uint8Array,
): void {
  const [place = 0, part = 0, flag = 0] = Object.entries(BITS).map(([key, known]) => {
    const bits = numberAt(pdf, shading, key) ?? 0;
    if (!known.includes(bits) && !(key === 'BitsPerFlag' && type === LATTICE))
      throw new Unclear(`A shading does not tell its /${key}`);
    return bits;
  });
  const decode = numbersAt(pdf, shading, 'Decode') ?? [];
  if (decode.length !== 4 + 2 * colours)
    throw new Unclear('A shading does not tell the values of its points');
  const data = new Bits(unpack(shading));
  const point = 2 * place;
  const colour = colours * part;
  if (type === LATTICE) {
    const row = numberAt(pdf, shading, 'VerticesPerRow') ?? 0;
    if (!Number.isInteger(row) || row < 2) throw new Unclear('A shading does not tell its rows');
    data.skipRows(row, Math.ceil((point + colour) / 8) * 8);
    return;
  }
  for (let isFirst = true; data.hasMore(); isFirst = false) {
    const kind = data.read(flag);
    if (kind > LAST_EDGE || (kind !== 0 && isFirst))
      throw new Unclear('A shading goes on from a point that is malformed');
    if (type === FREE) data.skipTriangle(kind, flag, point + colour);
    else {
      const [alone, goingOn] = PATCHES[type] ?? [0, 0];
      data.skip(
        kind === 0 ? alone * point + COLOURS.alone * colour : goingOn * point + COLOURS.goingOn * colour,
      );
    }
  }
}

/** Numbers of any length, one behind the other; each point or patch begins with a byte. */
class Bits {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  hasMore(): boolean {
    return this.#at < this.#bytes.length * 8;
  }

  read(length: number): number {
    const byte = this.#bytes[this.#at >> 3] ?? 0;
    this.#at += length;
    return byte >> (8 - length);
  }

  /** To the byte that begins behind it. @throws {Unclear} */
  skip(length: number): void {
    this.#at = Math.ceil((this.#at + length) / 8) * 8;
    if (this.#at > this.#bytes.length * 8) throw new Unclear('A shading has too few data');
  }

  /** A new triangle has two more points, whose flags mean nothing. */
  skipTriangle(kind: number, flag: number, point: number): void {
    this.skip(point);
    if (kind === 0) for (let more = 0; more < 2; more++) this.skip(flag + point);
  }

  skipRows(row: number, point: number): void {
    const length = row * point;
    const bits = this.#bytes.length * 8;
    if (bits < 2 * length || bits % length !== 0) throw new Unclear('A shading has too few data');
  }
}
