import { openInPdfjs, type PdfjsDocument } from '@symbolon/pdf/drawn';
import { getDocument, PDFWorker } from 'pdfjs-dist';
import PdfThread from 'pdfjs-dist/build/pdf.worker.min.mjs?worker';
import { PDF_OPTIONS } from '../pdf-options.ts';

/** pdf.js, drawing beside the page. */
export interface OffscreenPdfjs {
  open(bytes: Uint8Array): Promise<PdfjsDocument>;
  /** Why something of this site did not come. Without a font that it needs, any file would look like one that is drawn apart. */
  readonly failure: Error | undefined;
}

/** Starts the thread of pdf.js. @throws where this browser has no canvas beside the page, or shows another picture than was drawn */
export function startPdfjs(): OffscreenPdfjs {
  probeCanvas();
  const port = new PdfThread();
  const fetches = new Fetches();
  const failed = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(fetches.fail('the reader of PDF files')));
  });
  failed.catch(() => undefined);
  const options = {
    ...PDF_OPTIONS,
    worker: PDFWorker.create({ port }),
    CanvasFactory: Canvases,
    FilterFactory: NoFilters,
    BinaryDataFactory: fetches.factory(),
    useWorkerFetch: false,
    disableWorkerRendering: true,
  };
  return {
    open: (bytes) => Promise.race([openInPdfjs({ getDocument }, bytes, options), failed]),
    get failure() {
      return fetches.failure;
    },
  };
}

/** Browsers that hide what a canvas has drawn from pages, against those who recognise people by it, give back something else. */
function probeCanvas(): void {
  const { context } = new Canvases().create(2, 1);
  context.fillStyle = 'white';
  context.fillRect(0, 0, 2, 1);
  context.fillStyle = 'black';
  context.fillRect(0, 0, 1, 1);
  const [black = 255, , , , white = 0] = context.getImageData(0, 0, 2, 1).data;
  if (black > 10 || white < 245) throw new Error('This browser does not show what a canvas holds.');
}

type Made = { canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D };

/** What pdf.js makes canvases with, where there is no page. */
class Canvases {
  create(width: number, height: number): Made {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    // It has none for a canvas more: that says nothing about the file.
    if (context === null) throw new RangeError('This browser has no canvas beside the page.');
    return { canvas, context };
  }

  reset({ canvas }: Made, width: number, height: number): void {
    canvas.width = width;
    canvas.height = height;
  }

  destroy({ canvas }: Made): void {
    canvas.width = 0;
    canvas.height = 0;
  }

  getNoAlphaContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D | null {
    return canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  }
}

/** Filters would be elements of a page. Without them pdf.js computes the same by itself, as it does in Node. */
class NoFilters {
  addFilter = () => 'none';
  addHCMFilter = () => 'none';
  addAlphaFilter = () => 'none';
  addLuminosityFilter = () => 'none';
  addKnockoutFilter = () => 'none';
  addHighlightHCMFilter = () => 'none';
  addSelectionHCMFilter = () => 'none';
  addSelectionFilter = () => 'none';
  createSelectionStyle = () => null;
  destroy(): void {}
}

type Asked = { kind: 'cMapUrl' | 'standardFontDataUrl' | 'wasmUrl'; filename: string };

/** What pdf.js fetches beside the file: fonts and tables of characters of this site. */
class Fetches {
  failure: Error | undefined;

  fail(what: string): Error {
    this.failure ??= new Error(`${what} could not be loaded.`);
    return this.failure;
  }

  /** As pdf.js wants it: a class. */
  factory() {
    const fetches = this;
    return class {
      async fetch({ kind, filename }: Asked): Promise<Uint8Array> {
        const bytes = await fetchBytes(`${PDF_OPTIONS[kind]}${filename}`).catch(() => undefined);
        if (bytes === undefined) throw fetches.fail(filename);
        return new Uint8Array(bytes);
      }
    };
  }
}

/** @throws when it does not come */
export async function fetchBytes(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} could not be loaded.`);
  return response.arrayBuffer();
}
