import { textOfPages } from '@symbolon/sdk/device';
import { getDocument, type PDFDocumentProxy, PDFWorker, TextLayer } from 'pdfjs-dist';
import PdfThread from 'pdfjs-dist/build/pdf.worker.min.mjs?worker';
import { PDF_OPTIONS, PIXELS_MOST } from './pdf-options.ts';

export type Pdf = { readonly pages: PDFDocumentProxy; readonly close: () => void };

/**
 * Reads a PDF in a thread of its own, which ends with `close`. Scripts in the file are not run, and nothing outside of it is
 * fetched but what this site serves.
 *
 * @throws what the reader throws for a file that is damaged or wants a password
 */
export async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const port = new PdfThread();
  const worker = PDFWorker.create({ port });
  // The thread takes the data.
  const task = getDocument({ ...PDF_OPTIONS, data: bytes.slice(), worker });
  const close = () => {
    task.destroy().catch(() => undefined);
    worker.destroy();
    port.terminate();
  };
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new Error('The reader of PDF files could not be loaded.')));
  });
  try {
    return { pages: await Promise.race([task.promise, failed]), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** What a PDF says, with what stands in its form fields. @throws what the reader throws */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const { pages, close } = await openPdf(bytes);
  try {
    return await textOfPages(pages);
  } finally {
    close();
  }
}

export type Size = { readonly width: number; readonly height: number };

/** The size of a page at a width. */
export async function sizeOf({ pages }: Pdf, number: number, width: number): Promise<Size> {
  const { width: own, height } = (await pages.getPage(number)).getViewport({ scale: 1 });
  return { width, height: (height * width) / own };
}

/** Where something is to be filled in or signed. `top` goes from 0 at the upper edge of the page to 1. */
export type Place = { readonly page: number; readonly top: number };

const PLACES_MOST = 500;

/** The form fields and places to sign of a file, in the order in which people read. */
export async function placesOf({ pages }: Pdf): Promise<Place[]> {
  const found: Place[] = [];
  // The list of fields that the library offers leaves out the places to sign.
  for (let number = 1; number <= pages.numPages && found.length < PLACES_MOST; number++) {
    const page = await pages.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const widgets = ((await page.getAnnotations()) as Annotation[]).filter(isSeen);
    const tops = widgets.map(({ rect: [left, , , top] }) => {
      const [, y = 0] = viewport.convertToViewportPoint(left, top);
      return y / viewport.height;
    });
    found.push(...tops.sort((one, other) => one - other).map((top) => ({ page: number, top })));
  }
  return found;
}

interface Annotation {
  readonly subtype: string;
  readonly hidden?: boolean;
  readonly rect: readonly [left: number, bottom: number, right: number, top: number];
}

/** A seal has no size: there is nothing to see. */
const isSeen = ({ subtype, hidden, rect: [left, bottom, right, top] }: Annotation) =>
  subtype === 'Widget' && !hidden && left !== right && bottom !== top;

/**
 * Draws a page, and lays its text over it, invisible, for those who hear it, search it or copy it.
 *
 * @param place gets the size of the page; what it held is replaced
 * @returns once it is drawn; undefined when it was stopped
 */
export function drawPage(
  { pages }: Pdf,
  {
    number,
    width,
    canvas,
    text,
  }: { number: number; width: number; canvas: HTMLCanvasElement; text: HTMLElement },
): { done: Promise<void>; stop: () => void } {
  let isStopped = false;
  let cancel: () => void = () => undefined;
  const draw = async () => {
    const page = await pages.getPage(number);
    if (isStopped) return;
    const scale = width / page.getViewport({ scale: 1 }).width;
    const viewport = page.getViewport({ scale });
    const pixels = viewport.width * viewport.height;
    const density = Math.min(globalThis.devicePixelRatio || 1, Math.sqrt(PIXELS_MOST / pixels));
    canvas.width = Math.floor(viewport.width * density);
    canvas.height = Math.floor(viewport.height * density);
    const task = page.render({ canvas, viewport: page.getViewport({ scale: scale * density }) });
    text.replaceChildren();
    text.style.setProperty('--total-scale-factor', String(scale));
    const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
    cancel = () => {
      task.cancel();
      layer.cancel();
    };
    await Promise.all([task.promise, layer.render()]);
  };
  return {
    done: draw().catch((error: unknown) => {
      if (!isStopped) throw error;
    }),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
