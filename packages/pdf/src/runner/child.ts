import { PdfError } from '../errors.ts';
import { loadSecondReader } from '../file/second-reader.ts';
import { createPdfWorker } from '../worker.ts';
import { type Answer, type Question, READY } from './messages.ts';

/*
 * The process that parses untrusted files. It gets one question after the other; its parent bounds its time and
 * its memory. It holds no secrets: what it prepares is signed by the parent.
 */
const worker = createPdfWorker();
// The second reader packs the copies that it makes for a comparison, with it. Without it they are hashed as they are, a quarter sooner.
Reflect.deleteProperty(globalThis, 'CompressionStream');

process.on('message', async ({ call, args }: Question) => {
  process.send?.(await answer(() => Reflect.apply(worker[call], worker, args)));
});
// Nearly every job needs these: loading them is no part of its time.
await Promise.all([import('../prepare.ts'), import('../text/fonts.ts'), loadSecondReader()]);
process.send?.(READY);

async function answer(work: () => Promise<unknown>): Promise<Answer> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof PdfError) return { error: error.code, message: error.message };
    // The parser's own errors: the file made it stumble.
    return { error: 'damaged', message: error instanceof Error ? error.message : String(error) };
  }
}
