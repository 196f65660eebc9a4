import { PdfError } from '../errors.ts';
import { loadSecondReader } from '../file/second-reader.ts';
import { isDrawnApart } from './compare.ts';
import { loadPdfium, type Pdfium } from './pdfium.ts';
import { openInPdfjs } from './pdfjs.ts';

/** Pixels of the longer side of a page: one for each 1.4 points of A4, so that small print is seen as lines. */
const LONG_SIDE = 600;
/** Pages and seconds of computing: what a contract has at most, and what a file may cost whoever looks at it. */
const MOST_PAGES = 100;
const MOST_SECONDS = 6;

let pdfium: Promise<Pdfium> | undefined;

/**
 * Draws pages with two readers that have nothing in common, and compares what they show: the first hundred, or those that are drawn
 * within six seconds of the processor's time.
 * @returns how many of the first pages were compared; none where what draws is not installed
 * @throws {PdfError} ambiguous when one shows something where the other shows nothing, or cannot open the file
 */
export async function compareDrawings(bytes: Uint8Array): Promise<number> {
  pdfium ??= loadPdfium();
  let library: Pdfium;
  try {
    library = await pdfium;
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND') return 0;
    throw error;
  }
  await loadSecondReader();
  if (globalThis.Path2D === undefined) return 0; // It found nothing to draw on.
  try {
    return await compare(library, bytes);
  } catch (cause) {
    pdfium = undefined; // What failed may have left it in disorder.
    if (cause instanceof PdfError) throw cause;
    throw new PdfError('ambiguous', { cause });
  }
}

async function compare(library: Pdfium, bytes: Uint8Array): Promise<number> {
  await using one = await openInPdfjs(bytes);
  using other = library.open(bytes);
  if (one.pages !== other.pages) throw new PdfError('ambiguous');
  const began = process.cpuUsage();
  let page = 0;
  for (; page < Math.min(one.pages, MOST_PAGES); page++) {
    const { user, system } = process.cpuUsage(began);
    if (user + system > MOST_SECONDS * 1_000_000) break;
    const drawing = await one.draw(page, LONG_SIDE);
    const again = other.draw(page, drawing);
    if (
      isDrawnApart(drawing, again) &&
      isDrawnApart(drawing, again, await one.textWithoutFont(page, LONG_SIDE))
    )
      throw new PdfError('ambiguous', { cause: new Error(`Page ${page + 1} is drawn apart`) });
  }
  return page;
}
