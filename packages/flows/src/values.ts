import { checkNumber } from '@symbolon/field-types';

/** Answers and constants by their keys. Each value is JSON: a text, number, boolean, null, list or object. */
export type Values = ReadonlyMap<string, unknown>;

/** Missing, `null` and `""` are no answer; `0`, `false` and an empty list are (wire 13.3). */
export function isAnswered(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The number that a value is or spells; undefined for everything else, booleans included. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && checkNumber(value).valid ? Number(value) : undefined;
}

/** How a value is spelled in a text or a document (wire 13.3). */
export function textOf(value: unknown): string {
  return Array.isArray(value) ? value.map(textOfOne).join(', ') : textOfOne(value);
}

function textOfOne(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}

/** Are two values equal (wire 13.3)? */
export function areEqual(a: unknown, b: unknown): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return isTrue(a) === isTrue(b);
  if (isComposite(a) || isComposite(b)) return false;
  const numbers = numbersOf(a, b);
  return numbers === undefined ? textOf(a) === textOf(b) : numbers[0] === numbers[1];
}

/** Below 0 when `a` comes first, above 0 when `b` does; undefined when they have no order (wire 13.3). */
export function orderOf(a: unknown, b: unknown): number | undefined {
  const [first, second] = [numberOf(a), numberOf(b)];
  if (first !== undefined && second !== undefined) return first - second;
  // One number and one text that spells none are mixed: they have no order.
  if (first !== undefined || second !== undefined) return undefined;
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether the text of a value has this text in it. */
export function contains(value: unknown, part: unknown): boolean {
  return !isComposite(value) && textOf(value).includes(textOf(part));
}

function numbersOf(a: unknown, b: unknown): readonly [number, number] | undefined {
  const [first, second] = [numberOf(a), numberOf(b)];
  return first === undefined || second === undefined ? undefined : [first, second];
}

function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
