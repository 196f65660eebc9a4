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

/** A timer that is later than this fired late: the process was paused, or the event loop held. */
const LATE_MS = 50;
/** How long what came meanwhile has to be read. */
const CATCH_UP_MS = 1_000;

/**
 * A time limit on what others answer: `expired` is called after `ms`. A process that was paused finds its timers due before
 * it has read what its sockets hold. So a limit that fires late waits a moment more, and the answer can still come.
 */
export function timeLimit(timers: Timers, ms: number, expired: () => void): () => void {
  const due = performance.now() + ms;
  let cancel = timers.after(ms, () => {
    if (performance.now() - due < LATE_MS) expired();
    else cancel = timers.after(Math.min(ms, CATCH_UP_MS), expired);
  });
  return () => cancel();
}

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
