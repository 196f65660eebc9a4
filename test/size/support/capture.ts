import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';

/** A statement that the platform ran, with the values of one of its runs. */
export interface Captured {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What statements of the embedded database came to: how many ran, the rows that they gave, and those that they changed. */
export interface Counted {
  readonly statements: number;
  readonly read: number;
  readonly written: number;
}

/** Notes every statement that reaches one of the two drivers, in this process, until it is disposed of. */
const OF_ROWS = /^\s*(select|insert|update|delete|with)\b/i;
/** What the platform asks by itself, to learn whether the database answers. */
const PROBE = 'select 1';

export class Capture implements Disposable {
  readonly statements = new Map<string, Captured>();
  readonly #counted = { statements: 0, read: 0, written: 0 };
  readonly #undo: () => void;
  #on = false;

  constructor() {
    const { prepare } = DatabaseSync.prototype;
    const { query } = pg.Client.prototype;
    const note = (text: unknown, values: unknown = []) => {
      if (this.#on && typeof text === 'string' && Array.isArray(values))
        this.statements.set(text, { text, values });
    };
    const ran = <Result>(text: string, changes: StatementSync, work: () => Result) =>
      this.#run(text, changes, work);
    DatabaseSync.prototype.prepare = function (...given) {
      const statement = prepare.apply(this, given);
      const [text] = given;
      const changes = prepare.call(this, 'select total_changes() as n');
      // Statements are kept and run again: their runs are what counts.
      const { all, run } = statement;
      statement.all = ((...values: never[]) => {
        note(text, values);
        return ran(text, changes, () => all.apply(statement, values as never));
      }) as typeof all;
      statement.run = ((...values: never[]) => {
        note(text, values);
        return ran(text, changes, () => run.apply(statement, values as never));
      }) as typeof run;
      return statement;
    };
    pg.Client.prototype.query = function (this: pg.Client, ...given: never[]) {
      const [first, second] = given as unknown[];
      const config = first as { text?: unknown; values?: unknown } | null;
      if (typeof first === 'object' && config !== null && 'text' in config)
        note(config.text, config.values ?? second ?? []);
      else note(first, Array.isArray(second) ? second : []);
      return (query as (...values: never[]) => unknown).apply(this, given);
    } as typeof query;
    this.#undo = () => {
      DatabaseSync.prototype.prepare = prepare;
      pg.Client.prototype.query = query;
    };
  }

  begin(): void {
    this.#on = true;
  }

  end(): Captured[] {
    this.#on = false;
    return [...this.statements.values()].filter(({ text }) => OF_ROWS.test(text) && text !== PROBE);
  }

  /** What ran on the embedded database until now, whether or not statements are noted. */
  counted(): Counted {
    return { ...this.#counted };
  }

  /** Runs a statement, and counts what it came to with what triggers changed. */
  #run<Result>(text: string, changes: StatementSync, work: () => Result): Result {
    if (!OF_ROWS.test(text)) return work();
    const before = changesOf(changes);
    const result = work();
    this.#counted.statements++;
    this.#counted.read += Array.isArray(result) ? result.length : 0;
    this.#counted.written += changesOf(changes) - before;
    return result;
  }

  [Symbol.dispose](): void {
    this.#undo();
  }
}

function changesOf(changes: StatementSync): number {
  return Number(changes.get()?.n);
}
