import { latin1Of } from '../../latin1.ts';
import { characterOf } from './standard-names.ts';
import type { Table } from './true-type.ts';

/** The form of the table that tells a name for each glyph. */
const NAMED = 0x20000;
const [HEAD, COUNT] = [34, 32];
/** Names that all fonts share: those of the printable characters stand in the order of their codes. */
const [SHARED, FIRST_PRINTABLE, LAST_PRINTABLE] = [258, 3, 97];
const BEFORE_PRINTABLE = 29;
/** The glyphs of a font by their names in its table `post` (ISO/IEC 14496-22, 5.2.8), and those of printable characters by their codes. */
export function namesOf(
  data: Uint8Array,
  view: DataView,
  table: Table | undefined,
): ReadonlyMap<string | number, number> {
  const found = new Map<string | number, number>();
  if (table === undefined || table.length < HEAD || view.getUint32(table.start) !== NAMED) return found;
  const { start, length } = table;
  const count = view.getUint16(start + COUNT);
  const words: string[] = [];
  for (let at = start + HEAD + count * 2; at < start + length; at += 1 + (data[at] ?? 0))
    words.push(latin1Of(data, at + 1, at + 1 + (data[at] ?? 0)));
  for (let glyph = 0; glyph < count; glyph++) {
    const index = view.getUint16(start + HEAD + glyph * 2);
    const isPrintable = index >= FIRST_PRINTABLE && index <= LAST_PRINTABLE;
    const name = words[index - SHARED];
    const key = isPrintable
      ? index + BEFORE_PRINTABLE
      : name === undefined
        ? name
        : (characterOf(name) ?? name);
    if (key !== undefined && !found.has(key)) found.set(key, glyph);
  }
  return found;
}
