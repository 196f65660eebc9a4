/** Begins the line by which a process tells of it, before the milliseconds. */
export const STALLED = 'stalled ';

const LOOK_MS = 50;
/** A third of the time in which an answer must come (world.ts): less cannot break an exchange. */
const STALL_MS = 500;

/**
 * Tells when this process stood still: a machine that has too much to do looks from inside like a peer that is slow. The
 * function it gives ends that.
 * @param report how long it was, just now
 */
export function watchStalls(report: (ms: number) => void): () => void {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (now - last > LOOK_MS + STALL_MS) report(now - last);
    last = now;
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
