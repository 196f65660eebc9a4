import { limits } from '@symbolon/protocol';
import type { Availability } from '../../../core/availability.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { Core } from '../../domain.ts';
import { BY_WORD_MS, type Claim, type ClaimRequest, type Claims } from './claims.ts';
import type { EventQueues, PendingEvent } from './event-queues.ts';
import { OwedDeletions } from './owed-deletions.ts';

/** Keeps rows from other drains. */
interface Hold {
  readonly clientId: string | undefined;
  /** Infinity while the rows are being sent or deleted, by word a moment. */
  readonly until: number;
}

const DELETING: Hold = { clientId: undefined, until: Number.POSITIVE_INFINITY };

/** A row that a client was given. */
interface Given {
  readonly id: string;
  readonly clientId: string;
  /** The number of the answer it was first given in. */
  readonly answer: number;
  hold: Hold | undefined;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'timers'> {
  readonly availability: Pick<Availability, 'isAway'>;
  readonly queues: EventQueues;
}

/**
 * Claims of the only process on a database (SQLite): they live in memory and die with it, so that a drain costs one select
 * and one delete.
 */
export class MemoryClaims implements Claims {
  readonly #deps: Deps;
  /** What was given of each queue, by place; the queue that was longest not drained comes first. */
  readonly #queues = new Map<string, { rows: Map<number, Given>; usedAt: number }>();
  readonly #paused = new Set<string>();
  readonly #owed: OwedDeletions;
  #answers = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#owed = new OwedDeletions(deps);
  }

  async start(): Promise<void> {}

  async claim(request: ClaimRequest): Promise<Claim> {
    this.#refusePaused(request.queue);
    await this.#owed.settle(request.queue);
    // Drains that end at the same time share a commit; the rows to come are read meanwhile.
    const confirmed = this.#confirmByWord(request);
    const [claim] = await Promise.all([this.#take(request), confirmed]);
    return claim;
  }

  pause(queues: readonly string[]): void {
    for (const queue of queues) this.#paused.add(queue);
  }

  resume(queues: readonly string[]): void {
    for (const queue of queues) this.#paused.delete(queue);
  }

  async settled(queues: readonly string[]): Promise<boolean> {
    return queues.every((queue) =>
      [...this.#given(queue).values()].every(({ hold }) => hold?.until !== Number.POSITIVE_INFINITY),
    );
  }

  stop(): Promise<void> {
    return this.#owed.stop();
  }

  /** What could not be deleted afterwards is not given: the next drain would give it again. */
  #refusePaused(queue: string): void {
    if (this.#paused.has(queue) || this.#deps.availability.isAway('saving')) throw writesPaused();
  }

  async #take(request: ClaimRequest): Promise<Claim> {
    const { queue, clientId, most, after } = request;
    const byWord = after !== undefined;
    for (;;) {
      const claimed = [...this.#given(queue)].flatMap(([seq, row]) =>
        this.#isKept(row, request) ? [seq] : [],
      );
      const rows = await this.#deps.queues.pending(this.#deps.database.reader, queue, claimed, most);
      // From here to the return nothing else runs. A drain that read at the same time may have been first.
      const given = this.#given(queue);
      if (rows.some(({ seq }) => this.#isKept(given.get(seq), request))) continue;
      this.#refusePaused(queue);
      const until = byWord ? this.#deps.clock.now() + BY_WORD_MS : Number.POSITIVE_INFINITY;
      const hold: Hold = { clientId, until };
      if (byWord) for (const row of given.values()) if (row.hold?.clientId === clientId) row.hold = undefined;
      this.#give(request, given, rows, hold);
      const settle = (act: (seqs: number[]) => unknown) => async () => {
        const held = ({ seq }: PendingEvent) => this.#given(queue).get(seq)?.hold === hold;
        const seqs = byWord ? [] : rows.filter(held).map(({ seq }) => seq);
        if (seqs.length > 0) await act(seqs);
      };
      return {
        rows,
        confirm: settle((seqs) => this.#deleteArrived(queue, seqs)),
        release: settle((seqs) => this.#forget(queue, seqs)),
      };
    }
  }

  /** Whether a row is kept from a drain. What a client has by word is kept from other clients alone. */
  #isKept(row: Given | undefined, { clientId, after }: ClaimRequest): boolean {
    const hold = row?.hold;
    if (hold === undefined || hold.until <= this.#deps.clock.now()) return false;
    const byWord = hold.until !== Number.POSITIVE_INFINITY;
    return hold.clientId !== clientId || (after === undefined && !byWord);
  }

  #give(
    { queue, clientId, after }: ClaimRequest,
    given: Map<number, Given>,
    rows: readonly PendingEvent[],
    hold: Hold,
  ): void {
    if (rows.length === 0) return;
    const now = this.#deps.clock.now();
    this.#answers++;
    for (const { seq, id } of rows) {
      const before = given.get(seq);
      // By word a row keeps its number: see the confirmation.
      const answer = after !== undefined && before?.clientId === clientId ? before.answer : this.#answers;
      given.set(seq, { id, clientId, answer, hold });
    }
    this.#queues.delete(queue);
    this.#queues.set(queue, { rows: given, usedAt: now });
    // Nothing of these is left by now.
    for (const [unused, { usedAt }] of this.#queues) {
      if (usedAt > now - limits.changeRetentionMs) break;
      this.#queues.delete(unused);
    }
  }

  /**
   * The client has taken in the row `after`, and so whatever it was given no later and before that: these rows are deleted.
   * A row that came into a repeated answer only later stays: the client may have seen the first answer alone.
   */
  async #confirmByWord({ queue, clientId, after }: ClaimRequest): Promise<void> {
    const given = [...this.#given(queue)].filter(
      ([, row]) => row.clientId === clientId && row.hold !== DELETING,
    );
    const [named] = given.filter(([, row]) => row.id === after);
    if (named === undefined) return;
    const [place, { answer }] = named;
    const rows = given.filter(([seq, row]) => row.answer <= answer && seq <= place);
    const holds = rows.map(([, row]) => row.hold);
    for (const [, row] of rows) row.hold = DELETING;
    try {
      await this.#delete(
        queue,
        rows.map(([seq]) => seq),
      );
    } catch (error) {
      // The client repeats the call, and its word must still name them.
      for (const [index, [, row]] of rows.entries()) row.hold = holds[index];
      throw error;
    }
  }

  /** Rows that arrived are kept until their deletion is durable, however often that fails. */
  #deleteArrived(queue: string, seqs: readonly number[]): Promise<void> {
    const given = this.#given(queue);
    for (const seq of seqs) {
      const row = given.get(seq);
      if (row !== undefined) row.hold = DELETING;
    }
    return this.#owed.run(queue, () => this.#delete(queue, seqs));
  }

  async #delete(queue: string, seqs: readonly number[]): Promise<void> {
    await this.#deps.database.write((writer) => this.#deps.queues.delete('sqlite', writer, seqs));
    this.#forget(queue, seqs);
  }

  #forget(queue: string, seqs: readonly number[]): void {
    const given = this.#given(queue);
    for (const seq of seqs) given.delete(seq);
    if (given.size === 0) this.#queues.delete(queue);
  }

  #given(queue: string): Map<number, Given> {
    return this.#queues.get(queue)?.rows ?? new Map();
  }
}
