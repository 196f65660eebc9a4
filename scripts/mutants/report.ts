import { KINDS, type Mutant } from './mutable.ts';
import type { Trial } from './trial.ts';

export type Tried = Omit<Mutant, 'id'> & Trial;

const OUTCOMES = ['noticed', 'not noticed', 'not reached'] as const;

/** Noticed of all, between 0 and 1; of none, all are. */
export function shareNoticed(tried: readonly Tried[]): number {
  return tried.length === 0 ? 1 : tried.filter(({ outcome }) => outcome === 'noticed').length / tried.length;
}

/** Tables of the outcomes by kind and by domain, and each mutant that no test noticed. */
export function reportOf(tried: readonly Tried[]): string {
  const missed = tried
    .filter(({ outcome }) => outcome !== 'noticed')
    .sort((a, b) => a.domain.localeCompare(b.domain) || a.file.localeCompare(b.file) || a.line - b.line);
  return [
    ...missed.map(describe),
    table('kind', KINDS, tried, ({ kind }) => kind),
    table('domain', [...new Set(tried.map(({ domain }) => domain))].sort(), tried, ({ domain }) => domain),
    `${(shareNoticed(tried) * 100).toFixed(1)} % of ${tried.length} noticed`,
  ].join('\n');
}

/** How many mutants there are, by domain and kind. */
export function countsOf(mutants: readonly Mutant[]): string {
  const domains = [...new Set(mutants.map(({ domain }) => domain))].sort();
  const row = (name: string, own: readonly Mutant[]) =>
    line(name, [...KINDS.map((kind) => own.filter((mutant) => mutant.kind === kind).length), own.length]);
  return [
    line('domain', [...KINDS, 'all']),
    ...domains.map((name) =>
      row(
        name,
        mutants.filter(({ domain }) => domain === name),
      ),
    ),
    row('all', mutants),
  ].join('\n');
}

function describe({ file, line, kind, original, mutated, text, outcome, reaching }: Tried): string {
  const reached = outcome === 'not reached' ? outcome : `not noticed by ${reaching.length} that reach it`;
  return `${file}:${line} ${kind}, ${reached}\n    ${text}\n    ${short(original)} → ${short(mutated)}\n`;
}

function table(
  title: string,
  names: readonly string[],
  tried: readonly Tried[],
  nameOf: (one: Tried) => string,
): string {
  const rows = names.map((name) => {
    const own = tried.filter((one) => nameOf(one) === name);
    return line(name, [...OUTCOMES.map((outcome) => own.filter((one) => one.outcome === outcome).length)]);
  });
  return [line(title, OUTCOMES), ...rows, ''].join('\n');
}

const line = (name: string, cells: readonly (string | number)[]) =>
  name.padEnd(16) + cells.map((cell) => String(cell).padStart(13)).join('');

const short = (text: string) => {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 100 ? `${flat.slice(0, 99)}…` : flat;
};
