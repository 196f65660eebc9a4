import { serviceWorkers, siteWorker } from './inner/site-worker.ts';

/** Where the installed app receives files that another app shares: the service worker takes them, and the page is opened at this. */
export const SHARED_HASH = '#shared';

/** The files that another app has just shared, which only the service worker has, in its memory. They are given once. */
export async function takeShared(): Promise<readonly File[]> {
  const worker = (await siteWorker())?.active;
  if (!worker) return [];
  const { port1, port2 } = new MessageChannel();
  const files = new Promise<readonly File[]>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  worker.postMessage('shared', [port2]);
  return files;
}

/** The installed app has its service worker from the first start on, with notifications or without: files are shared to it. */
export function keepWorker(): void {
  if (!matchMedia('(display-mode: standalone)').matches) return;
  // Without it the app works all the same; the next start tries again.
  serviceWorkers()
    ?.register('/service-worker.js')
    .catch(() => undefined);
}
