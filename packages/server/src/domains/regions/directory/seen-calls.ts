import { loadedOnce } from '../../../core/loaded-once.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core } from '../../domain.ts';
import { answeredUntil, insertSeenCall, saveAnsweredUntil } from './seen-store.ts';

/** A call of another region, by its own word. */
export interface SeenCall {
  readonly id: string;
  /** The region. */
  readonly from: string;
  /** When it was made, by the clock of that region. */
  readonly at: number;
  /** When it is too old to be answered, by any clock. */
  readonly expiresAt: number;
}

/** Calls that were answered, so that none is answered twice. */
export interface SeenCalls {
  /** Notes a call; false when it was noted before, or may have been. */
  note(call: SeenCall): Promise<boolean>;
  /** Forgets what has expired. */
  sweep(stopping?: AbortSignal): Promise<unknown>;
}

/** On PostgreSQL, where several processes answer for one region, the ids are in an unlogged table. */
export function seenCalls(core: Pick<Core, 'clock' | 'database' | 'timers'>): SeenCalls {
  const { database } = core;
  if (database.engine === 'sqlite') return new SeenHere(core);
  return {
    note: ({ id, expiresAt }) => database.write((writer) => insertSeenCall(writer, id, expiresAt)),
    sweep: (stopping) => deleteExpired(core, { table: 'peer_calls' }, stopping),
  };
}

/** A call waits for the disk once in so many milliseconds; for so long at most, calls made before a restart are refused after it. */
const AHEAD_MS = 500;

/**
 * The ids are in the memory of the one process of SQLite. For the next process, it is saved until when calls of each region may have been
 * answered, by the clock of that region, whose error does not matter so.
 */
class SeenHere implements SeenCalls {
  readonly #deps: Pick<Core, 'clock' | 'database'>;
  readonly #seen = new Map<string, number>();
  readonly #saved = new Map<string, { readonly until: number; readonly done: Promise<void> }>();
  readonly #before: () => Promise<ReadonlyMap<string, number>>;

  constructor(deps: Pick<Core, 'clock' | 'database'>) {
    this.#deps = deps;
    this.#before = loadedOnce(() => answeredUntil(deps.database.reader));
  }

  async note({ id, from, at, expiresAt }: SeenCall): Promise<boolean> {
    if (at <= ((await this.#before()).get(from) ?? 0)) return false;
    await this.sweep();
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, expiresAt);
    await this.#save(from, at);
    return true;
  }

  async sweep(): Promise<void> {
    // In the order in which they came, so nearly in that of their ends.
    for (const [id, expiresAt] of this.#seen) {
      if (expiresAt > this.#deps.clock.now()) break;
      this.#seen.delete(id);
    }
  }

  #save(from: string, at: number): Promise<void> {
    const saved = this.#saved.get(from);
    if (saved !== undefined && at <= saved.until) return saved.done;
    const until = at + AHEAD_MS;
    const done = this.#deps.database.write((writer) => saveAnsweredUntil(writer, from, until));
    // The next call tries again.
    done.catch(() => this.#saved.delete(from));
    this.#saved.set(from, { until, done });
    return done;
  }
}
