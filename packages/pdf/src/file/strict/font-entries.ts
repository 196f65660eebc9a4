import { type PDF, type PdfDict, PdfStream } from '@libpdf/core';
import { dictAt, listAt, numberAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';

/** The kinds of fonts that a composite one is made of. */
export const OF_CHARACTERS: ReadonlySet<string> = new Set(['CIDFontType0', 'CIDFontType2']);
/** Where the program of a font stands in its descriptor. */
export const PROGRAMS = ['FontFile', 'FontFile2', 'FontFile3'] as const;
const SYMBOLIC = 4;

/** Whether the program of a font is in the file. */
export function isEmbedded(pdf: PDF, font: PdfDict): boolean {
  const descriptor = dictAt(pdf, font, 'FontDescriptor');
  return PROGRAMS.some((key) => resolve(pdf, descriptor?.get(key)) instanceof PdfStream);
}

/** Whether a font says that it has characters beyond the usual ones. */
export const isSymbolic = (pdf: PDF, font: PdfDict): boolean =>
  ((numberAt(pdf, dictAt(pdf, font, 'FontDescriptor'), 'Flags') ?? 0) & SYMBOLIC) !== 0;

/** The names of glyphs that a font tells code by code, in their order. */
export function* differencesOf(pdf: PDF, font: PdfDict): Generator<[code: number, name: string]> {
  let code = 0;
  for (const item of listAt(pdf, dictAt(pdf, font, 'Encoding'), 'Differences'))
    if (item.type === 'number') code = item.value;
    else if (item.type === 'name') yield [code++, item.value];
}
