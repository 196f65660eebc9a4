import { PlatformError } from '../../../core/errors.ts';
import { sleep } from '../../../core/timers.ts';
import type { Handover } from '../../../http/handed-over.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import { claimOutcome, isUndelivered, type OutcomeKey, type OutcomeTable, settleOutcome } from './store.ts';

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
  /** It was handed over, and that could not be written down yet. */
  owed: boolean;
}

/** What there is to tell now. */
export interface Told<Result> {
  readonly result: Result;
  /** Whether it is told once: what is not final yet is told to everybody. */
  readonly isFinal: boolean;
}

/** What a poll is answered, and what to do once the answer is handed over or cannot be. */
export interface Polled<Result> {
  readonly result: Result;
  readonly handover?: Handover;
}

/**
 * Tells an outcome once: one poll takes it, others wait for the end of that. When its last byte is handed to the socket it is used
 * up for good; when the socket fails before, the next poll takes it.
 *
 * On SQLite this process is the only one, so who is sending is kept in memory and dies with it. On PostgreSQL the row carries
 * it, with an end, since a process may die.
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
   * @param read reads what there is to tell; throws when it was told already
   * @throws what `read` and `unavailable` make
   */
  async poll<Result>(key: OutcomeKey, read: () => Promise<Told<Result>>): Promise<Polled<Result>> {
    const deadline = performance.now() + WAIT_MOST_MS;
    for (;;) {
      const { result, isFinal } = await read();
      if (!isFinal) return { result };
      const held = this.#sending.get(key.id);
      if (held === undefined) {
        const taken = await this.#take(key, read, deadline);
        if (taken !== undefined) return taken;
      } else if (held.owed || !(await this.#changesBefore(held.changed, deadline)))
        throw this.#unavailable(RETRY_AFTER);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#settling.size > 0) await Promise.all(this.#settling);
  }

  /** Undefined when the outcome has to be read again. */
  async #take<Result>(
    key: OutcomeKey,
    read: () => Promise<Told<Result>>,
    deadline: number,
  ): Promise<Polled<Result> | undefined> {
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
      const { result } = await read();
      const settle = (delivered: 0 | 1) =>
        this.#deps.database.write((writer) => settleOutcome(writer, this.#table, key, { owner, delivered }));
      return {
        result,
        handover: {
          done: () => this.#keep(this.#delivered(sending, () => settle(1))),
          failed: () => this.#keep(this.#released(sending, owner === null ? undefined : () => settle(0))),
        },
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * @returns the owner of the claim, null where the memory of this process is enough; undefined when it was delivered meanwhile
   * @throws what `unavailable` makes
   */
  async #claim(key: OutcomeKey, deadline: number): Promise<string | null | undefined> {
    const { availability, clock, database, instance, maintenance, timers } = this.#deps;
    // What could not be written down afterwards is not told.
    if (maintenance.workPaused) throw this.#unavailable(PAUSED_RETRY_AFTER);
    if (availability.isAway('saving')) throw this.#unavailable(RETRY_AFTER);
    if (database.engine === 'sqlite') return null;
    for (;;) {
      const now = clock.now();
      const claim = { owner: instance, now, until: now + CLAIM_MS };
      const isClaimed = await database
        .write((writer) => claimOutcome(writer, this.#table, key, claim))
        .catch((error: unknown) => {
          if (error instanceof PlatformError && error.status === 503)
            throw this.#unavailable(RETRY_AFTER, error);
          throw error;
        });
      if (isClaimed) return instance;
      if (!(await isUndelivered(database.reader, this.#table, key))) return undefined;
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

  /** Writes down that an outcome was told; until that is done no other poll gets it. */
  async #delivered(sending: Sending, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await write();
        return sending.end();
      } catch (error) {
        if (!this.#deps.availability.explains(error))
          this.#deps.log.error({ err: error }, 'writing down that an outcome was delivered failed');
      }
      sending.owed = true;
      sending.wake();
      // The next process delivers it once more.
      if (this.#stopped) return sending.end();
      await sleep(this.#deps.timers, AGAIN_MS, { keepsAlive: true });
    }
  }

  async #released(sending: Sending, write: (() => Promise<void>) | undefined): Promise<void> {
    // A claim that cannot be given back ends soon.
    await write?.().catch(() => {});
    sending.end();
  }

  #keep(work: Promise<void>): void {
    const settling = work.finally(() => this.#settling.delete(settling));
    this.#settling.add(settling);
  }
}
