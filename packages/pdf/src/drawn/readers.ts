import { PdfError } from '../errors.ts';
import { isDrawnApart } from './compare.ts';
import type { Pdfium, PdfiumDocument } from './pdfium.ts';
import type { PdfjsDocument } from './pdfjs.ts';

export { loadPdfium, type Pdfium } from './pdfium.ts';
export { openInPdfjs, type PdfjsDocument, type PdfjsOptions } from './pdfjs.ts';

/** Pixels of the longer side of a page: one for each 1.4 points of A4, so that small print is seen as lines. */
const LONG_SIDE = 600;
/** What a contract has at most. */
const MOST_PAGES = 100;

/** Two readers that have nothing in common, loaded where this runs: in Node or in a browser. */
export interface Readers {
  readonly pdfium: Pdfium;
  openInPdfjs(bytes: Uint8Array): Promise<PdfjsDocument>;
}

export interface Bounds {
  /** Asked before each page but the first: whether the file has cost enough. */
  isOver(): boolean;
  /** Told before the first page and after each: how many of the pages are compared. */
  report?(progress: Compared): void;
}

/** How many of the first pages were compared, and how many the file has. */
export interface Compared {
  readonly compared: number;
  readonly pages: number;
}

/**
 * Draws pages with both readers, and compares what they show: the first hundred, or as many as the bounds allow. Runs in Node and in
 * browsers.
 * @throws {PdfError} ambiguous when one shows something where the other shows nothing, or cannot open or draw the file; memory where there is too
 *   little to draw it: that says nothing about the file
 */
export async function compareInReaders(
  readers: Readers,
  bytes: Uint8Array,
  bounds: Bounds,
): Promise<Compared> {
  try {
    return await comparePages(readers, bytes, bounds);
  } catch (cause) {
    if (cause instanceof PdfError) throw cause;
    throw new PdfError(isOutOfMemory(cause) ? 'memory' : 'ambiguous', { cause });
  }
}

/** Engines have no error of their own for it, and a file can cause their other range errors, as by values that nest too deep. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && /allocation (?:failed|size overflow)|out of memory/i.test(error.message);
}

async function comparePages(
  readers: Readers,
  bytes: Uint8Array,
  { isOver, report }: Bounds,
): Promise<Compared> {
  await using one = await readers.openInPdfjs(bytes);
  using other = readers.pdfium.open(bytes);
  const { pages } = one;
  if (pages !== other.pages) throw new PdfError('ambiguous');
  let compared = 0;
  report?.({ compared, pages });
  // A file that took its time to open is compared as well.
  while (compared < Math.min(pages, MOST_PAGES) && (compared === 0 || !isOver())) {
    if (await isPageApart(one, other, compared))
      throw new PdfError('ambiguous', { cause: new Error(`Page ${compared + 1} is drawn apart`) });
    compared++;
    report?.({ compared, pages });
  }
  return { compared, pages };
}

/**
 * A rule of a table may be too thin for the first look, where one reader finds no dot to draw: it is seen at twice the size.
 * @param page from 0
 */
async function isPageApart(one: PdfjsDocument, other: PdfiumDocument, page: number): Promise<boolean> {
  for (const times of [1, 2]) {
    const longSide = LONG_SIDE * times;
    const drawing = await one.draw(page, longSide);
    const again = other.draw(page, drawing);
    if (!isDrawnApart(drawing, again, { times })) return false;
    const passedOver = await one.textWithoutFont(page, longSide);
    if (!isDrawnApart(drawing, again, { times, passedOver })) return false;
  }
  return true;
}
