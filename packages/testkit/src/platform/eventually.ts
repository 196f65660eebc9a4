import { setImmediate } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/** Looks again and again until something has come about, one turn of the event loop at a time. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what}.`);
    await setImmediate();
  }
}
