import { setImmediate, setTimeout } from 'node:timers/promises';

/** Processor time of this process: a machine that has much to do gives it slowly, and waiting for that is not in vain. */
const PATIENCE_MS = 10_000;

/**
 * Looks again and again until something has come about.
 * @param what is waited for; a function tells how it stands in the end
 * @param pauseMs between two looks, where others do the work; one turn of the event loop when left out
 */
export async function eventually<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined> | T | undefined,
  pauseMs?: number,
): Promise<T> {
  const began = process.cpuUsage();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1000 > PATIENCE_MS) {
      throw new Error(`Waited in vain: ${typeof what === 'string' ? what : what()}.`);
    }
    await (pauseMs === undefined ? setImmediate() : setTimeout(pauseMs));
  }
}
