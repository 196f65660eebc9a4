import type { Round } from './runner.ts';

const seconds = (ms: number) => (Number.isNaN(ms) ? 'never' : `${(ms / 1000).toFixed(1)} s`);

/** A table for people: one line for each fault on each engine. */
export function tableOf(rounds: readonly Round[]): string {
  const lines = [
    '| fault | engine | done/refused/doubt | again | gap | recovered (all servers) | problems |',
    '|---|---|---|---:|---:|---:|---|',
  ];
  for (const round of rounds) {
    const { fault, engine, skipped } = round;
    if (skipped !== undefined) {
      lines.push(`| ${fault} | ${engine} | not run: ${skipped} | | | | |`);
      continue;
    }
    const kinds: Record<string, number> = {};
    for (const { kind } of round.problems) kinds[kind] = (kinds[kind] ?? 0) + 1;
    lines.push(
      `| ${[
        fault,
        engine,
        `${round.done}/${round.refused}/${round.doubt}`,
        round.repeated,
        seconds(round.gapMs),
        `${seconds(round.recoveredMs)} (${seconds(round.allRecoveredMs)})`,
        Object.entries(kinds)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ') || '–',
      ].join(' | ')} |`,
    );
  }
  return lines.join('\n');
}

const SHOWN_MOST = 6;

/** What was wrong, with the first few texts of each kind. */
export function problemsOf(rounds: readonly Round[]): string[] {
  return rounds.flatMap(({ fault, engine, problems }) => {
    const byKind = Map.groupBy(problems, ({ kind }) => kind);
    return [...byKind].flatMap(([kind, ofKind]) => [
      `${fault} on ${engine}: ${ofKind.length} × ${kind}`,
      ...ofKind.slice(0, SHOWN_MOST).map(({ text }) => `    ${text.slice(0, 400)}`),
    ]);
  });
}
