import { timeLeft } from '../core/deadline.ts';
import type { Writer } from './database.ts';
import { serviceBusy } from './paused-writes.ts';

/**
 * What transactions lock, in the order in which they do: rows of these tables, then queues of events. With one order no
 * two transactions wait for each other.
 */
const ORDER = ['companies', 'services', 'persons', 'connections', 'queues'] as const;
export type LockKind = (typeof ORDER)[number];

/**
 * The most transactions of this process that hold or await the same lock. A transaction takes a place in a queue of events as
 * its last step, so those wait for a commit alone and there may be more of them.
 */
const placesOf = (kind: LockKind) => (kind === 'queues' ? 8 : 4);
/** The most that wait for a place. */
const WAITING_MOST = 100;
/** As long as a transaction waits in the database for a lock. */
const WAIT_MOST_MS = 2_000;

interface Line {
  readonly places: number;
  taken: number;
  readonly waiting: Set<() => void>;
}

/**
 * Keeps transactions that want the same row from taking all connections of the pool, which others need. Only a few may
 * wait for a lock in the database. One more is undone, waits here without a connection until there is a place for it, and
 * runs again.
 */
export class LockTurns {
  readonly #lines = new Map<string, Line>();

  begin(): LockTurn {
    return new LockTurn(this.#lines);
  }
}

const turns = new WeakMap<Writer, LockTurn>();

/** The turn of the transaction that a writer is; undefined where locks are not waited for (SQLite, migrations). */
export const turnOf = (writer: Writer): LockTurn | undefined => turns.get(writer);

export function bindTurn(writer: Writer, turn: LockTurn): void {
  turns.set(writer, turn);
}

/** One transaction, through all its attempts. */
export class LockTurn {
  readonly #lines: Map<string, Line>;
  readonly #places = new Set<string>();
  /** What the attempt has locked. */
  readonly #locked = new Set<string>();
  #last: LockKind | undefined;
  /** The lock for which there was no place. */
  #wanted: string | undefined;
  #deadline = 0;

  constructor(lines: Map<string, Line>) {
    this.#lines = lines;
  }

  /** Whether the transaction must be undone and wait for a place, even if it went on. */
  get isWaiting(): boolean {
    return this.#wanted !== undefined;
  }

  /**
   * Takes places for the locks that the transaction is about to take.
   * @throws an error that `write` understands, or one for a mistake: locks of a kind that stands before others it holds
   */
  take(kind: LockKind, locks: readonly string[]): void {
    for (const lock of locks) {
      const key = `${kind} ${lock}`;
      if (this.#locked.has(key)) continue;
      const last = this.#last;
      if (last !== undefined && ORDER.indexOf(kind) < ORDER.indexOf(last))
        throw new Error(`A transaction locks ${kind} after ${last}: the order is ${ORDER.join(', ')}.`);
      this.#takePlace(kind, key);
      this.#locked.add(key);
      this.#last = kind;
    }
  }

  /** The attempt is over: gives its places to those who wait. */
  end(): void {
    for (const key of this.#places) this.#giveBack(key);
    this.#places.clear();
    this.#locked.clear();
    this.#last = undefined;
  }

  #takePlace(kind: LockKind, key: string): void {
    if (this.#places.has(key)) return;
    const line = this.#lines.get(key) ?? { places: placesOf(kind), taken: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.taken >= line.places) {
      this.#wanted = key;
      throw new Error('There is no place to wait for this lock; the transaction runs again later.');
    }
    line.taken++;
    this.#places.add(key);
  }

  /** Waits for a place for what the attempt could not have; the next attempt has it. @throws {PlatformError} service.busy */
  async wait(): Promise<void> {
    const key = this.#wanted;
    this.#wanted = undefined;
    const line = key === undefined ? undefined : this.#lines.get(key);
    if (key === undefined || line === undefined) return;
    this.#deadline ||= performance.now() + timeLeft(WAIT_MOST_MS);
    const left = this.#deadline - performance.now();
    if (left <= 0 || line.waiting.size >= WAITING_MOST) throw serviceBusy();
    if (line.taken < line.places) {
      line.taken++;
      this.#places.add(key);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const given = () => resolve(true);
    line.waiting.add(given);
    const timer = setTimeout(() => {
      // At once, so that no place is given to a transaction that has given up.
      line.waiting.delete(given);
      resolve(false);
    }, left);
    const hasPlace = await promise;
    clearTimeout(timer);
    if (!hasPlace) throw serviceBusy();
    this.#places.add(key);
  }

  #giveBack(key: string): void {
    const line = this.#lines.get(key);
    if (line === undefined) return;
    const [next] = line.waiting;
    if (next !== undefined) {
      // The place goes from one to the other: a newcomer does not get before those who wait.
      line.waiting.delete(next);
      next();
    } else if (--line.taken === 0) this.#lines.delete(key);
  }
}
