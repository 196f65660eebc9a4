import { writeLine } from '../terminal/output.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { jsonLine, pad, printable, shorten, columns as width } from '../terminal/text.ts';
import type { Members } from './structured-file.ts';

/** Rows below the names of their columns; with `json` one object a line. Several calls make one table of pages. */
export class Table {
  readonly #columns: readonly string[];
  readonly #json: boolean;
  readonly #paint: Paint = createPaint(process.stdout);
  #count = 0;

  constructor(columns: readonly string[] | undefined, json: boolean) {
    this.#columns = columns ?? [];
    this.#json = json;
  }

  async add(rows: readonly Members[]): Promise<void> {
    if (this.#json) {
      for (const row of rows) await writeLine(jsonLine(row));
    } else if (rows.length > 0) {
      await this.#draw(rows);
    }
    this.#count += rows.length;
  }

  async end(): Promise<void> {
    if (this.#count === 0 && !this.#json) await writeLine(this.#paint.dim('There is none yet.'));
  }

  async #draw(rows: readonly Members[]): Promise<void> {
    const names = this.#columns.length > 0 ? this.#columns : Object.keys(rows[0] ?? {});
    const cells = rows.map((row) => names.map((name) => shorten(textOf(row[name]), CELL_MOST)));
    const widths = names.map((name, index) =>
      Math.max(width(name), ...cells.map((line) => width(line[index] ?? ''))),
    );
    const lineOf = (line: readonly string[]) =>
      line
        .map((cell, index) => (index === line.length - 1 ? cell : pad(cell, widths[index] ?? 0)))
        .join('  ');
    if (this.#count === 0) await writeLine(this.#paint.dim(lineOf(names)));
    for (const line of cells) await writeLine(lineOf(line));
  }
}

/** One thing: its members one below the other, or one JSON object. */
export async function showOne(value: unknown, json: boolean): Promise<void> {
  if (json || typeof value !== 'object' || value === null) return writeLine(jsonLine(value ?? null));
  const paint = createPaint(process.stdout);
  const members = Object.entries(value);
  const widest = Math.max(0, ...members.map(([name]) => width(name)));
  for (const [name, member] of members) {
    await writeLine(`${paint.bold(pad(name, widest))}  ${textOf(member)}`);
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value) && value.every((member) => typeof member === 'string')) {
    return printable(value.join(', ')) || '-';
  }
  return typeof value === 'object' ? jsonLine(value) : printable(String(value));
}

const CELL_MOST = 60;
