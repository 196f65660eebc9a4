import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import type { LoadedFont } from './fonts.ts';
import type { Glyph, Run } from './shape.ts';
import { subset } from './subset.ts';

interface Use {
  readonly name: string;
  readonly font: LoadedFont;
  readonly glyphs: Map<number, Glyph>;
}

/** Labels are the same on each page of signatures: their fonts are cut down once. */
const MOST_SUBSETS = 64;
const subsets = new Map<string, Subset>();

interface Subset {
  readonly tag: string;
  readonly length: number;
  readonly deflated: Uint8Array;
}

/** The fonts that pages use, and the glyphs of each. */
export class FontUses {
  readonly #uses = new Map<string, Use>();
  readonly #prefix: string;

  /** @param prefix of the names, where the resources have others */
  constructor(prefix = 'F') {
    this.#prefix = prefix;
  }

  /** The name of the run's font in the resources of every page. */
  add(run: Run): string {
    let use = this.#uses.get(run.font.key);
    if (!use) {
      use = { name: `${this.#prefix}${this.#uses.size + 1}`, font: run.font, glyphs: new Map() };
      this.#uses.set(run.font.key, use);
    }
    for (const glyph of run.glyphs) {
      if (!use.glyphs.get(glyph.id)?.text) use.glyphs.set(glyph.id, glyph);
    }
    return use.name;
  }

  /** Embeds what was used. @returns the Font entry of the pages' resources */
  embed(pdf: PDF): PdfDict {
    const fonts = new PdfDict();
    for (const use of this.#uses.values()) fonts.set(use.name, embed(pdf, use));
    return fonts;
  }
}

function embed(pdf: PDF, { font, glyphs }: Use): PdfRef {
  const ids = [...glyphs.keys()].sort((a, b) => a - b);
  const file = cutDown(font, ids);
  const name = PdfName.of(`${file.tag}+NotoSans`);
  const descriptor = PdfDict.of({
    Type: PdfName.of('FontDescriptor'),
    FontName: name,
    Flags: PdfNumber.of(4),
    FontBBox: numbers(-1000, -500, 3000, 1500),
    ItalicAngle: PdfNumber.of(0),
    Ascent: PdfNumber.of(1069),
    Descent: PdfNumber.of(-293),
    CapHeight: PdfNumber.of(714),
    StemV: PdfNumber.of(font.weight === 400 ? 80 : 120),
    FontFile2: pdf.context.register(deflated(file.deflated, { Length1: PdfNumber.of(file.length) })),
  });
  const descendant = PdfDict.of({
    Type: PdfName.of('Font'),
    Subtype: PdfName.of('CIDFontType2'),
    BaseFont: name,
    CIDSystemInfo: PdfDict.of({
      Registry: PdfString.fromString('Adobe'),
      Ordering: PdfString.fromString('Identity'),
      Supplement: PdfNumber.of(0),
    }),
    FontDescriptor: pdf.context.register(descriptor),
    CIDToGIDMap: PdfName.of('Identity'),
    DW: PdfNumber.of(0),
    W: new PdfArray(ids.flatMap((id) => [PdfNumber.of(id), numbers(round(glyphs.get(id)?.width ?? 0))])),
  });
  return pdf.context.register(
    PdfDict.of({
      Type: PdfName.of('Font'),
      Subtype: PdfName.of('Type0'),
      BaseFont: name,
      Encoding: PdfName.of('Identity-H'),
      DescendantFonts: PdfArray.of(pdf.context.register(descendant)),
      ToUnicode: pdf.context.register(compressed(Buffer.from(toUnicode(glyphs), 'latin1'))),
    }),
  );
}

function cutDown(font: LoadedFont, ids: readonly number[]): Subset {
  const key = `${font.key} ${ids.join()}`;
  const known = subsets.get(key);
  if (known) return known;
  const file = subset(font.bytes, ids, font.weight);
  const made = { tag: tagOf(file), length: file.length, deflated: deflateSync(file) };
  if (subsets.size >= MOST_SUBSETS) subsets.clear();
  subsets.set(key, made);
  return made;
}

/** Six letters that tell this subset from others (ISO 32000, 9.9.2). */
function tagOf(file: Uint8Array): string {
  return Array.from(createHash('sha256').update(file).digest().subarray(0, 6), (byte) =>
    String.fromCharCode(65 + (byte % 26)),
  ).join('');
}

/**
 * What each glyph reads as. The second glyph of a group stands for no character, but a glyph without an entry reads as
 * junk: it gets a space without width.
 */
function toUnicode(glyphs: ReadonlyMap<number, Glyph>): string {
  const rows = [...glyphs].map(([id, { text }]) => `<${hex4(id)}> <${utf16(text || '\u200b')}>`);
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const part = rows.slice(at, at + 100);
    blocks.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

export function compressed(data: Uint8Array): PdfStream {
  return deflated(deflateSync(data));
}

function deflated(data: Uint8Array, entries: Record<string, PdfNumber> = {}): PdfStream {
  return PdfStream.fromDict({ ...entries, Filter: PdfName.of('FlateDecode') }, data);
}

export function numbers(...values: readonly number[]): PdfArray {
  return new PdfArray(values.map((value) => PdfNumber.of(value)));
}

export function hex4(value: number): string {
  return value.toString(16).padStart(4, '0');
}

export function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
