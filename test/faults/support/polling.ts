import { setTimeout as pause } from 'node:timers/promises';

/** Looks again and again, a few times a second, until something has come about. */
export async function until(
  what: () => string,
  look: () => Promise<boolean> | boolean,
  mostMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + mostMs;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain: ${what()}`);
    await pause(40);
  }
}
