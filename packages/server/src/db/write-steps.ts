import { setImmediate } from 'node:timers/promises';
import { sleep, type Timers } from '../core/timers.ts';
import type { Database, Engine, Writer } from './database.ts';

/** How long a step should hold the writer: on SQLite everybody waits for it, and 20 ms is the bound. */
const AIM_MS: Readonly<Record<Engine, number>> = { sqlite: 8, postgres: 50 };
const FIRST_ROWS = 16;
const LEAST_ROWS: Readonly<Record<Engine, number>> = { sqlite: 1, postgres: 16 };
const MOST_ROWS = 500;
/**
 * By how much one step can make the next one smaller. On SQLite everybody waits, so a step that was too long is corrected
 * at once. On PostgreSQL a single slow one says more about the machine than about the rows.
 */
const SHRINKS_TO: Readonly<Record<Engine, number>> = { sqlite: 0, postgres: 0.5 };

/** What a step did. */
export interface StepResult {
  /** Of the rows that it was allowed; undefined when it did nothing. */
  readonly rows: number | undefined;
}

/**
 * Long work on many rows, in transactions that are each short. The number of rows follows the time that the steps before took.
 * On SQLite the writer is then left to others for as long as it was held, and for as long as its log is being carried over.
 */
export class WriteSteps {
  readonly #deps: {
    readonly database: Pick<Database, 'engine' | 'untilIdle' | 'write'>;
    readonly timers: Timers;
  };
  #rows = FIRST_ROWS;
  /** What a step takes on PostgreSQL however few rows it has: its round trips. */
  #fixedMs: number | undefined;

  constructor(deps: {
    readonly database: Pick<Database, 'engine' | 'untilIdle' | 'write'>;
    readonly timers: Timers;
  }) {
    this.#deps = deps;
  }

  /** Rows that the next step may work on. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Takes one step, in a transaction, and resolves when others have had their turn.
   * @param step works on at most `most` rows
   */
  async take<Result extends StepResult>(
    step: (writer: Writer, most: number) => Promise<Result>,
  ): Promise<Result> {
    const { database, timers } = this.#deps;
    const most = this.#rows;
    let heldMs = 0;
    await database.untilIdle();
    try {
      const result = await database.write(async (writer) => {
        const began = performance.now();
        try {
          return await step(writer, most);
        } finally {
          heldMs = performance.now() - began;
        }
      });
      this.#learn(most, result.rows, heldMs);
      return result;
    } catch (error) {
      // It may have been too much for the time that a transaction has.
      this.#rows = Math.max(LEAST_ROWS[database.engine], Math.floor(most / 2));
      throw error;
    } finally {
      // A process that stops waits for the step in hand, and for nothing else that would keep it alive.
      if (database.engine === 'sqlite')
        await sleep(timers, Math.max(1, Math.ceil(heldMs)), { keepsAlive: true });
      else await setImmediate();
    }
  }

  #learn(most: number, rows: number | undefined, heldMs: number): void {
    const { engine } = this.#deps.database;
    const fitting = this.#fitting(most, rows, heldMs);
    if (fitting < most)
      this.#rows = Math.max(LEAST_ROWS[engine], Math.floor(most * SHRINKS_TO[engine]), fitting);
    // A step that found little to do says nothing about a larger one.
    else if (rows !== undefined && rows >= most) this.#rows = Math.min(MOST_ROWS, most * 2, fitting);
    // These were the last rows of their kind. Each of the next ones may cost many times as much.
    if (rows !== undefined && rows < most) this.#rows = Math.min(this.#rows, FIRST_ROWS);
  }

  /** How many rows would take as long as a step should, if each takes its share of the time that the rows took. */
  #fitting(most: number, rows: number | undefined, heldMs: number): number {
    const { engine } = this.#deps.database;
    if (engine === 'sqlite') return Math.floor((most * AIM_MS.sqlite) / Math.max(heldMs, 0.01));
    const least = LEAST_ROWS.postgres;
    // The rows of the smallest step count as nothing. A slow database or a busy machine makes each round trip longer:
    // smaller steps would only be more of them.
    if (most === least) {
      if (rows !== undefined) this.#fixedMs = heldMs;
      return MOST_ROWS;
    }
    const fixedMs = Math.min(this.#fixedMs ?? 0, heldMs);
    if (rows !== undefined && rows > 0) this.#fixedMs = fixedMs;
    const forRowsMs = Math.max(heldMs - fixedMs, 0.01);
    return least + Math.floor(((most - least) * AIM_MS.postgres) / forRowsMs);
  }
}
