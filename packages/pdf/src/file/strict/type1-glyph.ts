import { Unclear } from '../raw/tokens.ts';
import { viewOf } from './bytes.ts';
import { numberAt, operatorAt } from './charstrings.ts';
import { standardName } from './standard-names.ts';

/** What a font draws, by the numbers of subroutines and the names of glyphs. */
export interface Programs {
  readonly subrs: Map<number, Uint8Array>;
  readonly glyphs: Map<string, Uint8Array>;
}

/** Operators (Adobe Type 1 Font Format, 6.4); those of two bytes are 1200 and the second one. */
const [CLOSE, CALL, RETURN, WIDTH, END, LONG] = [9, 10, 11, 13, 14, 255];
const [ACCENTED, DIVIDE, CALL_OTHER, POP, SET_POINT] = [1206, 1212, 1216, 1217, 1233];
/** Of hints: they draw nothing. */
const HINTS = new Map([
  [1, 2],
  [3, 2],
  [1200, 0],
  [1201, 6],
  [1202, 6],
]);
/** Where each number of an operator moves: to the right, or up. */
const MOVES = new Map([
  [4, 'y'],
  [21, 'xy'],
  [22, 'x'],
]);
const LINES = new Map([
  [5, 'xy'],
  [6, 'x'],
  [7, 'y'],
  [8, 'xyxyxy'],
  [30, 'yxyx'],
  [31, 'xxyy'],
]);
/** Programs that all readers know by their numbers, and how many numbers each takes. */
const [FLEX_END, FLEX_BEGIN, FLEX_POINT, CHANGE_HINTS] = [0, 1, 2, 3];
const OTHERS = [3, 0, 0, 1];
const [FLEX_POINTS, ACCENTED_OPERANDS] = [7, 5];
const [DEEPEST, MOST_OPERANDS, LARGEST, MOST_STEPS] = [10, 24, 32_000, 2_000_000];

/** A glyph that is being drawn. */
interface Pen {
  readonly operands: number[];
  /** How many of them stand right before the operator at hand. */
  fresh: number;
  /** What the last program that readers know left. */
  readonly left: number[];
  x: number;
  y: number;
  /** Whether its width was set, whether a path was begun, and whether there was one at all. */
  hasWidth: boolean;
  isDrawing: boolean;
  hasDrawn: boolean;
  hasEnded: boolean;
  /** How many points of a flex were given, and whether there was a move to the next one; undefined beside a flex. */
  flex: { points: number; isMoved: boolean } | undefined;
  /** Whether the subroutine that is called next may tell hints alone, and whether this one may. */
  changesHints: boolean;
  isHinting: boolean;
  components: readonly string[];
  /** Of all glyphs so far. */
  steps: number;
}

/**
 * Each glyph must be drawn with as many numbers as each operator takes: what stands before them some readers leave, others take.
 * @returns by the name of each glyph those of a letter and an accent of which it is made: none for most
 * @throws {Unclear}; {RangeError} for a glyph that ends in a number
 */
export function componentsOf({ glyphs, subrs }: Programs): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  let steps = 0;
  for (const [name, glyph] of glyphs) {
    const pen: Pen = {
      ...{ operands: [], fresh: 0, left: [], x: 0, y: 0, steps, flex: undefined, components: [] },
      ...{ hasWidth: false, isDrawing: false, hasDrawn: false, hasEnded: false },
      ...{ changesHints: false, isHinting: false },
    };
    walk(glyph, subrs, pen, 0);
    if (!pen.hasEnded) throw new Unclear('A glyph does not end');
    found.set(name, pen.components);
    steps = pen.steps;
  }
  return found;
}

function walk(data: Uint8Array, subrs: Programs['subrs'], pen: Pen, depth: number): void {
  if (depth > DEEPEST) throw new Unclear('A glyph calls too much');
  const view = viewOf(data);
  for (let at = 0; at < data.length; ) {
    const isEnd = [RETURN, END].includes(view.getUint8(at));
    if (pen.hasEnded && !isEnd) throw new Unclear('A glyph goes on behind its end');
    if (++pen.steps > MOST_STEPS || pen.operands.length > MOST_OPERANDS)
      throw new Unclear('A glyph is too long');
    const found = numberAt(view, at);
    if (found !== undefined) {
      pen.operands.push(found[0]);
      pen.fresh++;
      at += found[1];
      continue;
    }
    const [operator, length] = operatorAt(view, at);
    at += length;
    if (operator === RETURN || pen.hasEnded) return;
    if (operator === LONG) {
      pen.operands.push(view.getInt32(at));
      pen.fresh++;
      at += 4;
      continue;
    }
    if (operator === CALL) {
      const subr = subrs.get(pen.operands.pop() ?? Number.NaN);
      if (subr === undefined) throw new Unclear('A glyph calls what is not there');
      const { isHinting } = pen;
      pen.isHinting ||= pen.changesHints;
      pen.changesHints = false;
      walk(subr, subrs, pen, depth + 1);
      pen.isHinting = isHinting;
    } else draw(operator, pen);
    pen.fresh = 0;
  }
}

