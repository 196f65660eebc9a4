import { type PDF, PdfArray, type PdfDict, PdfStream } from '@libpdf/core';
import { latin1Of } from '../../latin1.ts';
import { dictAt, dictsAt, nameAt, numberAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { checkComposite } from './cid-fonts.ts';
import { isGlyphName } from './glyph-names.ts';
import { checkMatrix } from './paints.ts';
import { checkTrueType } from './true-type.ts';
import { checkCodes } from './true-type-codes.ts';

const KINDS = new Set(['Type0', 'Type1', 'MMType1', 'TrueType', 'Type3']);
/** How programs of TrueType begin. */
const TRUE_TYPE = new Set(['\0\u0001\0\0', 'true', 'ttcf']);
/** Where the program of a font stands. */
const FILES = ['FontFile', 'FontFile2', 'FontFile3'];
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
  checkDifferences(pdf, font, kind === 'Type3' || isEmbedded(pdf, font));
  if (kind !== 'Type3') {
    if (nameAt(pdf, font, 'BaseFont') === undefined) throw new Unclear('A font has no name');
    return;
  }
  if (!font.has('Widths') || !dictAt(pdf, font, 'CharProcs'))
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
  const files = FILES.filter((key) => descriptor?.has(key));
  if (files.length > 1) throw new Unclear('A font has several programs');
  const [key = ''] = files;
  const file = resolve(pdf, descriptor?.get(key));
  if (!(file instanceof PdfStream)) return;
  const program = unpack(file);
  if (key !== 'FontFile2') {
    // Its tables of codes would be read by each reader in its way.
    if (TRUE_TYPE.has(latin1Of(program, 0, 4)))
      throw new Unclear('The program of a font is of another kind than it says');
    return;
  }
  const isSimple = nameAt(pdf, font, 'Subtype') === 'TrueType';
  checkTrueType(program, isSimple ? (data) => checkCodes(pdf, font, data) : undefined);
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

function isEmbedded(pdf: PDF, font: PdfDict): boolean {
  const descriptor = dictAt(pdf, font, 'FontDescriptor');
  return FILES.some((key) => resolve(pdf, descriptor?.get(key)) instanceof PdfStream);
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
