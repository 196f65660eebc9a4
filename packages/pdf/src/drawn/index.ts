import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadSecondReader } from '../file/second-reader.ts';
import { compareInReaders, loadPdfium, openInPdfjs, type Pdfium } from './readers.ts';

/** Seconds of computing that a file may cost whoever looks at it. */
const MOST_SECONDS = 6;

let pdfium: Promise<Pdfium> | undefined;

/**
 * Draws pages with two readers that have nothing in common, and compares what they show: the first hundred, or those that are drawn
 * within six seconds of the processor's time.
 * @returns how many of the first pages were compared; none where what draws is not installed
 * @throws {PdfError} ambiguous when one shows something where the other shows nothing, or cannot open the file
 */
export async function compareDrawings(bytes: Uint8Array): Promise<number> {
  pdfium ??= readPdfium();
  let loaded: Pdfium;
  try {
    loaded = await pdfium;
  } catch (error) {
    pdfium = undefined;
    if (Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND') return 0;
    throw error;
  }
  const pdfjs = await loadSecondReader();
  if (globalThis.Path2D === undefined) return 0; // It found nothing to draw on.
  const readers = {
    pdfium: loaded,
    openInPdfjs: (file: Uint8Array) => openInPdfjs(pdfjs, file, resources()),
  };
  try {
    return (await compareInReaders(readers, bytes, { isOver: processorTime() })).compared;
  } catch (error) {
    pdfium = undefined; // What failed may have left it in disorder.
    throw error;
  }
}

async function readPdfium(): Promise<Pdfium> {
  const code = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  return loadPdfium(Uint8Array.from(code).buffer);
}

function resources() {
  const beside = (folder: string) =>
    fileURLToPath(new URL(`${folder}/`, import.meta.resolve('pdfjs-dist/package.json')));
  return {
    standardFontDataUrl: beside('standard_fonts'),
    cMapUrl: beside('cmaps'),
    wasmUrl: beside('wasm'),
    iccUrl: beside('iccs'),
  };
}

/** Whether the seconds are over, from now on. */
function processorTime(): () => boolean {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return user + system > MOST_SECONDS * 1_000_000;
  };
}
