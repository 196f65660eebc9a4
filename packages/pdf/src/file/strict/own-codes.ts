import type { PDF, PdfDict } from '@libpdf/core';
import { dictAt, nameAt, numberAt } from '../objects.ts';
import { Unclear } from '../raw/tokens.ts';
import { differencesOf, isSymbolic } from './font-entries.ts';
import { standardName } from './standard-names.ts';

const LAST_CODE = 255;

/** What the program of a font of characters with names tells. */
export interface OwnCodes {
  /** The names of glyphs by codes. */
  readonly codes: ReadonlyMap<number, string>;
  /** The names of the glyphs that it has. */
  readonly glyphs: ReadonlySet<string>;
}

/**
 * Where a font does not say from which codes its own ones differ, some readers take those of its program, others the standard ones: for each code
 * that it has, both must lead to the same glyph (ISO 32000-2, 9.6.5).
 * @throws {Unclear}
 */
export function checkOwnCodes(pdf: PDF, font: PdfDict, { codes, glyphs }: OwnCodes): void {
  // All readers take those of the program.
  if (isSymbolic(pdf, font)) return;
  if (!font.has('Encoding')) throw new Unclear('A font in the file does not tell its codes');
  const encoding = dictAt(pdf, font, 'Encoding');
  if (encoding === undefined || nameAt(pdf, encoding, 'BaseEncoding') !== undefined) return;
  const replaced = new Set([...differencesOf(pdf, font)].map(([code]) => code));
  const drawn = (name: string | undefined) => (name !== undefined && glyphs.has(name) ? name : undefined);
  const [first = 0, last = LAST_CODE] = ['FirstChar', 'LastChar'].map((key) => numberAt(pdf, font, key));
  for (let code = Math.max(first, 0); code <= Math.min(last, LAST_CODE); code++)
    if (!replaced.has(code) && drawn(codes.get(code)) !== drawn(standardName(code)))
      throw new Unclear('A font in the file has codes of its own, and others by the standard');
}
