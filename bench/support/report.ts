import { machine } from './machine.ts';

/** One thing a benchmark is measured against. */
export interface Bar {
  readonly what: string;
  readonly measured: string;
  readonly bar: string;
  readonly met: boolean;
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** What a benchmark hands back. */
export interface Report {
  readonly title: string;
  /** How it was measured, in a sentence or two. */
  readonly how: string;
  readonly table: Table;
  readonly bars: readonly Bar[];
  /** What held it up, where the load of the machine does not tell. */
  readonly limit?: string;
}

/** A benchmark is a function; its file is also a command. */
export type Benchmark = () => Promise<Report>;

/** Runs a benchmark as a command: prints its report, or gives it to the process that started it. */
export async function runAlone(benchmark: Benchmark): Promise<void> {
  if (process.send !== undefined) {
    process.send(await benchmark());
    process.disconnect();
    return;
  }
  const { cpu, cores, node, os } = machine();
  console.log(`${cpu}, ${cores} cores, Node ${node}, ${os}\n`);
  console.log(toMarkdown(await benchmark()));
}

export function toMarkdown({ title, how, table, bars }: Report): string {
  const parts = [`## ${title}`, how, markdownTable(table)];
  if (bars.length > 0) {
    parts.push(
      markdownTable({
        head: ['bar', 'measured', 'asked for', ''],
        rows: bars.map(({ what, measured, bar, met }) => [what, measured, bar, met ? 'met' : 'MISSED']),
      }),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

/** A table that reads well as Markdown and on a terminal: the first column flush left, the others right. */
export function markdownTable({ head, rows }: Table): string {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  const [first = '', ...rest] = lines.map((line) => `| ${line.map(pad).join(' | ')} |`);
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [first, `| ${rule.join(' | ')} |`, ...rest].join('\n');
}

/** A number with thousands separated, and decimals only where they say something. */
export function figure(value: number, decimals = value < 10 ? 2 : value < 100 ? 1 : 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

export function atLeast(what: string, measured: number, bar: number, unit = '×'): Bar {
  return { what, measured: figure(measured) + unit, bar: `≥ ${bar}${unit}`, met: measured >= bar };
}

export function atMost(what: string, measured: number, bar: number, unit = '×'): Bar {
  return { what, measured: figure(measured) + unit, bar: `≤ ${bar}${unit}`, met: measured <= bar };
}
