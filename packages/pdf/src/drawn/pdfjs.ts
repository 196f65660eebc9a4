import type { getDocument, PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
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
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D };
}

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
    draw: async (number, longSide) => drawPage(document, await document.getPage(number + 1), longSide),
    textWithoutFont: async (number, longSide) => textOf(await document.getPage(number + 1), longSide),
    [Symbol.asyncDispose]: () => task.destroy(),
  };
}

async function drawPage(document: PDFDocumentProxy, page: PDFPageProxy, longSide: number): Promise<Drawing> {
  const viewport = viewportOf(page, longSide);
  const { width, height } = sizeWithin(viewport.width, viewport.height, longSide);
  const { canvas, context } = (document.canvasFactory as Canvases).create(width, height);
  await page.render({ canvas, viewport }).promise;
  return { width, height, grey: greyOf(context.getImageData(0, 0, width, height).data) };
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
    const [width, height] = [item.width * viewport.scale, item.height * viewport.scale];
    // A character more on each side: text may stand upright, and runs down then.
    return [{ x: left - size, y: base - size, width: width + 2 * size, height: height + 2 * size }];
  });
}
