import { Unclear } from '../raw/tokens.ts';

const [CLEAR, END, FIRST] = [256, 257, 258];
const MOST_CODES = 4096;

/**
 * The length of data by LZW up to the mark of their end (ISO 32000-2, 7.4.4).
 * @param early whether codes get longer one code early
 * @throws {Unclear}
 */
export function lzwLength(data: Uint8Array, early: boolean): number {
  let [at, width, next] = [0, 9, 0];
  while (at + width <= data.length * 8) {
    let code = 0;
    for (const end = at + width; at < end; at++)
      code = code * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    if (code === END) return Math.ceil(at / 8);
    if (code === CLEAR) next = FIRST - 1;
    else if (next === 0 || next >= MOST_CODES || (next < FIRST ? code > 255 : code > next)) break;
    else next++;
    width = Math.min(12, Math.max(9, Math.floor(Math.log2(next + (early ? 1 : 0))) + 1));
  }
  throw new Unclear('The data of an inline image have no end');
}
