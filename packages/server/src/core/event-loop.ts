import { monitorEventLoopDelay } from 'node:perf_hooks';

type Histogram = ReturnType<typeof monitorEventLoopDelay>;

/** How late the event loop was for its timers, in milliseconds. */
export interface EventLoopDelay {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly stddev: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

const RESOLUTION_MS = 10;
const WINDOW_MS = 60_000;

/**
 * The delay of this process's event loop over the last minute, up to two. Whatever holds the thread delays everybody, so it
 * is the first number to look at when all calls are slow.
 */
class EventLoopWatch {
  /** Histograms of overlapping times: restarting one would lose what held the thread just then. */
  #histograms: Histogram[] = [];

  /** Measures from now on, until the process ends. Doing so again changes nothing. */
  start(): void {
    if (this.#histograms.length > 0) return;
    this.#begin();
    setInterval(() => {
      this.#begin();
      if (this.#histograms.length > 2) this.#histograms.shift()?.disable();
    }, WINDOW_MS).unref();
  }

  read(): EventLoopDelay {
    this.start();
    const [longest] = this.#histograms as [Histogram];
    // A histogram is empty until its second tick. It counts from tick to tick, and only what is beyond is delay.
    const late = (nanoseconds: number) =>
      longest.count === 0 ? 0 : Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    return {
      min: late(longest.min),
      max: late(longest.max),
      mean: late(longest.mean),
      stddev: longest.count === 0 ? 0 : longest.stddev / 1e6,
      p50: late(longest.percentile(50)),
      p90: late(longest.percentile(90)),
      p99: late(longest.percentile(99)),
    };
  }

  #begin(): void {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    this.#histograms.push(histogram);
  }
}

export const eventLoop = new EventLoopWatch();
