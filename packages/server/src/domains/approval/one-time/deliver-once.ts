import { timeLeft } from '../../../core/deadline.ts';
import { PlatformError } from '../../../core/errors.ts';
import { sleep } from '../../../core/timers.ts';
import type { Writer } from '../../../db/database.ts';
import type { Handover } from '../../../http/handed-over.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import {
  buryOutcome,
  claimOutcome,
  type OutcomeKey,
  type OutcomeTable,
  settleOutcome,
  standOf,
} from './store.ts';

/**
 * How long other processes respect that one is sending an outcome. Sending takes at most a third of it, and two thirds where the
 * front door passes the answer on.
 */
const CLAIM_MS = 15_000;
/** How long a poll waits for the end of another one. */
const WAIT_MOST_MS = 10_000;
/** How often it is looked whether another process is done. */
const LOOK_MS = 50;
/** How often a delivery that could not be written down is tried again. */
const AGAIN_MS = 1_000;
/** Seconds after which a poll that was refused may be repeated, and after one that was refused because saving is paused. */
const RETRY_AFTER = '2';
const PAUSED_RETRY_AFTER = '30';

export interface OnceDeps
  extends Pick<Core, 'availability' | 'clock' | 'database' | 'instance' | 'log' | 'timers'> {
  readonly maintenance: Pick<Maintenance, 'workPaused'>;
}

/** An outcome that is being sent by this process. */
interface Sending {
  /** Resolves when those that wait must look again. */
  readonly changed: Promise<void>;
  readonly wake: () => void;
  readonly end: () => void;
  /** How it ended could not be written down yet. */
  owed: boolean;
}

/** What there is to tell now. */
export interface Outcome<Result> {
  readonly result: Result;
  /** A final outcome is delivered once; a pending one to every poll. */
  readonly isFinal: boolean;
}

/** What a poll is answered, and what to do once the answer is handed over or cannot be. */
export interface PollAnswer<Result> {
  readonly result: Result;
  readonly handover?: Handover;
}

/**
 * Tells an outcome once: one poll takes it, others wait for the end of that. When its last byte is handed to the socket it is used
 * up for good; when the socket fails before, the next poll takes it. What a process was sending when it was killed counts as delivered: it
 * may have been, and no sign-in counts twice.
 *
 * So it is written down before the first byte. On SQLite this process is the only one: the outcome is used up then, and given back when
 * the socket fails; who waits is kept in memory. On PostgreSQL the row carries a claim that others respect for a while; one that
 * outlives its process counts as delivered.
 */
export class DeliverOnce {
  readonly #deps: OnceDeps;
  readonly #table: OutcomeTable;
  readonly #unavailable: (retryAfter: string, cause?: unknown) => PlatformError;
  readonly #sending = new Map<string, Sending>();
  readonly #settling = new Set<Promise<void>>();
  #stopped = false;

  /** @param unavailable the refusal of a poll that changed nothing and can be repeated */
  constructor(
    deps: OnceDeps,
    table: OutcomeTable,
    unavailable: (retryAfter: string, cause?: unknown) => PlatformError,
  ) {
    this.#deps = deps;
    this.#table = table;
    this.#unavailable = unavailable;
  }

