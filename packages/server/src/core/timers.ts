/** Waiting, as a port: a test can hold it. What waits never keeps the process alive. */
export interface Timers {
  /** Runs `work` once after `ms`; the function it gives calls that off. */
  after(ms: number, work: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
