import type { DatabaseSync } from 'node:sqlite';

/**
 * One read transaction for all reads of a turn of the event loop: SQLite then takes and drops its lock once a turn and not
 * once a query, and the queries of a request that run in one turn see one state.
 *
 * Whoever commits ends the snapshot before anybody hears of the commit, so that a read that follows a write sees it.
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
