import type { Compared } from '@symbolon/pdf/drawn';
import type { DrawingsReply } from './inner/drawings.worker.ts';

/** What came of drawing a file with two programs: what is compared, that they draw it apart, or that this browser cannot draw. */
export type Drawings =
  | { readonly state: 'comparing'; readonly progress: Compared | undefined }
  | ({ readonly state: 'compared' } & Compared)
  | { readonly state: 'apart' }
  | { readonly state: 'failed' };

/** How long a page may take. A file of which one page takes longer counts as failed, never as compared. */
const PAGE_MOST_MS = 60_000;

/** How long loading both programs and opening the file may take, on a slow line too. */
const OPEN_MOST_MS = 3 * PAGE_MOST_MS;

/**
 * Draws a PDF with two programs, beside the page, and compares.
 * @param told is called with each step and with the end
 * @returns ends it; there are no calls after that
 */
export function compareDrawings(bytes: Uint8Array, told: (drawings: Drawings) => void): () => void {
  const worker = new Worker(new URL('./inner/drawings.worker.ts', import.meta.url), { type: 'module' });
  let patience: ReturnType<typeof setTimeout> | undefined;
  const wait = (ms: number) => {
    clearTimeout(patience);
    patience = setTimeout(() => end({ state: 'failed' }), ms);
  };
  const stop = () => {
    clearTimeout(patience);
    worker.terminate();
  };
  const end = (drawings: Drawings) => {
    stop();
    told(drawings);
  };
  worker.addEventListener('error', () => end({ state: 'failed' }));
  worker.addEventListener('message', ({ data }: MessageEvent<DrawingsReply>) => {
    if ('done' in data) return end({ state: 'compared', ...data.done });
    if ('apart' in data) return end({ state: 'apart' });
    if ('failed' in data) return end({ state: 'failed' });
    told({ state: 'comparing', progress: data.progress });
    wait(PAGE_MOST_MS);
  });
  wait(OPEN_MOST_MS);
  worker.postMessage(bytes);
  return stop;
}
