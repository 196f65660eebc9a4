import type { PDF } from '@libpdf/core';
import { PdfError } from '../../errors.ts';
import type { Page } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { readAnnotations } from './annotations.ts';
import type { Inflate } from './inflate.ts';
import { checkNothingIsMissing } from './nothing.ts';
import { DrawnContent } from './page-content.ts';

/** What is drawn otherwise at times, and is no reason to refuse a file. */
export interface Drawn {
  /** By transfer functions. */
  readonly printsOtherwise: boolean;
  /** Annotations that are shown on screen and not printed. */
  readonly screenOnly: boolean;
}

/**
 * Reads all that pages draw by the letter of the standard. Where a reader must guess, each guesses in its way, so that people would see
 * different contracts: such a file is refused.
 * @param willBeFilled whether the fields get appearances of their own before the file is shown to anybody
 * @throws {PdfError} ambiguous, damaged, layers, expands_too_far
 */
export function readDrawn(pdf: PDF, pages: readonly Page[], inflate: Inflate, willBeFilled = false): Drawn {
  try {
    checkNothingIsMissing(pdf, pages);
    const drawn = new DrawnContent(pdf, inflate);
    for (const page of pages) drawn.page(page);
    const places = readAnnotations(pdf, pages, drawn, willBeFilled);
    if (places.has('print')) throw new PdfError('layers');
    return { printsOtherwise: drawn.printsOtherwise, screenOnly: places.has('screen') };
  } catch (cause) {
    if (cause instanceof Unclear) throw new PdfError('ambiguous', { cause });
    throw cause;
  }
}
