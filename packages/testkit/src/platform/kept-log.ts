import { pino } from 'pino';

/** A line of the log, with whatever members it has. */
interface LogLine {
  readonly msg: string;
  readonly level: number;
  readonly [member: string]: unknown;
}

/** A log that keeps its lines. */
export function keptLog() {
  const lines: LogLine[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines, matching: (pattern: RegExp) => lines.filter(({ msg }) => pattern.test(msg)) };
}
