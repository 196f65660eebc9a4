/** Timers, as a port: tests use a fake. */
export interface Timers {
  /**
   * Runs `work` once after `ms`; the returned function cancels it. A pending timer does not keep the process alive, unless
   * something that a stop waits for hangs on it.
   */
  after(ms: number, work: () => void, options?: { readonly keepsAlive?: boolean }): () => void;
}

export const systemTimers: Timers = {
  after(ms, work, { keepsAlive = false } = {}) {
    const timer = setTimeout(work, ms);
    if (!keepsAlive) timer.unref();
    return () => clearTimeout(timer);
  },
};

export const sleep = (
  timers: Timers,
  ms: number,
  options?: { readonly keepsAlive?: boolean },
): Promise<void> =>
  new Promise((resolve) => {
    timers.after(ms, resolve, options);
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
