import { isWritesPaused } from '../../../db/paused-writes.ts';
import type { Core } from '../../domain.ts';

/** How often deletions that failed are tried again. */
const AGAIN_MS = 1_000;

/**
 * Deletions of rows that arrived, where the deletion failed: the disk may be full. Until they are done the rows are given
 * to no drain: the deletions are repeated each second, and before the next drain of their queue, which is refused when they fail.
 */
export class OwedDeletions {
  readonly #deps: Pick<Core, 'timers'>;
  readonly #owed = new Map<string, Set<() => Promise<void>>>();
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(deps: Pick<Core, 'timers'>) {
    this.#deps = deps;
  }

  /**
   * Runs a deletion; when it fails it is owed.
   * @throws what the deletion throws, unless nothing can be saved at the moment: that is reported elsewhere
   */
  async run(queue: string, deletion: () => Promise<void>): Promise<void> {
    try {
      await deletion();
    } catch (error) {
      const owed = this.#owed.get(queue) ?? new Set();
      this.#owed.set(queue, owed.add(deletion));
      this.#schedule();
      if (!isWritesPaused(error)) throw error;
    }
  }

  /** Does what is owed to a queue. @throws what a deletion throws */
  async settle(queue: string): Promise<void> {
    for (const deletion of this.#owed.get(queue) ?? []) {
      // Two drains may do the same deletion: the second one finds nothing.
      await deletion();
      const owed = this.#owed.get(queue);
      if (owed?.delete(deletion) && owed.size === 0) this.#owed.delete(queue);
    }
  }

  /** Tries once more. What is still owed then is delivered again after a restart. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#settleAll();
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel ??= this.#deps.timers.after(AGAIN_MS, () => {
      this.#cancel = undefined;
      void this.#settleAll().then(() => {
        if (this.#owed.size > 0) this.#schedule();
      });
    });
  }

  async #settleAll(): Promise<void> {
    for (const queue of [...this.#owed.keys()]) await this.settle(queue).catch(() => {});
  }
}
