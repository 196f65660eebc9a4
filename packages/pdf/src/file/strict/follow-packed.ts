import { Unclear } from '../raw/tokens.ts';

const [CLEAR, END, FIRST] = [256, 257, 258];
const MOST_CODES = 4096;

/**
 * Follows data by LZW up to the mark of their end, or to where they stop (ISO 32000-2, 7.4.4).
 * @param early whether codes get longer one code early
 * @returns how many bytes they expand to; and how many they have, undefined without a mark
 * @throws {Unclear} for a code that stands for nothing
 */
export function followLzw(
  data: Uint8Array,
  early: boolean,
): { readonly expanded: number; readonly used: number | undefined } {
  const lengths = new Uint32Array(MOST_CODES).fill(1);
  let [at, width, next, last, expanded] = [0, 9, 0, 0, 0];
  while (at + width <= data.length * 8) {
    let code = 0;
    for (const end = at + width; at < end; at++)
      code = code * 2 + (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    if (code === END) return { expanded, used: Math.ceil(at / 8) };
    if (code === CLEAR) next = FIRST - 1;
    else if (next === 0 || next >= MOST_CODES || (next < FIRST ? code > 255 : code > next))
      throw new Unclear('Data have a code that stands for nothing');
    else {
      if (next >= FIRST) lengths[next] = last + 1;
      last = lengths[code] ?? 0;
      expanded += last;
      next++;
    }
    width = Math.min(12, Math.max(9, Math.floor(Math.log2(next + (early ? 1 : 0))) + 1));
  }
  return { expanded, used: undefined };
}

/**
 * Follows data by run lengths in the same way (ISO 32000-2, 7.4.5).
 */
export function followRuns(data: Uint8Array): {
  readonly expanded: number;
  readonly used: number | undefined;
} {
  let expanded = 0;
  for (let at = 0; at < data.length; ) {
    const length = data[at] ?? 0;
    if (length === 128) return { expanded, used: at + 1 };
    expanded += length < 128 ? length + 1 : 257 - length;
    at += length < 128 ? length + 2 : 2;
  }
  return { expanded, used: undefined };
}
