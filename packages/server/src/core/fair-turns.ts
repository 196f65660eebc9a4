import type { ErrorKey } from '@symbolon/protocol';
import { refuseLate } from './deadline.ts';
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
  readonly waiting: (() => void)[];
}

/** Shares out work among parties: a few at a time each, then in turn. One that has much to do delays only itself. */
export class FairTurns {
  readonly #limits: TurnLimits;
  readonly #parties = new Map<string, Party>();
  /** Those that wait and may run one more, the one that has waited longest first. */
  readonly #next = new Set<Party>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Does the work once it is this party's turn.
   * @throws {PlatformError} rate_limit.exceeded, or the key it was made with; {CallerGone} while it waits
   */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const party = this.#parties.get(name) ?? { name, running: 0, waiting: [] };
    if (this.#running < this.#limits.inAll && this.#mayRun(party)) this.#begin(party);
    else await this.#wait(party);
    try {
      refuseLate();
      return await work();
    } finally {
      this.#end(party);
    }
  }

  #wait(party: Party): Promise<void> {
    const {
      waitingMost,
      waitingInAll = Number.POSITIVE_INFINITY,
      busy = 'rate_limit.exceeded',
    } = this.#limits;
    if (party.waiting.length >= waitingMost || this.#waiting >= waitingInAll) throw refusal(busy);
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
    if (party.running === 0) this.#parties.delete(party.name);
  }

  #mayRun(party: Party): boolean {
    return party.running < this.#limits.perParty;
  }

  #begin(party: Party): void {
    this.#parties.set(party.name, party);
    party.running++;
    this.#running++;
  }

  #end(party: Party): void {
    party.running--;
    this.#running--;
    if (party.waiting.length > 0) this.#next.add(party);
    else if (party.running === 0) this.#parties.delete(party.name);
    const [next] = this.#next;
    if (next === undefined) return;
    this.#next.delete(next);
    this.#begin(next);
    this.#waiting--;
    next.waiting.shift()?.();
    if (next.waiting.length > 0 && this.#mayRun(next)) this.#next.add(next);
  }
}
