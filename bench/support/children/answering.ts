import type { Usage } from '../child.ts';

/**
 * The child's half of `Child`: says that it is ready, answers questions, and ends itself by letting go of everything.
 *
 * @param answer what it answers to questions of its own kind
 * @param stop closes what keeps the process alive
 */
export function answering(
  ready: unknown,
  options: { answer?: (question: never) => Promise<unknown>; stop?: () => Promise<void> } = {},
): void {
  process.on('message', async (question: { usage?: true; stop?: true }) => {
    if (question.stop) {
      await options.stop?.();
      process.disconnect();
    } else if (question.usage) {
      process.send?.(usage());
    } else {
      process.send?.(await options.answer?.(question as never));
    }
  });
  process.send?.({ ready });
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return {
    cpuMicros: user + system,
    rss: process.memoryUsage.rss(),
    // Kilobytes on every platform (Node's own convention).
    peakRss: process.resourceUsage().maxRSS * 1024,
  };
}
