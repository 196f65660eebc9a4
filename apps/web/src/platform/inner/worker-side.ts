import { refusalOf } from './refusals.ts';
import type { Acts, Asked, Reply } from './worker-acts.ts';

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
