import { Unclear } from '../raw/tokens.ts';

const [CLEAR, END, FIRST] = [256, 257, 258];
const MOST_CODES = 4096;

/** What data expand to, and how many of their bytes that took; `used` is undefined where they stop without the mark of their end. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  readonly used: number | undefined;
}

/**
 * Expands data by LZW up to the mark of their end, or to where they stop (ISO 32000-2, 7.4.4).
 * @param early whether codes get longer one code early
 * @throws {Unclear} for a code that stands for nothing; {RangeError} for more bytes than `most`
 */
export function unpackLzw(data: Uint8Array, early: boolean, most: number): Unpacked {
  const out = new Output(most);
  // What a code stands for was written before: the text of the code before it, and the byte behind that.
  const [starts, lengths] = [new Uint32Array(MOST_CODES), new Uint32Array(MOST_CODES)];
  let [at, width, next, length] = [0, 9, 0, 0];
  while (at + width <= data.length * 8) {
    let code = 0;
    for (const end = at + width; at < end; at++)
      code = code * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    if (code === END) return { bytes: out.bytes, used: Math.ceil(at / 8) };
    if (code === CLEAR) next = FIRST - 1;
    else if (next === 0 || next >= MOST_CODES || (next < FIRST ? code > 255 : code > next))
      throw new Unclear('Data have a code that stands for nothing');
    else {
      if (next >= FIRST) {
        starts[next] = out.length - length;
        lengths[next] = length + 1;
      }
      length = code < CLEAR ? 1 : (lengths[code] ?? 0);
      if (code < CLEAR) out.repeat(code, 1);
      else out.again(starts[code] ?? 0, length);
      next++;
    }
    width = Math.min(12, Math.max(9, Math.floor(Math.log2(next + (early ? 1 : 0))) + 1));
  }
  return { bytes: out.bytes, used: undefined };
}

/**
 * Expands data by run lengths in the same way (ISO 32000-2, 7.4.5).
 * @throws {Unclear} for a run that is cut off; {RangeError} for more bytes than `most`
 */
export function unpackRuns(data: Uint8Array, most: number): Unpacked {
  const out = new Output(most);
  for (let at = 0; at < data.length; ) {
    const length = data[at++] ?? 0;
    if (length === 128) return { bytes: out.bytes, used: at };
    if (at + (length > 128 ? 1 : length + 1) > data.length) throw new Unclear('A run has no end');
    if (length > 128) out.repeat(data[at++] ?? 0, 257 - length);
    else for (const end = at + length + 1; at < end; at++) out.repeat(data[at] ?? 0, 1);
  }
  return { bytes: out.bytes, used: undefined };
}

/** Bytes that are written one behind the other, up to a number. */
class Output {
  #room = new Uint8Array(1024);
  readonly #most: number;
  length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.length);
  }

  repeat(byte: number, times: number): void {
    this.#reserve(times);
    this.#room.fill(byte, this.length, this.length + times);
    this.length += times;
  }

  /** Writes what was written from a place on; its end may be what is written by it. */
  again(from: number, length: number): void {
    this.#reserve(length);
    for (let at = 0; at < length; at++) this.#room[this.length + at] = this.#room[from + at] ?? 0;
    this.length += length;
  }

  #reserve(more: number): void {
    if (this.length + more > this.#most) throw new RangeError('The data expand too far');
    if (this.length + more <= this.#room.length) return;
    const room = new Uint8Array(Math.max(this.length + more, this.#room.length * 2));
    room.set(this.bytes);
    this.#room = room;
  }
}
