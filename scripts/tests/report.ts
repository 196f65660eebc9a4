import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cost } from './account.ts';
import type { Logged } from './log.ts';

const SHOWN = 10;

/** What the test processes of a run wrote into a folder. */
export function readCosts(folder: string): Cost[] {
  return readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Cost);
}

/**
 * The end of a run in some lines: the files that cost most, and where the CPU went.
 *
 * @param further CPU seconds of what served all files, by its name
 */
export function reportLines(costs: readonly Cost[], further: Readonly<Record<string, number>>): string[] {
  const all = (cost: Cost) => cost.own + cost.children;
  const dearest = [...costs].sort((a, b) => all(b) - all(a)).slice(0, SHOWN);
  const areas = new Map<string, number>();
  for (const cost of costs) areas.set(areaOf(cost.file), (areas.get(areaOf(cost.file)) ?? 0) + all(cost));
  const rows = [...areas, ...Object.entries(further)].filter(([, seconds]) => seconds >= 1);
  const total = rows.reduce((sum, [, seconds]) => sum + seconds, 0);
  return [
    `CPU: ${whole(total)} s: ${rows
      .sort(([, a], [, b]) => b - a)
      .map(([name, seconds]) => `${name} ${whole(seconds)}`)
      .join(', ')}`,
    `The ${dearest.length} files that cost most, in CPU seconds:`,
    ...dearest.map((cost) => `  ${all(cost).toFixed(1).padStart(6)}  ${cost.file}`),
  ];
}

/** Which tests did not run, and why: one line for each reason. */
export function skippedLines(log: readonly Logged[]): string[] {
  const reasons = new Map<string, number>();
  for (const logged of log) {
    if (logged.type !== 'passed' || logged.skipped === undefined) continue;
    const reason = logged.skipped === true ? 'without a reason' : logged.skipped;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => `skipped: ${count} × ${reason}`);
}

/** `packages/server/src/domains/flows/…` counts for `server/domains/flows`. */
function areaOf(file: string): string {
  const parts = file
    .replace(/^packages\//, '')
    .replace('/src/', '/')
    .split('/');
  const depth = parts[0] === 'server' && parts[1] === 'domains' ? 3 : 2;
  return parts.slice(0, Math.min(depth, parts.length - 1)).join('/');
}

const whole = (seconds: number) => String(Math.round(seconds));
