import pdfiumAddress from '@embedpdf/pdfium/pdfium.wasm?url';
import { type Compared, compareInReaders, loadPdfium } from '@symbolon/pdf/drawn';
import { fetchBytes, startPdfjs } from './offscreen-pdfjs.ts';

/** How far it has come, and then one answer: what is compared, that the file is drawn apart, or that this browser cannot draw. */
export type DrawingsReply =
  | { readonly progress: Compared }
  | { readonly done: Compared }
  | { readonly apart: true }
  | { readonly failed: string };

/** What one file may take, on a phone too. */
const MOST_MS = 60_000;

/*
 * Draws a file with pdf.js, as the page does, and with PDFium, and compares. This is the one worker in which WebAssembly may run: the
 * server sends its script with a policy of its own. It is made for one file and ended after it.
 */
self.addEventListener('message', async ({ data }: MessageEvent<Uint8Array>) => {
  const reply = (message: DrawingsReply) => self.postMessage(message);
  try {
    reply(await compare(data, (progress) => reply({ progress })));
  } catch (error) {
    reply({ failed: String(error) });
  }
});

/** @throws what keeps this browser from drawing any file */
async function compare(bytes: Uint8Array, report: (progress: Compared) => void): Promise<DrawingsReply> {
  const pdfjs = startPdfjs();
  const pdfium = await loadPdfium(await fetchBytes(pdfiumAddress));
  const end = performance.now() + MOST_MS;
  const isOver = () => performance.now() > end;
  try {
    return { done: await compareInReaders({ pdfium, openInPdfjs: pdfjs.open }, bytes, { isOver, report }) };
  } catch (error) {
    if (pdfjs.failure !== undefined) throw pdfjs.failure;
    if (Reflect.get(Object(error), 'code') === 'ambiguous') return { apart: true };
    throw error;
  }
}
