import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** A statement that the platform ran, with the values of one of its runs. */
export interface Captured {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Notes every statement that reaches one of the two drivers, in this process, until it is disposed of. */
export class Capture implements Disposable {
  readonly statements = new Map<string, Captured>();
  readonly #undo: () => void;
  #on = false;

  constructor() {
    const { prepare } = DatabaseSync.prototype;
    const { query } = pg.Client.prototype;
    const note = (text: unknown, values: unknown = []) => {
      if (this.#on && typeof text === 'string' && Array.isArray(values))
        this.statements.set(text, { text, values });
    };
    const known = new Set<string>();
    DatabaseSync.prototype.prepare = function (...given) {
      const statement = prepare.apply(this, given);
      const [text] = given;
      known.add(text);
      // Statements are kept and run again: their runs are what counts.
      const { all, run } = statement;
      statement.all = ((...values: never[]) => {
        note(text, values);
        return all.apply(statement, values as never);
      }) as typeof all;
      statement.run = ((...values: never[]) => {
        note(text, values);
        return run.apply(statement, values as never);
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
    return [...this.statements.values()].filter(({ text }) =>
      /^\s*(select|insert|update|delete|with)\b/i.test(text),
    );
  }

  [Symbol.dispose](): void {
    this.#undo();
  }
}
