import { Unclear } from '../raw/tokens.ts';

/** The second byte of an operator of two stands behind this one; the two are given as 1200 and that byte. */
const ESCAPE = 12;
export const ESCAPED = 1200;

/** @returns the operator at a place of a glyph, and how many bytes it has @throws {RangeError} */
export function operatorAt(view: DataView, at: number): readonly [operator: number, length: number] {
  const byte = view.getUint8(at);
  return byte === ESCAPE ? [ESCAPED + view.getUint8(at + 1), 2] : [byte, 1];
}

/**
 * A whole number of one byte or two, as dictionaries and glyphs of both formats write it (Adobe Type 1 Font Format, 6.2; Technical Note 5176, 4).
 * @returns it, and how many bytes it has; undefined where none begins
 * @throws {RangeError}
 */
export function numberAt(view: DataView, at: number): readonly [value: number, length: number] | undefined {
  const byte = view.getUint8(at);
  if (byte < 32 || byte === 255) return undefined;
  if (byte <= 246) return [byte - 139, 1];
  const next = view.getUint8(at + 1);
  return byte <= 250 ? [(byte - 247) * 256 + next + 108, 2] : [-(byte - 251) * 256 - next - 108, 2];
}

/**
 * A glyph with an accent is made of two that are drawn themselves: readers go no deeper, and leave out what is missing in ways of their own.
 * @param components of each glyph, by its name
 * @throws {Unclear}
 */
export function checkComponents<Name>(components: ReadonlyMap<Name, readonly Name[]>): void {
  if ([...components.values()].flat().some((name) => components.get(name)?.length !== 0))
    throw new Unclear('A glyph is made of what is no glyph');
}
