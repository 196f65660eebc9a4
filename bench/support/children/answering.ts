import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  // Whoever asks may die: then nobody is left to ask.
  process.once('disconnect', () => process.exit());
  process.send?.({ ready });
}

/** Like `answering`, for a server: listens on a free port of this machine, and is ready with its base URL. */
export async function serving(server: Server, answer?: (question: never) => Promise<unknown>): Promise<void> {
  // Longer than a client lets a connection rest.
  server.keepAliveTimeout = 72_000;
  await once(server.listen(0, '127.0.0.1', 2048), 'listening');
  answering(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    ...(answer && { answer }),
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  });
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
