import type { DatabaseSync } from 'node:sqlite';

/**
 * One read transaction for all reads of a turn of the event loop: SQLite then takes and drops its lock once a turn and not
 * once a query, and the queries of a request that run in one turn see one state.
 *
 * Whoever commits ends the snapshot right before: a read that follows a write must see it, and a checkpoint that comes with
 * the commit gets only as far as no snapshot is in use.
 */
export class TurnSnapshot {
  readonly #begin: () => void;
  readonly #end: () => void;
  #open = false;

  constructor(database: DatabaseSync) {
    const begin = database.prepare('begin');
    const end = database.prepare('commit');
    this.#begin = () => begin.run();
    this.#end = () => end.run();
  }

  begin(): void {
    if (this.#open) return;
    this.#begin();
    this.#open = true;
    setImmediate(this.end);
  }

  readonly end = (): void => {
    if (!this.#open) return;
    this.#open = false;
    this.#end();
  };
}
