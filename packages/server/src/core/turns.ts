import type { ErrorKey } from '@symbolon/protocol';
import pLimit, { type LimitFunction } from 'p-limit';
import { refuseLate } from './deadline.ts';
import { PlatformError } from './errors.ts';

interface TurnLimits {
  readonly atOnce: number;
  /** Work that waits; more is refused. */
  readonly waitingMost: number;
  /** The key of the refusal; `platform.busy` when not said. */
  readonly busy?: ErrorKey;
}

/** Long enough that a queue has become shorter. */
const RETRY_SECONDS = '5';

/** Work that costs much is done a few at a time, in the order in which it came; what would wait too long is refused. */
export class Turns {
  readonly #run: LimitFunction;
  readonly #limits: TurnLimits;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#run = pLimit(limits.atOnce);
  }

  /** @throws {PlatformError} platform.busy, or the key it was made with */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { atOnce, waitingMost, busy = 'platform.busy' } = this.#limits;
    if (this.#run.activeCount + this.#run.pendingCount >= atOnce + waitingMost) throw refusal(busy);
    return this.#run(() => {
      refuseLate();
      return work();
    });
  }
}

/** The refusal of work of which too much is in progress. */
export function refusal(key: ErrorKey = 'platform.busy'): PlatformError {
  return new PlatformError(key, { headers: { 'retry-after': RETRY_SECONDS } });
}
