import { Unclear } from '../raw/tokens.ts';
import { ESCAPED, operatorAt } from './charstrings.ts';
import { numberOfName, standardName } from './standard-names.ts';

/** Operators of glyphs (Adobe Technical Note 5177); those of two bytes are 1200 and the second one. */
const [END, HINT_MASK, COUNTER_MASK] = [14, 19, 20];
const STEMS = new Set([1, 3, 18, 23, HINT_MASK, COUNTER_MASK]);
/** A mark that does nothing to most readers. */
const DOT_SECTION = ESCAPED;
/** An end with so many numbers sets an accent on a letter: its place, and the usual codes of both. */
const ACCENTED = 4;

type Counts = ReadonlyMap<number, (count: number) => boolean>;

/** Whether an operator takes so many numbers. Those of two bytes are flexes; others compute, which not all readers do. */
const MOVES: Counts = new Map<number, (count: number) => boolean>([
  [21, (count) => count === 2],
  [22, (count) => count === 1],
  [4, (count) => count === 1],
]);
const LINES: Counts = new Map([
  [5, (count) => count >= 2 && count % 2 === 0],
  [6, (count) => count >= 1],
  [7, (count) => count >= 1],
  [8, (count) => count >= 6 && count % 6 === 0],
  [24, (count) => count >= 8 && count % 6 === 2],
  [25, (count) => count >= 8 && count % 2 === 0],
  [26, isOfCurves],
  [27, isOfCurves],
  [30, isOfCurves],
  [31, isOfCurves],
  [1234, (count) => count === 7],
  [1235, (count) => count === 13],
  [1236, (count) => count === 9],
  [1237, (count) => count === 11],
]);

/** A glyph that is being walked. */
export interface Walk {
  readonly operands: number[];
  /** Whether the first operator came, before which its width may stand. */
  hasBegun: boolean;
  /** Whether a path was begun, whether that has any edges, and whether there was one at all. */
  isDrawing: boolean;
  hasEdges: boolean;
  hasDrawn: boolean;
  stems: number;
  hasEnded: boolean;
  /** The numbers of the names of the glyphs that it is made of. */
  components: readonly number[];
}

export const beginWalk = (): Walk => ({
  ...{ operands: [], stems: 0, components: [] },
  ...{ hasBegun: false, isDrawing: false, hasEdges: false, hasDrawn: false, hasEnded: false },
});

/** @returns how many bytes the operator has @throws {Unclear} for one that not all readers draw alike; {RangeError} */
export function drawOperator(view: DataView, at: number, walk: Walk): number {
  const [operator, length] = operatorAt(view, at);
  if (!isDrawn(operator, walk)) throw new Unclear('A glyph is drawn in a way that not all readers know');
  if (STEMS.has(operator)) walk.stems += walk.operands.length >> 1;
  walk.hasEnded = operator === END;
  if (operator === END && walk.operands.length >= ACCENTED)
    walk.components = walk.operands.slice(-2).map((code) => numberOfName(standardName(code) ?? '') ?? -1);
  walk.operands.length = 0;
  const isMask = operator === HINT_MASK || operator === COUNTER_MASK;
  return length + (isMask ? Math.ceil(walk.stems / 8) : 0);
}

function isDrawn(operator: number, walk: Walk): boolean {
  const count = walk.operands.length;
  if (operator === DOT_SECTION) {
    // Some readers begin another path with it, at the place where they are.
    walk.isDrawing &&= !walk.hasEdges;
    return count === 0;
  }
  const takes = LINES.get(operator);
  if (takes !== undefined) {
    walk.hasEdges = true;
    return walk.isDrawing && takes(count);
  }
  const isKnown =
    isBetweenPaths(operator, count, walk) || (!walk.hasBegun && isBetweenPaths(operator, count - 1, walk));
  walk.hasBegun = true;
  if (MOVES.has(operator)) [walk.isDrawing, walk.hasEdges, walk.hasDrawn] = [true, false, true];
  return isKnown;
}

/** A move, hints, or an end; an accent is set on a letter where nothing else is drawn. */
function isBetweenPaths(operator: number, count: number, { hasDrawn }: Walk): boolean {
  if (operator === END) return count === 0 || (count === ACCENTED && !hasDrawn);
  return STEMS.has(operator) ? count >= 0 && count % 2 === 0 : MOVES.get(operator)?.(count) === true;
}

function isOfCurves(count: number): boolean {
  return count >= 4 && count % 4 < 2;
}
