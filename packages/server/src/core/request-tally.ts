import type { Clock } from './clock.ts';

const SLICE_MS = 10_000;
/** Five minutes. */
const SLICES = 30;
/** Upper bounds in milliseconds: from one to the next is at most half as much again or twice. What takes longer is beyond the last. */
const BOUNDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000, 7000,
  10_000, 20_000, 30_000, 60_000,
];

/** What was answered in ten seconds. */
class Slice {
  /** Which ten seconds, counted from 1970. */
  at = -1;
  refused = 0;
  errors = 0;
  slowest = 0;
  readonly took = new Uint32Array(BOUNDS.length + 1);

  begin(at: number): void {
    this.at = at;
    this.refused = 0;
    this.errors = 0;
    this.slowest = 0;
    this.took.fill(0);
  }
}

export interface RequestNumbers {
  /** The time that was counted. */
  readonly seconds: number;
  readonly total: number;
  /** Answered with 429. */
  readonly refused: number;
  /** Answered with 5xx. */
  readonly errors: number;
  /** 99 % took at most so many milliseconds, to the next of fixed bounds; undefined: there was none. */
  readonly p99: number | undefined;
}

/**
 * What a process answered in the last five minutes. It is kept without any meter, since an operator looks at it without a
 * collector too, and costs a few additions a request and the same memory at any load.
 */
export class RequestTally {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #slices = Array.from({ length: SLICES }, () => new Slice());

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  count(status: number, ms: number): void {
    const at = Math.floor(this.#clock.now() / SLICE_MS);
    const slice = this.#slices[at % SLICES] as Slice;
    if (slice.at !== at) slice.begin(at);
    if (status === 429) slice.refused++;
    if (status >= 500) slice.errors++;
    if (ms > slice.slowest) slice.slowest = ms;
    let bound = 0;
    while (bound < BOUNDS.length && ms > (BOUNDS[bound] as number)) bound++;
    slice.took[bound] = (slice.took[bound] as number) + 1;
  }

  read(): RequestNumbers {
    const now = this.#clock.now();
    const last = Math.floor(now / SLICE_MS);
    const first = last - SLICES + 1;
    const took = new Array<number>(BOUNDS.length + 1).fill(0);
    const sum = { total: 0, refused: 0, errors: 0, slowest: 0 };
    for (const slice of this.#slices) {
      // What lies ahead was counted before the clock was put back.
      if (slice.at < first || slice.at > last) continue;
      sum.refused += slice.refused;
      sum.errors += slice.errors;
      sum.slowest = Math.max(sum.slowest, slice.slowest);
      for (const [bound, count] of slice.took.entries()) {
        took[bound] = (took[bound] as number) + count;
        sum.total += count;
      }
    }
    const { slowest, ...counted } = sum;
    const since = Math.max(this.#startedAt, first * SLICE_MS);
    return {
      ...counted,
      seconds: Math.max(1, Math.round((now - since) / 1000)),
      p99: sum.total === 0 ? undefined : Math.min(boundOf(took, Math.ceil(sum.total * 0.99)), slowest),
    };
  }
}

/** The bound under which a number of answers lie. */
function boundOf(took: readonly number[], wanted: number): number {
  let below = 0;
  const bound = took.findIndex((count) => {
    below += count;
    return below >= wanted;
  });
  return BOUNDS[bound] ?? Number.POSITIVE_INFINITY;
}
