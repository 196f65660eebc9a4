/** Timers, as a port: tests use a fake. A pending timer never keeps the process alive. */
export interface Timers {
  /** Runs `work` once after `ms`; the returned function cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export const sleep = (timers: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve);
  });

/** Looks every `everyMs` until `look` returns true, for at most `mostMs`; returns whether it did. */
export async function pollUntil(
  timers: Timers,
  { everyMs, mostMs }: { everyMs: number; mostMs: number },
  look: () => Promise<boolean>,
): Promise<boolean> {
  for (let waited = 0; ; waited += everyMs) {
    if (await look()) return true;
    if (waited >= mostMs) return false;
    await sleep(timers, everyMs);
  }
}
