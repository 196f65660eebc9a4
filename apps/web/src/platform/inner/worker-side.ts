import { SymbolonError } from '@symbolon/sdk/device';
import type { Acts, Asked, Refusal, Reply } from './worker-acts.ts';

/** Answers what the page asks of this worker. */
export function serve(acts: Acts): void {
  const reply = (message: Reply) => self.postMessage(message);
  self.addEventListener('message', async ({ data: { id, act, input } }: MessageEvent<Asked>) => {
    try {
      const result = await acts[act]?.(input, (share) => reply({ id, share }));
      reply({ id, result });
    } catch (error) {
      reply({ id, refusal: refusalOf(error) });
    }
  });
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof SymbolonError) {
    const { errorKey, message, details, status, requestId } = error;
    return { errorKey, message, details, status, requestId };
  }
  const errorKey = error instanceof Error && 'code' in error ? `crypto.${String(error.code)}` : 'page.failed';
  return { errorKey, message: error instanceof Error ? error.message : '', details: {} };
}
