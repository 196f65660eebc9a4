import { type PDF, PdfArray, PdfDict, PdfStream } from '@libpdf/core';
import { latin1Of } from '../../latin1.ts';
import { dictAt, dictsAt, nameAt, numberAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { whole } from './bytes.ts';
import { checkComposite } from './cid-fonts.ts';
import { checkCompact } from './compact.ts';
import { differencesOf, isEmbedded, OF_CHARACTERS, PROGRAMS } from './font-entries.ts';
import { isGlyphName } from './glyph-names.ts';
import { checkOwnCodes } from './own-codes.ts';
import { checkMatrix } from './paints.ts';
import { checkTrueType } from './true-type.ts';
import { checkTrueTypeCodes } from './true-type-codes.ts';
import { checkType1 } from './type1.ts';

const KINDS = new Set(['Type0', 'Type1', 'MMType1', 'TrueType', 'Type3']);
/** How the programs of fonts begin: where something stands before, some readers do not know them. */
const BEGINS: Readonly<Record<string, RegExp>> = {
  FontFile: /^%!(?:PS-AdobeFont|FontType1)/,
  // By the compact format, or OpenType with such a program in it. One of TrueType has its own key.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: numbers of the header
  FontFile3: /^(?:\x01\0[\x04-\x20][\x01-\x04]|OTTO)/,
};
const OF_TRUE_TYPE = new Set(['TrueType', 'CIDFontType2']);
const BLANK = 0x20;
const ENCODINGS = new Set(['StandardEncoding', 'WinAnsiEncoding', 'MacRomanEncoding']);
const LAST_CODE = 255;

/** What a simple font says of its codes must be clear: else each reader takes other glyphs, or sets them elsewhere. @throws {Unclear} */
export function checkFont(pdf: PDF, font: PdfDict, unpack: (stream: PdfStream) => Uint8Array): void {
  const kind = nameAt(pdf, font, 'Subtype') ?? '';
  if (!KINDS.has(kind)) throw new Unclear(`A font has the kind ${kind}`);
  if (kind === 'Type0') {
    checkComposite(pdf, font, unpack);
    for (const part of dictsAt(pdf, font, 'DescendantFonts')) checkEmbedded(pdf, part, unpack);
    return;
  }
  checkEmbedded(pdf, font, unpack);
  checkWidths(pdf, font);
  checkEncoding(pdf, font);
  checkDifferences(pdf, font, kind === 'Type3' || isEmbedded(pdf, font));
  if (kind !== 'Type3') {
    if (nameAt(pdf, font, 'BaseFont') === undefined) throw new Unclear('A font has no name');
    return;
  }
  if (!font.has('Widths') || !font.has('Encoding') || !dictAt(pdf, font, 'CharProcs'))
    throw new Unclear('A font does not tell its glyphs');
  if (!font.has('FontMatrix')) throw new Unclear('A font has no matrix');
  checkMatrix(pdf, font, 'FontMatrix');
  if (
    numbersAt(pdf, font, 'FontMatrix')
      ?.slice(4)
      .some((shift) => shift !== 0)
  )
    throw new Unclear('A font moves its glyphs');
}

function checkEmbedded(pdf: PDF, font: PdfDict, unpack: (stream: PdfStream) => Uint8Array): void {
  const descriptor = dictAt(pdf, font, 'FontDescriptor');
  const files = PROGRAMS.filter((key) => descriptor?.has(key));
  if (files.length > 1) throw new Unclear('A font has several programs');
  const [key = ''] = files;
  if (key === '') return;
  const file = resolve(pdf, descriptor?.get(key));
  if (!(file instanceof PdfStream)) throw new Unclear('The program of a font is missing');
  const program = unpack(file);
  const subtype = nameAt(pdf, font, 'Subtype') ?? '';
  // The tables of codes in one of another kind would be read by each reader in its way.
  const isOfKind =
    key === 'FontFile2'
      ? OF_TRUE_TYPE.has(subtype)
      : !OF_TRUE_TYPE.has(subtype) && BEGINS[key]?.test(latin1Of(program, 0, 20));
  if (!isOfKind) throw new Unclear('The program of a font is of another kind than it says');
  whole('A font ends before its glyphs', () => {
    if (key === 'FontFile2') {
      checkTrueType(program);
      if (subtype === 'TrueType') checkTrueTypeCodes(pdf, font, program);
      return;
    }
    const own =
      key === 'FontFile3' ? checkCompact(program) : checkType1(program, numberAt(pdf, file, 'Length1') ?? 0);
    if (!OF_CHARACTERS.has(subtype)) checkOwnCodes(pdf, font, own);
  });
}

/** @throws {Unclear} for one by a name that not all readers know */
function checkEncoding(pdf: PDF, font: PdfDict): void {
  const encoding = resolve(pdf, font.get('Encoding'));
  const name =
    encoding instanceof PdfDict ? nameAt(pdf, encoding, 'BaseEncoding') : nameAt(pdf, font, 'Encoding');
  if (name !== undefined && !ENCODINGS.has(name)) throw new Unclear(`A font has the encoding ${name}`);
}

function checkWidths(pdf: PDF, font: PdfDict): void {
  if (!font.has('Widths')) return;
  const widths = numbersAt(pdf, font, 'Widths');
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => numberAt(pdf, font, key) ?? -1);
  const isRange = [first, last].every((code) => Number.isInteger(code) && (code ?? -1) >= 0);
  if (!widths || !isRange || widths.length !== (last ?? 0) - (first ?? 0) + 1)
    throw new Unclear('The widths of a font are not those of its codes');
  if (nameAt(pdf, font, 'Subtype') !== 'Type3' && widths.some((width) => width < 0))
    throw new Unclear('A font has a negative width');
}

