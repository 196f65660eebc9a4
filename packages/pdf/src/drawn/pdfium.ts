import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { PdfError } from '../errors.ts';
import type { Drawing } from './compare.ts';

/** Annotations are drawn, and the four bytes of a pixel are red, green, blue and none. */
const FLAGS = 0x01 | 0x10;
const WHITE = 0xff_ff_ff_ff;
/** Its border is drawn by some readers and by others not. */
const LINK = 2;

/** PDFium, the reader of Chrome, as WebAssembly: it reaches nothing but the bytes that it is given. */
export interface Pdfium {
  /** @throws when PDFium cannot open the file */
  open(bytes: Uint8Array): PdfiumDocument;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PdfiumDocument extends Disposable {
  readonly pages: number;
  /** Draws a page, from 0, white where nothing is: in this size in pixels, or in its own shape where it has another one. */
  draw(page: number, size: Size): Drawing;
}

/** @param code the file `pdfium.wasm` of the package */
export async function loadPdfium(code: ArrayBuffer): Promise<Pdfium> {
  const { init } = await import('@embedpdf/pdfium');
  const library = await init({ wasmBinary: code });
  library.PDFiumExt_Init();
  return { open: (bytes) => open(library, bytes) };
}

function open(library: WrappedPdfiumModule, bytes: Uint8Array): PdfiumDocument {
  const { pdfium } = library;
  const data = pdfium.wasmExports.malloc(bytes.length);
  if (data === 0) throw new PdfError('memory');
  memoryOf(library).set(bytes, data);
  const document = library.FPDF_LoadMemDocument(data, bytes.length, '');
  if (document === 0) {
    pdfium.wasmExports.free(data);
    throw new Error(`PDFium cannot open the file: ${library.FPDF_GetLastError()}`);
  }
  const information = library.PDFiumExt_OpenFormFillInfo();
  const form = library.PDFiumExt_InitFormFillEnvironment(document, information); // It draws the fields.
  return {
    pages: library.FPDF_GetPageCount(document),
    draw: (number, size) => {
      const page = library.FPDF_LoadPage(document, number);
      try {
        return drawPage(library, page, form, size);
      } finally {
        library.FPDF_ClosePage(page);
      }
    },
    [Symbol.dispose]: () => {
      library.PDFiumExt_ExitFormFillEnvironment(form);
      library.PDFiumExt_CloseFormFillInfo(information);
      library.FPDF_CloseDocument(document);
      pdfium.wasmExports.free(data);
    },
  };
}

function drawPage(library: WrappedPdfiumModule, page: number, form: number, size: Size): Drawing {
  leaveOutLinks(library, page);
  const own = sizeWithin(
    library.FPDF_GetPageWidthF(page),
    library.FPDF_GetPageHeightF(page),
    Math.max(size.width, size.height),
  );
  const isAlike = Math.abs(own.width - size.width) <= 1 && Math.abs(own.height - size.height) <= 1;
  const { width, height } = isAlike ? size : own;
  const bitmap = library.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new PdfError('memory');
  try {
    library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS);
    library.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, FLAGS);
    const start = library.FPDFBitmap_GetBuffer(bitmap);
    const end = start + library.FPDFBitmap_GetStride(bitmap) * height; // Four bytes a pixel need no room between rows.
    return { width, height, grey: greyOf(memoryOf(library).subarray(start, end)) };
  } finally {
    library.FPDFBitmap_Destroy(bitmap);
  }
}

/** It is another array whenever the memory has grown. The library's types leave it out. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return Reflect.get(pdfium, 'HEAPU8');
}

function leaveOutLinks(library: WrappedPdfiumModule, page: number): void {
  for (let index = library.FPDFPage_GetAnnotCount(page) - 1; index >= 0; index--) {
    const annotation = library.FPDFPage_GetAnnot(page, index);
    const kind = library.FPDFAnnot_GetSubtype(annotation);
    library.FPDFPage_CloseAnnot(annotation);
    if (kind === LINK) library.FPDFPage_RemoveAnnot(page, index);
  }
}

/** Whole pixels of a page whose longer side has so many. What has no size gets one pixel. */
export function sizeWithin(width: number, height: number, longSide: number): Size {
  const long = Math.max(width, height);
  const pixels = (side: number) => Math.max(1, Math.round((side * longSide) / long) || 1);
  return { width: pixels(width), height: pixels(height) };
}

/** Of four bytes a pixel: red, green, blue and one that is passed over. */
export function greyOf(pixels: Uint8Array | Uint8ClampedArray): Uint8Array {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  const grey = new Uint8Array(words.length);
  for (let at = 0; at < grey.length; at++) {
    const word = words[at] ?? 0; // red comes first, and is the lowest byte where this runs
    grey[at] = ((word & 255) * 77 + ((word >> 8) & 255) * 151 + ((word >> 16) & 255) * 28) >> 8;
  }
  return grey;
}
