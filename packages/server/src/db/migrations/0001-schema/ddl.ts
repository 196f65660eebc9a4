import type { Engine } from '../../database.ts';

/** The statements of a text, each ended by a semicolon at the end of a line. Lines of comments are left out. */
export function statements(text: TemplateStringsArray, ...values: readonly string[]): string[] {
  return String.raw({ raw: text }, ...values)
    .replaceAll(/^ *--.*\n/gm, '')
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** The key of a table whose rows get their places from the database, each a higher one than any row before. */
export const sequence = (engine: Engine): string =>
  engine === 'sqlite'
    ? 'seq integer primary key autoincrement'
    : 'seq bigint generated always as identity primary key';

/** What an index on a text has that is looked for by its beginning, in any case. */
export const folded = (engine: Engine, column: string): string =>
  engine === 'sqlite' ? `lower(${column})` : `lower(${column}) collate "C"`;
