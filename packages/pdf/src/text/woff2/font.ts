import { brotliDecompressSync } from 'node:zlib';
import { Cursor } from './cursor.ts';
import { outlinesOf } from './glyphs.ts';

/** The tags that the format knows by a number (WOFF2 section 4.1). */
const TAGS = [
  ...['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post', 'cvt ', 'fpgm', 'glyf', 'loca', 'prep'],
  ...['CFF ', 'VORG', 'EBDT', 'EBLC', 'gasp', 'hdmx', 'kern', 'LTSH', 'PCLT', 'VDMX', 'vhea', 'vmtx', 'BASE'],
  ...['GDEF', 'GPOS', 'GSUB', 'EBSC', 'JSTF', 'MATH', 'CBDT', 'CBLC', 'COLR', 'CPAL', 'SVG ', 'sbix', 'acnt'],
  ...['avar', 'bdat', 'bloc', 'bsln', 'cvar', 'fdsc', 'feat', 'fmtx', 'fvar', 'gvar', 'hsty', 'just', 'lcar'],
  ...['mort', 'morx', 'opbd', 'prop', 'trak', 'Zapf', 'Silf', 'Glat', 'Gloc', 'Feat', 'Sill'],
];
const OTHER_TAG = 63;
const SIGNATURE = 0x774f4632; // wOF2
/** Of what is written: the header, and a row of its table of contents. */
const [HEADER, ROW] = [12, 16];

interface Entry {
  readonly tag: string;
  readonly length: number;
  readonly transformed: boolean;
}

/**
 * A font in the form for the web (W3C, WOFF File Format 2.0), as TrueType has it. For the fonts that this package comes with: what none
 * of them uses is refused, and checksums, which HarfBuzz does not read, are zero.
 * @throws when it is no such font
 */
export function fontOfWoff2(file: Uint8Array): Uint8Array {
  const bytes = new Cursor(file);
  if (bytes.u32() !== SIGNATURE) throw new Error('The file is no font in WOFF2');
  const flavour = bytes.u32();
  bytes.u32();
  const count = bytes.u16();
  bytes.take(6);
  const packed = bytes.u32();
  bytes.take(24);
  const entries = Array.from({ length: count }, () => readEntry(bytes));
  const data = new Cursor(brotliDecompressSync(bytes.take(packed)));
  const tables = new Map(entries.map(({ tag, length }) => [tag, data.take(length)]));
  const transformed = new Set(entries.filter((entry) => entry.transformed).map(({ tag }) => tag));
  const glyf = tables.get('glyf');
  if (glyf && transformed.delete('glyf') && transformed.delete('loca')) {
    for (const [tag, table] of Object.entries(outlinesOf(glyf))) tables.set(tag, table);
  }
  if (transformed.size > 0) throw new Error(`The font's ${[...transformed]} cannot be read`);
  return written(flavour, tables);
}

function readEntry(bytes: Cursor): Entry {
  const flags = bytes.u8();
  const tag =
    (flags & 63) === OTHER_TAG ? Buffer.from(bytes.take(4)).toString('latin1') : (TAGS[flags & 63] ?? '');
  const length = bytes.base128();
  // The outlines are transformed unless that is said; of all others it is said.
  const transformed = flags >> 6 !== (tag === 'glyf' || tag === 'loca' ? 3 : 0);
  return { tag, transformed, length: transformed ? bytes.base128() : length };
}

function written(flavour: number, tables: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const head = Buffer.alloc(HEADER + sorted.length * ROW);
  head.writeUInt32BE(flavour);
  head.writeUInt16BE(sorted.length, 4);
  const parts: Uint8Array[] = [head];
  let at = head.length;
  for (const [index, [tag, table]] of sorted.entries()) {
    const row = HEADER + index * ROW;
    head.write(tag, row, 'latin1');
    head.writeUInt32BE(at, row + 8);
    head.writeUInt32BE(table.length, row + 12);
    const padding = new Uint8Array(-table.length & 3);
    parts.push(table, padding);
    at += table.length + padding.length;
  }
  return Buffer.concat(parts);
}
