import { type PDF, PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream, PdfString } from '@libpdf/core';
import { latin1Of } from '../../latin1.ts';
import { dictAt, dictsAt, listAt, nameAt, numberAt, numbersAt, numbersOf } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { lastCharacter } from './code-tables.ts';
import { isEmbedded, OF_CHARACTERS } from './font-entries.ts';

/** Tables of characters by name (ISO 32000-2, 9.7.5.2). */
const TABLES = new Set(
  [
    'GB-EUC GBpc-EUC GBK-EUC GBKp-EUC GBK2K UniGB-UCS2 UniGB-UTF16 B5pc HKscs-B5 ETen-B5 ETenms-B5 CNS-EUC UniCNS-UCS2',
    'UniCNS-UTF16 90ms-RKSJ 90msp-RKSJ Add-RKSJ EUC Ext-RKSJ UniJIS-UCS2 UniJIS-UCS2-HW UniJIS-UTF16 KSC-EUC KSCms-UHC',
    'KSCms-UHC-HW UniKS-UCS2 UniKS-UTF16 Identity',
  ]
    .join(' ')
    .split(' ')
    .flatMap((name) => [`${name}-H`, `${name}-V`])
    .concat('H', 'V', '83pv-RKSJ-H', '90pv-RKSJ-H', 'KSCpc-EUC-H'),
);
const IDENTITY = /^Identity-[HV]$/;
const LAST_CID = 65_535;
/** Bytes of each glyph in the table of glyphs. */
const GLYPH = 2;
/** Characters of one list of widths: each once, and some again with the same width. */
const MOST_DEFINED = 4 * (LAST_CID + 1);
/** Numbers for each character, by the entry that tells its width: across, or down with the place of its origin. */
const PARTS = { W: 1, W2: 3 };

/** A font of many characters must tell their codes, their glyphs and their widths: readers leave it out, or set it otherwise. @throws {Unclear} */
export function checkComposite(pdf: PDF, font: PdfDict, unpack: (stream: PdfStream) => Uint8Array): void {
  const parts = resolve(pdf, font.get('DescendantFonts'));
  const [part] = listAt(pdf, font, 'DescendantFonts');
  const isOne = parts instanceof PdfArray && parts.length === 1;
  if (!isOne || !(part instanceof PdfDict) || !OF_CHARACTERS.has(nameAt(pdf, part, 'Subtype') ?? ''))
    throw new Unclear('A font has no characters');
  const table = resolve(pdf, font.get('Encoding'));
  const last = lastOf(pdf, font, unpack);
  if (last === undefined || !dictAt(pdf, part, 'CIDSystemInfo'))
    throw new Unclear('A font does not tell its characters');
  const glyphs = resolve(pdf, part.get('CIDToGIDMap'));
  if (
    glyphs !== undefined &&
    !(glyphs instanceof PdfStream) &&
    nameAt(pdf, part, 'CIDToGIDMap') !== 'Identity'
  )
    throw new Unclear('A font does not tell its glyphs');
  const isOfCharacters = IDENTITY.test(nameAt(pdf, font, 'Encoding') ?? '');
  // Where codes are the characters it is looked at which are shown.
  if (glyphs instanceof PdfStream) checkGlyphs(pdf, part, unpack(glyphs).length, isOfCharacters ? 0 : last);
  if (!isEmbedded(pdf, part) && !isOfCollection(pdf, part) && (table instanceof PdfStream || isOfCharacters))
    throw new Unclear('A font that is not in the file has codes of its own');
  const isWide =
    (!part.has('DW') || (numberAt(pdf, part, 'DW') ?? -1) >= 0) &&
    (!part.has('DW2') || numbersAt(pdf, part, 'DW2')?.length === 2) &&
    Object.entries(PARTS).every(([key, count]) => !part.has(key) || isList(pdf, part.get(key), count));
  if (!isWide) throw new Unclear('The widths of a font are not those of its characters');
}

/** The last character that the codes of a font lead to; undefined where readers do not take them alike. */
function lastOf(pdf: PDF, font: PdfDict, unpack: (stream: PdfStream) => Uint8Array): number | undefined {
  const table = resolve(pdf, font.get('Encoding'));
  if (!(table instanceof PdfStream))
    return TABLES.has(nameAt(pdf, font, 'Encoding') ?? '') ? LAST_CID : undefined;
  return table.has('UseCMap') ? undefined : lastCharacter(latin1Of(unpack(table)));
}