function draw(operator: number, pen: Pen): void {
  const { operands } = pen;
  if (operator === DIVIDE) {
    // Some readers look for it right behind both of its numbers, where the first of them is large.
    if (pen.fresh < 2) throw new Unclear('A glyph divides what was divided');
    const [by = 0, value = 0] = [operands.pop(), operands.pop()];
    if (by === 0 || Math.abs(by) > LARGEST) throw new Unclear('A glyph divides by nothing');
    operands.push(value / by);
    return;
  }
  if (operands.some((value) => Math.abs(value) > LARGEST))
    throw new Unclear('A glyph has a number that is too large');
  if (operator === CALL_OTHER) callOther(pen);
  else if (operator === POP) {
    const value = pen.left.pop();
    if (value === undefined) throw new Unclear('A glyph takes what nothing left');
    operands.push(value);
  } else {
    const hints = HINTS.get(operator);
    const isHint = hints !== undefined && operands.length === hints && pen.flex === undefined;
    if (hints !== undefined ? !isHint : !isDrawn(operator, pen))
      throw new Unclear('A glyph is drawn in a way that not all readers know');
    operands.length = 0;
  }
}

/** @returns whether all readers draw it, and in one way */
function isDrawn(operator: number, pen: Pen): boolean {
  const { operands, flex } = pen;
  if (pen.isHinting || pen.hasWidth === (operator === WIDTH)) return false;
  const moves = MOVES.get(operator);
  if (operator === WIDTH) {
    pen.hasWidth = true;
    pen.x = operands[0] ?? 0;
    return operands.length === 2;
  }
  if (operator === SET_POINT) {
    pen.flex = undefined;
    return (
      flex?.points === FLEX_POINTS && operands.length === 2 && operands[0] === pen.x && operands[1] === pen.y
    );
  }
  if (flex !== undefined) {
    const isFirst = !flex.isMoved && flex.points < FLEX_POINTS;
    flex.isMoved = true;
    return isFirst && moves !== undefined && isMoved(pen, moves);
  }
  if (operator === END || operator === ACCENTED) {
    pen.hasEnded = true;
    // A letter and an accent.
    if (operator === ACCENTED) pen.components = operands.slice(-2).map((code) => standardName(code) ?? '');
    return (
      operands.length === (operator === END ? 0 : ACCENTED_OPERANDS) && (operator === END || !pen.hasDrawn)
    );
  }
  const line = LINES.get(operator);
  if (line !== undefined) return pen.isDrawing && isMoved(pen, line);
  pen.isDrawing = moves !== undefined;
  pen.hasDrawn ||= pen.isDrawing;
  return moves === undefined ? operator === CLOSE && operands.length === 0 : isMoved(pen, moves);
}

function isMoved(pen: Pen, ways: string): boolean {
  for (const [index, way] of [...ways].entries()) {
    if (way === 'x') pen.x += pen.operands[index] ?? 0;
    else pen.y += pen.operands[index] ?? 0;
  }
  return pen.operands.length === ways.length && Math.max(Math.abs(pen.x), Math.abs(pen.y)) <= LARGEST;
}

/** Programs of which all readers know what they do: those of flexes, and of a change of hints. */
function callOther(pen: Pen): void {
  const { operands, flex, left } = pen;
  const [number = -1, count = -1] = [operands.pop(), operands.pop()];
  const isKnown = OTHERS[number] === count && operands.length === count && left.length === 0;
  const given = operands.splice(0);
  if (number === CHANGE_HINTS) {
    pen.changesHints = true;
    left.push(...given);
  } else if (number === FLEX_BEGIN) pen.flex = { points: 0, isMoved: false };
  else if (flex && number === FLEX_POINT && flex.isMoved) {
    flex.points++;
    flex.isMoved = false;
  } else if (flex && number === FLEX_END) left.push(...given.slice(1).toReversed());
  const isInOrder =
    number === FLEX_BEGIN ? pen.isDrawing && !flex : (number === CHANGE_HINTS) === (flex === undefined);
  if (!isKnown || !isInOrder) throw new Unclear('A glyph calls what not all readers know');
}
