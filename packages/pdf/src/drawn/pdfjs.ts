import type { getDocument, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { PdfError } from '../errors.ts';
import type { Area, Drawing } from './compare.ts';
import { greyOf, sizeWithin } from './pdfium.ts';

export interface PdfjsDocument extends AsyncDisposable {
  readonly pages: number;
  /** Draws a page, from 0, whose longer side has so many pixels, white where nothing is. */
  draw(page: number, longSide: number): Promise<Drawing>;
  /** Where text of East Asia stands whose font is not in the file: each reader shows it as its machine can, or not at all. */
  textWithoutFont(page: number, longSide: number): Promise<Area[]>;
}

/** What pdf.js takes, beside the file: its canvas, its thread, and where its fonts and tables of characters are. */
export type PdfjsOptions = Exclude<
  NonNullable<Parameters<typeof getDocument>[0]>,
  string | URL | ArrayBuffer | ArrayBufferView
>;

/** What pdf.js makes a canvas with; its types leave it open. */
interface Canvases {
  create(width: number, height: number): Canvas;
  destroy(canvas: Canvas): void;
}

interface Canvas {
  readonly canvas: HTMLCanvasElement;
  /** null where a browser has no memory for another canvas. */
  readonly context: CanvasRenderingContext2D | null;
}

/** Parts of its height that a character of East Asia is wide, with the room around it. */
const WIDEST = 1.5;
/** From the radicals of Chinese characters on. */
const EAST_ASIA = /[\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/;

/**
 * Glyphs are drawn as paths, so that no font of the file reaches code that is not JavaScript.
 * @param library pdf.js, in the build for where this runs
 */
export async function openInPdfjs(
  library: { readonly getDocument: typeof getDocument },
  bytes: Uint8Array,
  options: PdfjsOptions,
): Promise<PdfjsDocument> {
  const task = library.getDocument({
    ...options,
    data: new Uint8Array(bytes), // the reader takes the bytes away
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  const document = await task.promise;
  return {
    pages: document.numPages,
    draw: (number, longSide) => onPage(document, number, (page) => drawPage(document, page, longSide)),
    textWithoutFont: (number, longSide) => onPage(document, number, (page) => textOf(page, longSide)),
    [Symbol.asyncDispose]: () => task.destroy(),
  };
}

/** What a page holds is let go behind it: its pictures would stay as they are on the canvas. */
async function onPage<T>(
  document: PDFDocumentProxy,
  number: number,
  act: (page: PDFPageProxy) => Promise<T>,
): Promise<T> {
  const page = await document.getPage(number + 1);
  try {
    return await act(page);
  } finally {
    page.cleanup();
  }
}

async function drawPage(document: PDFDocumentProxy, page: PDFPageProxy, longSide: number): Promise<Drawing> {
  const viewport = viewportOf(page, longSide);
  const { width, height } = sizeWithin(viewport.width, viewport.height, longSide);
  const canvases = document.canvasFactory as Canvases;
  const made = canvases.create(width, height);
  try {
    if (made.context === null) throw new PdfError('memory');
    await page.render({ canvas: made.canvas, viewport }).promise;
    return { width, height, grey: greyOf(made.context.getImageData(0, 0, width, height).data) };
  } finally {
    canvases.destroy(made);
  }
}

function viewportOf(page: PDFPageProxy, longSide: number) {
  const { width, height } = page.getViewport({ scale: 1 });
  return page.getViewport({ scale: longSide / Math.max(width, height) });
}

async function textOf(page: PDFPageProxy, longSide: number): Promise<Area[]> {
  const viewport = viewportOf(page, longSide);
  const { items } = await page.getTextContent();
  return items.flatMap((item) => {
    if (!('str' in item) || !EAST_ASIA.test(item.str)) return [];
    if (!Reflect.get(Object(page.commonObjs.get(item.fontName)), 'missingFile')) return [];
    const [, , c = 0, d = 0, x = 0, y = 0] = item.transform as number[];
    const size = Math.hypot(c, d) * viewport.scale;
    const [left = 0, base = 0] = viewport.convertToViewportPoint(x, y);
    // The file tells the width of its characters, and may tell too much.
    const most = item.str.length * size * WIDEST;
    const [width, height] = [item.width, item.height].map((side) => Math.min(side * viewport.scale, most));
    // A character more on each side: text may stand upright, and runs down then.
    return [
      { x: left - size, y: base - size, width: (width ?? 0) + 2 * size, height: (height ?? 0) + 2 * size },
    ];
  });
}