/** Characters that readers know by their numbers (ISO 32000-2, 9.7.3). */
function isOfCollection(pdf: PDF, part: PdfDict): boolean {
  const ordering = resolve(pdf, dictAt(pdf, part, 'CIDSystemInfo')?.get('Ordering'));
  return ordering instanceof PdfString && COLLECTIONS.has(ordering.asString());
}

const COLLECTIONS = new Set(['CNS1', 'GB1', 'Japan1', 'KR', 'Korea1']);

/**
 * @param bytes of its table from characters to glyphs
 * @param last character that must be in it
 * @throws {Unclear}
 */
function checkGlyphs(pdf: PDF, part: PdfDict, bytes: number, last: number): void {
  if (bytes % GLYPH !== 0) throw new Unclear('The glyphs of a font are cut');
  // Other programs know their characters themselves: some readers ask them, others the table.
  if (!dictAt(pdf, part, 'FontDescriptor')?.has('FontFile2'))
    throw new Unclear('A font tells its glyphs twice');
  if (bytes / GLYPH <= last) throw new Unclear('The glyphs of a font end before its characters');
}

/** Characters with a list each, or from one to another with one width for all; none twice with different ones. */
function isList(pdf: PDF, value: PdfObject | undefined, parts: number): boolean {
  const list = resolve(pdf, value);
  if (!(list instanceof PdfArray)) return false;
  const written = list.toArray();
  const items = written.map((item) => resolve(pdf, item));
  const widths = new Map<number, string>();
  let defined = 0;
  for (let at = 0; at < items.length; ) {
    const [first, next] = [wholeOf(items[at]), items[at + 1]];
    const isEach = next instanceof PdfArray;
    // What is looked at for points takes it for a list.
    if (!isEach && written[at + 1] instanceof PdfRef) return false;
    const numbers = isEach
      ? numbersOf(pdf, next)
      : items.slice(at + 2, at + 2 + parts).flatMap((item) => (item?.type === 'number' ? item.value : []));
    const last = isEach ? first + (numbers?.length ?? 0) / parts - 1 : wholeOf(next);
    if (numbers === undefined || numbers.length % parts !== 0 || (!isEach && numbers.length !== parts))
      return false;
    if (!(first >= 0 && last <= LAST_CID && (last >= first || numbers.length === 0))) return false;
    defined += last - first + 1;
    if (defined > MOST_DEFINED) return false;
    for (let cid = first; cid <= last; cid++) {
      const start = isEach ? (cid - first) * parts : 0;
      const width = numbers.slice(start, start + parts).join(' ');
      if ((widths.get(cid) ?? width) !== width) return false;
      widths.set(cid, width);
    }
    at += isEach ? 2 : 2 + parts;
  }
  return true;
}

const wholeOf = (item: PdfObject | undefined) =>
  item?.type === 'number' && Number.isInteger(item.value) ? item.value : Number.NaN;

/**
 * How many characters a font has glyphs for, where its table ends before the last character: readers take none for the others, or one by
 * the number of the character. Codes must be the characters.
 */
export function glyphsOf(
  pdf: PDF,
  font: PdfDict,
  unpack: (stream: PdfStream) => Uint8Array,
): number | undefined {
  if (!IDENTITY.test(nameAt(pdf, font, 'Encoding') ?? '')) return undefined;
  const [part] = dictsAt(pdf, font, 'DescendantFonts');
  const glyphs = resolve(pdf, part?.get('CIDToGIDMap'));
  const count = glyphs instanceof PdfStream ? unpack(glyphs).length / GLYPH : LAST_CID + 1;
  return count > LAST_CID ? undefined : count;
}

/** @param glyphs how many characters have one @throws {Unclear} for one that has none */
export function checkCharacters(texts: readonly Uint8Array[], glyphs: number): void {
  for (const text of texts)
    for (let at = 0; at < text.length; at += 2)
      if ((text[at] ?? 0) * 256 + (text[at + 1] ?? 0) >= glyphs)
        throw new Unclear('A character has no glyph in the table of its font');
}
