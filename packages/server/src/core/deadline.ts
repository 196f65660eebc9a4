import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { hangUpSignal } from './caller-gone.ts';
import { PlatformError } from './errors.ts';
import { type Timers, timeLimit } from './timers.ts';

/** What waits for something ends a little earlier than its request, so that it can still say why. */
const SPARE_MS = 200;
/** Seconds after which a late call may be repeated. */
const AGAIN = { 'retry-after': '5' };

const current = new AsyncLocalStorage<Deadline | undefined>();

/**
 * Until when a request is answered, whatever it waits for. All that it waits for shares what is left (`timeLeft`): the bounds of
 * single waits would add up. What is done where no request waits (workers, jobs) has none.
 *
 * A request that is late is refused. `platform.busy` says that nothing was done, and so what it would do afterwards is refused as
 * well (`beginActing`). When it had begun to save or to act, the outcome is unknown: that is `db.unavailable`, and it goes on.
 */
export class Deadline {
  readonly #timers: Timers;
  readonly #response: ServerResponse | undefined;
  /** The account that its request is for, once it is known. */
  party: string | undefined;
  #hangUp: AbortSignal | undefined;
  #leftMs: number;
  /** Of `performance.now()`; undefined while no work of it goes on. */
  #endsAt: number | undefined;
  #isOver = false;
  #hasActed = false;
  #end = () => {
    this.#endsAt = undefined;
  };

  /**
   * @param ms for all that `bound` is given together
   * @param response where the answer goes
   */
  constructor(timers: Timers, ms: number, response?: ServerResponse) {
    this.#timers = timers;
    this.#leftMs = ms;
    this.#response = response;
  }

  /** Aborts when the caller hangs up before the answer is written. */
  get callerSignal(): AbortSignal | undefined {
    if (this.#response !== undefined) this.#hangUp ??= hangUpSignal(this.#response);
    return this.#hangUp;
  }

  /** Whole milliseconds for a wait of its work, one at least. */
  get left(): number {
    if (this.#endsAt === undefined || (this.#isOver && this.#hasActed)) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.floor(this.#endsAt - performance.now() - SPARE_MS));
  }

  /** @throws {PlatformError} platform.busy when its request was answered as not done */
  refuseLate(): void {
    if (this.#endsAt !== undefined && this.#isOver && !this.#hasActed) throw tooLate();
  }

  /** Something may have been saved or sent: a refusal that says that nothing was done would be wrong. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  /** Notes that something is about to be saved or sent. @throws {PlatformError} platform.busy as `refuseLate` */
  act(): void {
    this.refuseLate();
    this.#hasActed = true;
  }

  /** What was saved so far says nothing about what the request is for: the caller was looked up. */
  begin(): void {
    this.#hasActed = false;
  }

  /** Its answer begins: what goes on now may take its time. */
  answered(): void {
    if (!this.#isOver) this.#end();
  }

  /**
   * Waits for work, and no longer than is left. Time between two calls does not count: a body arrives as fast as its sender sends it.
   * @throws {PlatformError} platform.busy, db.unavailable; and what `work` throws
   */
  bound<Result>(work: () => Result): Result {
    const begun = performance.now();
    this.#endsAt = begun + this.#leftMs;
    const result = current.run(this, work);
    const isAnswered = this.#endsAt === undefined;
    if (isAnswered || !(result instanceof Promise)) {
      this.#endsAt = undefined;
      return result;
    }
    const answer = Promise.withResolvers<unknown>();
    const cancel = timeLimit(this.#timers, Math.max(1, this.#leftMs), () => {
      this.#isOver = true;
      answer.reject(this.#hasActed ? inDoubt() : tooLate());
    });
    this.#end = () => {
      cancel();
      this.#end = () => {};
      this.#leftMs -= performance.now() - begun;
      this.#endsAt = undefined;
    };
    result.then(
      (value) => {
        this.#end();
        answer.resolve(value);
      },
      (error: unknown) => {
        this.#end();
        answer.reject(error);
      },
    );
    return answer.promise as Result;
  }
}

/** Of the request for which this is called: how long to wait for something, `mostMs` at most. */
export function timeLeft(mostMs: number): number {
  return Math.min(mostMs, currentDeadline()?.left ?? mostMs);
}

/** The deadline of the request for which this is called; undefined where none waits. */
export const currentDeadline = (): Deadline | undefined => current.getStore();

/** Of the request for which this is called: aborts when its caller hangs up. Undefined where no request waits. */
export const callerSignal = (): AbortSignal | undefined => currentDeadline()?.callerSignal;

/** The account for whose request this is called; what belongs to none shares a name. */
export const callerParty = (): string => currentDeadline()?.party ?? '';

/** Does work that belongs to no request, whatever causes it: its waits are not cut short. */
export const withoutDeadline = <T>(work: () => T): T => current.run(undefined, work);

/** Before work that had to wait for its turn. @throws {PlatformError} platform.busy when its request was refused meanwhile */
export const refuseLate = (): void => currentDeadline()?.refuseLate();

/**
 * Call it right before something is saved or sent that counts as done for the caller.
 * @throws {PlatformError} platform.busy when its request was answered as not done
 */
export const beginActing = (): void => currentDeadline()?.act();

const tooLate = () => new PlatformError('platform.busy', { headers: AGAIN });
const inDoubt = () => new PlatformError('db.unavailable', { headers: AGAIN });
