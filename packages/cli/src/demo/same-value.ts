import { isDeepStrictEqual } from 'node:util';
import { plainText } from '../data/value-text.ts';
import { Problem } from '../problem.ts';
import type { PersonScript } from './cast.ts';

/** @throws Problem unless it holds */
export function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Problem(otherwise);
}

/** @throws Problem when what arrived is not what was typed, member by member */
export function expectSame(typed: unknown, arrived: unknown, what: string): void {
  expect(isDeepStrictEqual(comparable(typed), comparable(arrived)), `${what} is not what was typed.`);
}

/** A value on one line. */
export function textOf(value: unknown): string {
  return plainText(value);
}

/** The typed texts that are long enough to be found by nothing but themselves. */
export function searchable(scripts: readonly PersonScript[]): string[] {
  const typed = scripts.flatMap(({ fields, answers }) => [
    ...fields.map(({ value }) => value),
    ...Object.values(answers).flatMap((answer) => ('value' in answer ? [answer.value] : [])),
  ]);
  const texts = typed.flatMap((value) => {
    const plain = comparable(value);
    return typeof plain === 'string' ? [plain] : Object.values(plain as Record<string, string>);
  });
  return Array.from(new Set(texts.filter((text) => Buffer.byteLength(text) >= TELLING_BYTES)));
}

/** Strings as they are, dates as their text, composites as plain objects whatever their prototype. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return JSON.parse(JSON.stringify(value));
}

const TELLING_BYTES = 8;
