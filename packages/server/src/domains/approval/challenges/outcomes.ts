import type { ChallengeResult } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { sleep } from '../../../core/timers.ts';
import type { Handover } from '../../../http/handed-over.ts';
import type { Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import { type AskingService, statusOf } from './challenges.ts';
import { claimOutcome, isUndelivered, type Outcome, outcomeOf, settleOutcome } from './store.ts';

/** How long other processes respect that one is sending an outcome; sending takes at most a third of it. */
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

interface Deps extends Pick<Core, 'availability' | 'clock' | 'database' | 'instance' | 'log' | 'timers'> {
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

/** What a poll is answered, and what to do once the answer is handed over or cannot be. */
interface Polled {
  readonly result: ChallengeResult;
  readonly handover?: Handover;
}

/**
 * Tells services what became of their challenges. An outcome is told once: one poll takes it, others wait for the end of that.
 * When its last byte is handed to the socket it is used up for good; when the socket fails before, the next poll takes it.
 *
 * On SQLite this process is the only one, so who is sending is kept in memory and dies with it. On PostgreSQL the row carries
 * it, with an end, since a process may die.
 */
export class Outcomes {
  readonly #deps: Deps;
  readonly #sending = new Map<string, Sending>();
  readonly #settling = new Set<Promise<void>>();
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws {PlatformError} twofa.not_found, twofa.result_consumed, twofa.unavailable: the outcome is as it was, and the call
   *   can be repeated
   */
  async poll(service: AskingService, id: string): Promise<Polled> {
    const deadline = performance.now() + WAIT_MOST_MS;
    for (;;) {
      const outcome = await this.#read(service, id);
      const now = this.#deps.clock.now();
      if (statusOf(outcome, now) === 'pending') return { result: resultOf(outcome, now) };
      if (outcome.delivered === 1) throw new PlatformError('twofa.result_consumed');
      const held = this.#sending.get(id);
      if (held === undefined) {
        const taken = await this.#take(service, id, deadline);
        if (taken !== undefined) return taken;
      } else if (held.owed || !(await this.#changesBefore(held.changed, deadline))) throw unavailable();
    }
  }

  async exists({ companyId, serviceId }: AskingService, id: string): Promise<boolean> {
    return (await outcomeOf(this.#deps.database.reader, companyId, serviceId, id)).length > 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    while (this.#settling.size > 0) await Promise.all(this.#settling);
  }

  async #read({ companyId, serviceId }: AskingService, id: string): Promise<Outcome> {
    const [outcome] = await outcomeOf(this.#deps.database.reader, companyId, serviceId, id);
    if (outcome === undefined) throw new PlatformError('twofa.not_found');
    return outcome;
  }

  /** Undefined when the outcome has to be read again. */
  async #take(service: AskingService, id: string, deadline: number): Promise<Polled | undefined> {
    const { promise: changed, resolve: wake } = Promise.withResolvers<void>();
    const end = () => {
      this.#sending.delete(id);
      wake();
    };
    // Nothing else runs between the look at this map and here.
    const sending: Sending = { changed, wake, end, owed: false };
    this.#sending.set(id, sending);
    try {
      const key = { company_id: service.companyId, id };
      const owner = await this.#claim(key, deadline);
      const outcome = await this.#read(service, id);
      if (owner === undefined || outcome.delivered === 1) {
        end();
        return undefined;
      }
      const settle = (delivered: 0 | 1) =>
        this.#deps.database.write((writer) => settleOutcome(writer, key, owner, delivered));
      return {
        result: resultOf(outcome, this.#deps.clock.now()),
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
   * @throws {PlatformError} twofa.unavailable
   */
  async #claim(
    key: { company_id: string; id: string },
    deadline: number,
  ): Promise<string | null | undefined> {
    const { availability, clock, database, instance, maintenance, timers } = this.#deps;
    // What could not be written down afterwards is not told.
    if (maintenance.workPaused) throw unavailable(PAUSED_RETRY_AFTER);
    if (availability.isAway('saving')) throw unavailable();
    if (database.engine === 'sqlite') return null;
    for (;;) {
      const now = clock.now();
      const claim = { owner: instance, now, until: now + CLAIM_MS };
      const isClaimed = await database
        .write((writer) => claimOutcome(writer, key, claim))
        .catch((error: unknown) => {
          if (error instanceof PlatformError && error.status === 503) throw unavailable(RETRY_AFTER, error);
          throw error;
        });
      if (isClaimed) return instance;
      if (!(await isUndelivered(database.reader, key))) return undefined;
      if (performance.now() + LOOK_MS > deadline) throw unavailable();
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

function resultOf(outcome: Outcome, now: number): ChallengeResult {
  const status = statusOf(outcome, now);
  if (status === 'pending') return { status, expires_at: isoTime(outcome.expires_at) };
  return { status, completed_at: isoTime(outcome.completed_at ?? outcome.expires_at) };
}

function unavailable(retryAfter = RETRY_AFTER, cause?: unknown): PlatformError {
  return new PlatformError('twofa.unavailable', { headers: { 'retry-after': retryAfter }, cause });
}
