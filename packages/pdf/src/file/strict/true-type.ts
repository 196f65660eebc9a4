import { latin1Of } from '../../latin1.ts';
import { Unclear } from '../raw/tokens.ts';
import { viewOf } from './bytes.ts';

const KINDS = new Set(['\0\u0001\0\0', 'true']);
/** Where a font tells how many glyphs it has, and in which form their places are. */
const [HEAD_FORM, MAXP_GLYPHS] = [50, 4];
const [DIRECTORY, ENTRY] = [12, 16];

/**
 * The tables of a font must lie in it, and its glyphs in their table: what is beyond the end is empty to some readers, others leave out the
 * glyph, or take another font (ISO/IEC 14496-22, 4 and 5).
 * @throws {Unclear}; {RangeError} for a font that is cut
 */
export function checkTrueType(data: Uint8Array): void {
  const view = viewOf(data);
  checkGlyphs(view, tablesOf(data, view));
}

export interface Table {
  readonly start: number;
  readonly length: number;
}

interface Tables {
  (name: string): Table;
  (name: string, mayLack: true): Table | undefined;
}

/** @returns a table by its name @throws {Unclear}, also for a table that is not there and may not lack */
export function tablesOf(data: Uint8Array, view: DataView, kinds: ReadonlySet<string> = KINDS): Tables {
  if (!kinds.has(latin1Of(data, 0, 4))) throw new Unclear('A font has an unknown form');
  const tables = new Map<string, Table>();
  for (let at = DIRECTORY, left = view.getUint16(4); left > 0; left--, at += ENTRY) {
    const name = latin1Of(data, at, at + 4);
    const [start, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (start + length > data.length) throw new Unclear('A font ends before its tables');
    if (tables.has(name)) throw new Unclear('A font has a table twice');
    tables.set(name, { start, length });
  }
  return ((name: string, mayLack?: true) => {
    const table = tables.get(name);
    if (table === undefined && !mayLack) throw new Unclear(`A font has no table ${name}`);
    return table;
  }) as Tables;
}

function checkGlyphs(view: DataView, table: (name: string) => Table): void {
  const [loca, glyf] = [table('loca'), table('glyf')];
  for (const name of ['hhea', 'hmtx']) table(name);
  const glyphs = view.getUint16(table('maxp').start + MAXP_GLYPHS);
  const form = view.getInt16(table('head').start + HEAD_FORM);
  if (form !== 0 && form !== 1) throw new Unclear('A font tells the places of its glyphs in an unknown form');
  const wide = form === 1 ? 4 : 2;
  if (loca.length < (glyphs + 1) * wide) throw new Unclear('A font has fewer glyphs than it says');
  for (let glyph = 0, last = 0; glyph <= glyphs; glyph++) {
    const at = loca.start + glyph * wide;
    const place = wide === 4 ? view.getUint32(at) : view.getUint16(at) * 2;
    if (place < last || place > glyf.length) throw new Unclear('A font has glyphs beyond their table');
    last = place;
  }
}
