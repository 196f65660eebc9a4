import type { ErrorKey } from '@symbolon/protocol';
import { currentDeadline, refuseLate } from './deadline.ts';
import { refusal } from './turns.ts';
import { waitInLine } from './wait-in-line.ts';

/** How much work goes on at a time. */
interface TurnLimits {
  /** For one party. */
  readonly perParty: number;
  /** For all parties together. */
  readonly inAll: number;
  /** The most work of one party that waits; more is refused. */
  readonly waitingMost: number;
  /** Of all parties together, where what waits takes memory; no bound of its own when not said. */
  readonly waitingInAll?: number;
  /** The key of the refusal; `rate_limit.exceeded` when not said. */
  readonly busy?: ErrorKey;
}

interface Party {
  readonly name: string;
  running: number;
  /** Milliseconds that its work has taken, beside those of the others: who comes new begins where the line is. */
  taken: number;
  readonly waiting: (() => void)[];
}

/**
 * Shares out work among parties: a few at a time each, and next comes who has had the least time, however many pieces that was. One that has much to do,
 * or long work, delays only itself. (Start-time fair queueing; what it remembers goes when the party has no lead over the line any more.)
 */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #parties = new Map<string, Party>();
  /** Those that wait and may run one more, the one that has waited longest first. */
  readonly #next = new Set<Party>();
  readonly #now: () => number;
  /** The time that whoever began last had had: where the line is. */
  #line = 0;
  #running = 0;
  #waiting = 0;

  /** @param now milliseconds, by which work is measured */
  constructor(limits: TurnLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Does the work once it is this party's turn.
   * @throws {PlatformError} rate_limit.exceeded, or the key it was made with; {CallerGone} while it waits
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const party = this.#parties.get(name) ?? { name, running: 0, taken: 0, waiting: [] };
    if (!isBusy(party)) party.taken = Math.max(party.taken, this.#line);
    if (this.#running < this.#limits.inAll && this.#mayRun(party)) this.#begin(party);
    else await this.#wait(party);
    const begun = this.#now();
    try {
      refuseLate();
      return await work();
    } finally {
      party.taken += this.#now() - begun;
      this.#end(party);
    }
  }

  #wait(party: Party): Promise<void> {
    const {
      waitingMost,
      waitingInAll = Number.POSITIVE_INFINITY,
      busy = 'rate_limit.exceeded',
    } = this.#limits;
    const isFull = party.waiting.length >= waitingMost || this.#waiting >= waitingInAll;
    if (isFull && currentDeadline()?.hasActed !== true) throw refusal(busy);
    return waitInLine((begin) => {
      this.#waiting++;
      this.#parties.set(party.name, party);
      party.waiting.push(begin);
      if (this.#mayRun(party)) this.#next.add(party);
      return () => this.#leave(party, begin);
    });
  }

  /** Its caller has gone. */
  #leave(party: Party, begin: () => void): void {
    party.waiting.splice(party.waiting.indexOf(begin), 1);
    this.#waiting--;
    if (party.waiting.length > 0) return;
    this.#next.delete(party);
    this.#forget();
  }

  #mayRun(party: Party): boolean {
    return party.running < this.#limits.perParty;
  }

  #begin(party: Party): void {
    this.#parties.set(party.name, party);
    this.#line = Math.max(this.#line, party.taken);
    party.running++;
    this.#running++;
  }

  /** Those that have nothing to do, and no more time behind them than who comes new. */
  #forget(): void {
    if (this.#running + this.#waiting === 0) this.#parties.clear();
    for (const party of this.#parties.values())
      if (!isBusy(party) && party.taken <= this.#line) this.#parties.delete(party.name);
  }

  #end(party: Party): void {
    party.running--;
    this.#running--;
    if (party.waiting.length > 0) this.#next.add(party);
    const next = this.#least();
    if (next !== undefined) {
      this.#next.delete(next);
      this.#begin(next);
      this.#waiting--;
      next.waiting.shift()?.();
      if (next.waiting.length > 0 && this.#mayRun(next)) this.#next.add(next);
    }
    this.#forget();
  }

  /** Of those that may begin, who has had the least time. */
  #least(): Party | undefined {
    let least: Party | undefined;
    for (const party of this.#next) if (least === undefined || party.taken < least.taken) least = party;
    return least;
  }
}

const isBusy = ({ running, waiting }: Party): boolean => running + waiting.length > 0;
