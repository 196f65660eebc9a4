import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Attempts } from './attempts.ts';
import { deleteNoted, deleteQueued, noteDelivered } from './store.ts';
import type { WebhookAttemptsRow } from './tables.ts';

/** Deliveries that were answered 200 wait this long, so that many share one commit: at full load commits are the dearest part. */
const PAUSE_MS = 10;
/** After a save that failed. */
const RETRY_MS = 250;
/** Never more than this many are answered and not yet durably so. */
const WAITING_MOST = 256;
/** So few rows are removed at once; more are noted first. */
const FEW = 32;
/** So many noted rows are removed though the load has not let up. */
const NOTED_MOST = 4096;
/** Between two saves that take attempts along: of those of a busy webhook most are superseded meanwhile. */
const ATTEMPTS_PAUSE_MS = 2000;

interface Deps extends Pick<Core, 'database' | 'log' | 'timers'> {
  readonly attempts: Pick<Attempts, 'isWaiting' | 'take' | 'save'>;
}

/**
 * Makes durable what was delivered, many rows in one commit, and removes it. A process that dies loses at most what waits
 * here, and delivers it again: the 200 of those was lost with it (wire 6.5).
 *
 * A row that is removed costs the pages of the table and of its index that it lies on, and under load the next rows of many
 * queues lie on as many pages. On SQLite, which writes whole pages, delivered rows are therefore only noted then, in a
 * table as narrow as their places, and removed thousands at a time when each page holds many of them. With 40,000 rows of
 * 100 queues this takes 8 us of CPU a row instead of 18 (25 us instead of 56 with the disk); of 1,000 queues 10 instead of 26.
 */
export class Acknowledgements {
  readonly #deps: Deps;
  /** Answered, not yet durably so. */
  #waiting: number[] = [];
  /** Durably noted and not yet removed. The process may have left some before it restarted. */
  #noted: number;
  /** How far queues are delivered of which not all that was delivered is removed. */
  readonly #through = new Map<string, number>();
  #scheduled = false;
  /** Whether attempts were saved a moment ago. */
  #attemptsRest = false;
  /** Whether the last save failed. */
  #failing = false;
  #removeAll = false;
  #saving: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#noted = deps.database.engine === 'sqlite' ? Number.POSITIVE_INFINITY : 0;
  }

  /** Nothing to wait for while few wait; else it resolves when they are durable. */
  add(webhookId: string, seq: number): Promise<void> | undefined {
    this.#through.set(webhookId, seq);
    this.#waiting.push(seq);
    if (this.#waiting.length >= WAITING_MOST) return this.#saveNext();
    this.#saveAfter(PAUSE_MS);
    return undefined;
  }

  /** The place up to which this process has delivered a queue: rows before it may still be there. */
  async deliveredThrough(webhookId: string): Promise<number> {
    if (this.#noted === Number.POSITIVE_INFINITY) await this.flush();
    return this.#through.get(webhookId) ?? 0;
  }

  /** Resolves when everything that was delivered is removed. What failed is tried again after a pause and at the next flush. */
  flush(): Promise<void> {
    this.#removeAll = true;
    return this.#saveNext();
  }

  /** Removes rows in the caller's transaction. */
  delete(writer: Writer, seqs: readonly number[]): Promise<void> {
    return deleteQueued(this.#deps.database.engine, writer, seqs);
  }

  #saveAfter(ms: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#deps.timers.after(ms, () => {
      this.#scheduled = false;
      // Logged where it failed, and tried again.
      this.#saveNext().catch(() => {});
    });
  }

  /** Begins when the save under way has ended: all calls until then share it. */
  #saveNext(): Promise<void> {
    this.#next ??= this.#saving
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#saving = this.#save();
        return this.#saving;
      });
    return this.#next;
  }

  async #save(): Promise<void> {
    const seqs = this.#waiting;
    const noted = this.#noted;
    const remove =
      this.#removeAll ||
      this.#deps.database.engine === 'postgres' ||
      seqs.length < FEW ||
      noted + seqs.length >= NOTED_MOST;
    const attempts = this.#takeAttempts();
    this.#removeAll = false;
    if (seqs.length + noted + attempts.length === 0) return;
    this.#waiting = [];
    const through = [...this.#through];
    try {
      await this.#deps.database.write(async (writer) => {
        await this.#deps.attempts.save(writer, attempts);
        if (remove) await this.#remove(writer, seqs, noted > 0);
        else await noteDelivered(writer, seqs);
      });
    } catch (error) {
      this.#waiting = [...seqs, ...this.#waiting];
      this.#failed(error);
      this.#saveAfter(RETRY_MS);
      throw error;
    }
    if (this.#failing)
      this.#deps.log.info({ events: seqs.length }, 'delivered webhook events are removed again');
    this.#failing = false;
    this.#noted = remove ? 0 : noted + seqs.length;
    if (!remove) this.#saveAfter(PAUSE_MS);
    else for (const [id, seq] of through) if (this.#through.get(id) === seq) this.#through.delete(id);
  }

  /** They are lost when the save fails: what tells of deliveries never keeps one from becoming durable. */
  #takeAttempts(): WebhookAttemptsRow[] {
    const { attempts, timers } = this.#deps;
    if (!attempts.isWaiting || (this.#attemptsRest && !this.#removeAll)) return [];
    if (!this.#attemptsRest) {
      this.#attemptsRest = true;
      timers.after(ATTEMPTS_PAUSE_MS, () => {
        this.#attemptsRest = false;
        if (attempts.isWaiting) this.#saveNext().catch(() => {});
      });
    }
    return attempts.take();
  }

  #failed(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.#deps.log.error(
      { err: error, events: this.#waiting.length },
      'delivered webhook events cannot be removed: they are delivered again if the process ends before they are',
    );
  }

  async #remove(writer: Writer, seqs: readonly number[], noted: boolean): Promise<void> {
    if (seqs.length > 0) await this.delete(writer, seqs);
    if (noted) await deleteNoted(writer);
  }
}