/** The codes of a simple font whose tables were compared: each reader asks them in its own order, and text may have no others. */
export function comparedCodes(pdf: PDF, font: PdfDict): [first: number, last: number] | undefined {
  const isCompared =
    nameAt(pdf, font, 'Subtype') === 'TrueType' && dictAt(pdf, font, 'FontDescriptor')?.has('FontFile2');
  const [first, last] = ['FirstChar', 'LastChar'].map((key) => numberAt(pdf, font, key));
  return isCompared && first !== undefined && last !== undefined ? [first, last] : undefined;
}

/** @throws {Unclear} for a code that is not among them; codes up to that of a blank show nothing */
export function checkShownCodes(
  texts: readonly Uint8Array[],
  [first, last]: readonly [number, number],
): void {
  if (texts.some((text) => text.some((code) => code > BLANK && (code < first || code > last))))
    throw new Unclear('Text has a code that its font does not tell');
}

/** The widths of the glyphs of a font of content, by their names. */
export function widthsOf(pdf: PDF, font: PdfDict): ReadonlyMap<string, readonly number[]> {
  const widths = numbersAt(pdf, font, 'Widths') ?? [];
  const first = numberAt(pdf, font, 'FirstChar') ?? 0;
  const found = new Map<string, number[]>();
  for (const [code, name] of differencesOf(pdf, font)) {
    const width = widths[code - first];
    if (width !== undefined) found.set(name, [...(found.get(name) ?? []), width]);
  }
  return found;
}

/** @param hasGlyphs whether the names are those of glyphs in the file: of others, readers know the usual ones */
function checkDifferences(pdf: PDF, font: PdfDict, hasGlyphs: boolean): void {
  const differences = resolve(pdf, dictAt(pdf, font, 'Encoding')?.get('Differences'));
  if (differences === undefined) return;
  const base = nameAt(pdf, font, 'BaseFont') ?? '';
  let code = Number.NaN;
  const isNext = (item: ReturnType<typeof resolve>) => {
    if (item?.type === 'name') {
      if (!hasGlyphs && !isGlyphName(item.value, base))
        throw new Unclear(`A glyph is unknown: ${item.value}`);
      return code++ <= LAST_CODE;
    }
    code = item?.type === 'number' && Number.isInteger(item.value) ? item.value : Number.NaN;
    return code >= 0;
  };
  if (
    !(differences instanceof PdfArray) ||
    !differences.toArray().every((item) => isNext(resolve(pdf, item)))
  )
    throw new Unclear('A font has differences that are malformed');
}
