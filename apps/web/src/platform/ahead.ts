import { call } from './inner/api.ts';
import { serviceWorkers } from './inner/site-worker.ts';

let isDone = false;

/**
 * Reads what every page for a person may need without a network, once: other lists are read by the home page. Where no service worker
 * opens the pages then, nothing is kept, and nothing is read ahead.
 */
export function readAhead(): void {
  if (isDone || !serviceWorkers()?.controller) return;
  isDone = true;
  // Without an answer there is nothing to keep.
  import('./fields.ts').then(({ allFields }) => allFields()).catch(() => undefined);
  call('GET', '/api/contact-field-types').catch(() => undefined);
}