  /**
   * @param read reads the outcome; throws when it was delivered already
   * @throws what `read` and `unavailable` make
   */
  async poll<Result>(key: OutcomeKey, read: () => Promise<Outcome<Result>>): Promise<PollAnswer<Result>> {
    const deadline = performance.now() + timeLeft(WAIT_MOST_MS);
    for (;;) {
      const held = this.#sending.get(key.id);
      if (held !== undefined) {
        if (held.owed || !(await this.#changesBefore(held.changed, deadline)))
          throw this.#unavailable(RETRY_AFTER);
        continue;
      }
      const { result, isFinal } = await read();
      if (!isFinal) return { result };
      // Another poll may have begun meanwhile.
      const taken = this.#sending.has(key.id) ? undefined : await this.#take(key, result, deadline);
      if (taken !== undefined) return taken;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#settling.size > 0) await Promise.all(this.#settling);
  }

  /** Undefined when the outcome has to be read again. */
  async #take<Result>(
    key: OutcomeKey,
    result: Result,
    deadline: number,
  ): Promise<PollAnswer<Result> | undefined> {
    const { promise: changed, resolve: wake } = Promise.withResolvers<void>();
    const end = () => {
      this.#sending.delete(key.id);
      wake();
    };
    // Nothing else runs between the look at this map and here.
    const sending: Sending = { changed, wake, end, owed: false };
    this.#sending.set(key.id, sending);
    try {
      const owner = await this.#claim(key, deadline);
      if (owner === undefined) {
        end();
        return undefined;
      }
      const before = owner === null ? 1 : 0;
      const settle = (delivered: 0 | 1) =>
        this.#keep(
          this.#settle(sending, () =>
            this.#deps.database.write((writer) =>
              settleOutcome(writer, this.#table, key, { owner, delivered, before }),
            ),
          ),
        );
      return {
        result,
        handover: { done: () => (owner === null ? end() : settle(1)), failed: () => settle(0) },
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Writes down that the outcome is being sent.
   * @returns the owner of the claim, null where this process is the only one; undefined when it was delivered meanwhile
   * @throws what `unavailable` makes
   */
  async #claim(key: OutcomeKey, deadline: number): Promise<string | null | undefined> {
    const { availability, clock, database, instance, maintenance, timers } = this.#deps;
    // An outcome is sent only while its delivery can be recorded.
    if (maintenance.workPaused) throw this.#unavailable(PAUSED_RETRY_AFTER);
    if (availability.isAway('saving')) throw this.#unavailable(RETRY_AFTER);
    const write = <T>(work: (writer: Writer) => Promise<T>) =>
      database.write(work).catch((error: unknown) => {
        if (error instanceof PlatformError && error.status === 503)
          throw this.#unavailable(RETRY_AFTER, error);
        throw error;
      });
    if (database.engine === 'sqlite') {
      const used = { owner: null, delivered: 1, before: 0 } as const;
      const isFirst = await write((writer) => settleOutcome(writer, this.#table, key, used));
      return isFirst ? null : undefined;
    }
    for (;;) {
      const now = clock.now();
      const claim = { owner: instance, until: now + CLAIM_MS };
      if (await write((writer) => claimOutcome(writer, this.#table, key, claim))) return instance;
      const stand = await standOf(database.reader, this.#table, key, now);
      if (stand === 'told') return undefined;
      if (stand === 'left') await write((writer) => buryOutcome(writer, this.#table, key, now));
      if (performance.now() + LOOK_MS > deadline) throw this.#unavailable(RETRY_AFTER);
      await sleep(timers, LOOK_MS, { keepsAlive: true });
    }
  }

  async #changesBefore(changed: Promise<void>, deadline: number): Promise<boolean> {
    const tooLate = Promise.withResolvers<'late'>();
    const cancel = this.#deps.timers.after(Math.max(0, deadline - performance.now()), () =>
      tooLate.resolve('late'),
    );
    return (await Promise.race([changed, tooLate.promise]).finally(cancel)) !== 'late';
  }

  /** Writes down how the sending ended; until that is done no other poll gets the outcome. */
  async #settle(sending: Sending, write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return sending.end();
      } catch (error) {
        if (!this.#deps.availability.explains(error))
          this.#deps.log.error({ err: error }, 'recording how an outcome was delivered failed');
      }
      sending.owed = true;
      sending.wake();
      // Then it counts as delivered.
      if (this.#stopped) return sending.end();
      await sleep(this.#deps.timers, AGAIN_MS, { keepsAlive: true });
    }
  }

  #keep(work: Promise<void>): void {
    const settling = work.finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }
}
