import { Unclear } from '../raw/tokens.ts';
import { fixedAt, fractionAt } from './bytes.ts';
import { type Curve, curveAt, pointsAt } from './profile-curves.ts';

/** One of the colours that a table tells. */
export interface Node {
  /** The least and the greatest numbers of a colour, each from 0 to 1, that lead there. */
  readonly least: readonly number[];
  readonly greatest: readonly number[];
  /** How light it is, from 0 to 100. */
  readonly light: number;
}

/** `mft1`, `mft2` and `mAB ` */
const [BY_BYTES, BY_WORDS, IN_PARTS] = [0x6d667431, 0x6d667432, 0x6d414220];
const MOST_NODES = 1 << 20;
const [INPUTS_AT, OUTPUTS_AT, GRID_AT] = [8, 9, 10];
/** What a table tells of a colour: three numbers. */
const OUTPUTS = 3;
/** Points for each number of a colour, where there is no table between the curves. */
const STEPS = 9;
/** Below so much light, how light something is grows with it evenly (CIE 15, 8.2.1). */
const [DARK, EVENLY] = [216 / 24_389, 24_389 / 27];
/** Of tables by bytes and by words: how many points its curves have, and where they begin. */
const [BYTES_AT, POINTS_OF_BYTES, INPUT_POINTS, OUTPUT_POINTS, WORDS_AT] = [48, 256, 48, 50, 52];
/** The greatest word, and those that stand for white and for all light. */
const [WORDS, LIGHTEST_WORD, ALL_LIGHT] = [65_535, 0xff00, 0x8000];
const MATRIX_NUMBERS = 12;
/** Of the form in parts: where each of them begins. */
const [LAST_CURVES, MATRIX, MIDDLE_CURVES, COLOURS, FIRST_CURVES] = [12, 16, 20, 24, 28];
const [PRECISION, FIRST_COLOUR] = [16, 20];

/**
 * The colours of a table (ICC.1, 10.10 to 10.12).
 * @param isLab whether it tells them by how light they are; else by the light that they give
 * @throws {Unclear}; {RangeError} for a table that is cut
 */
export function* nodesAt(view: DataView, at: number, components: number, isLab: boolean): Generator<Node> {
  const { grid, firsts, lightOf } =
    view.getUint32(at) === IN_PARTS ? inParts(view, at, isLab) : simple(view, at, isLab);
  const nodes = grid.reduce((product, points) => product * points, 1);
  if (grid.length !== components || nodes > MOST_NODES || grid.some((points) => points < 2))
    throw new Unclear('A profile has a table of another number of colours');
  const ranges = grid.map((points, channel) =>
    Array.from({ length: points }, (_, point) => rangeOf(firsts[channel], point / (points - 1))),
  );
  for (let node = 0; node < nodes; node++) {
    const steps = stepsOf(node, grid);
    const found = steps.map((step, channel) => ranges[channel]?.[step] ?? ([0, 1] as const));
    yield { least: found.map(([low]) => low), greatest: found.map(([, high]) => high), light: lightOf(node) };
  }
}

interface Table {
  /** How many points it has for each number of a colour. */
  readonly grid: readonly number[];
  readonly firsts: readonly Curve[];
  readonly lightOf: (node: number) => number;
}

/** With the last of its numbers the fastest. */
function stepsOf(node: number, grid: readonly number[]): number[] {
  const steps: number[] = [];
  for (const points of grid.toReversed()) {
    steps.unshift(node % points);
    node = Math.floor(node / points);
  }
  return steps;
}

/** The least and the greatest number by which a curve leads to a place, as near as a dot of a screen tells. */
function rangeOf(curve: Curve | undefined, place: number): readonly [least: number, greatest: number] {
  const steps = 256;
  let [low, high] = [0, 1];
  for (let step = 0; step <= steps; step++) {
    const value = curve?.(step / steps) ?? 0;
    if (value <= place) low = step / steps;
    if (value >= place) {
      high = step / steps;
      break;
    }
  }
  return [Math.min(low, high), Math.max(low, high)];
}

/** With one curve for each number before the table, and one behind it (ICC.1, 10.10 and 10.11). */
function simple(view: DataView, at: number, isLab: boolean): Table {
  const kind = view.getUint32(at);
  if (kind !== BY_BYTES && kind !== BY_WORDS) throw new Unclear('A profile has a table of an unknown kind');
  const [size, most] =
    kind === BY_BYTES ? ([1, 255] as const) : ([2, isLab ? LIGHTEST_WORD : ALL_LIGHT] as const);
  const inputs = view.getUint8(at + INPUTS_AT);
  checkOutputs(view, at);
  const before = size === 1 ? POINTS_OF_BYTES : view.getUint16(at + INPUT_POINTS);
  const behind = size === 1 ? POINTS_OF_BYTES : view.getUint16(at + OUTPUT_POINTS);
  const start = at + (size === 1 ? BYTES_AT : WORDS_AT);
  const grid = Array.from({ length: inputs }, () => view.getUint8(at + GRID_AT));
  const firsts = grid.map((_, index) => pointsAt(view, start + index * before * size, before, size));
  const colours = start + inputs * before * size;
  const channel = isLab ? 0 : 1;
  const end = colours + view.getUint8(at + GRID_AT) ** inputs * OUTPUTS * size;
  const last = pointsAt(view, end + channel * behind * size, behind, size);
  const scale = (size === 1 ? 255 : WORDS) / most;
  return {
    ...{ grid, firsts },
    lightOf: (node) => {
      const place = colours + (node * OUTPUTS + channel) * size;
      return lightnessOf(last(fractionAt(view, place, size)) * scale, isLab);
    },
  };
}

/** Of curves, a table, curves, a matrix and curves, of which some may be missing (ICC.1, 10.12). */
function inParts(view: DataView, at: number, isLab: boolean): Table {
  const inputs = view.getUint8(at + INPUTS_AT);
  checkOutputs(view, at);
  const place = (part: number) => view.getUint32(at + part);
  const curves = (part: number, count: number) => curvesAt(view, at, place(part), count);
  const [middle, last] = [curves(MIDDLE_CURVES, OUTPUTS), curves(LAST_CURVES, OUTPUTS)];
  const numbers = Array.from({ length: place(MATRIX) === 0 ? 0 : MATRIX_NUMBERS }, (_, index) =>
    fixedAt(view, at + place(MATRIX) + 4 * index),
  );
  const colours = place(COLOURS) && at + place(COLOURS);
  if (colours === 0 && inputs !== OUTPUTS)
    throw new Unclear('A profile has a table of another number of colours');
  const grid = Array.from({ length: inputs }, (_, index) =>
    colours === 0 ? STEPS : view.getUint8(colours + index),
  );
  const size = colours === 0 || view.getUint8(colours + PRECISION) === 1 ? 1 : 2;
  const channel = isLab ? 0 : 1;
  const outputOf = (node: number, index: number) =>
    fractionAt(view, colours + FIRST_COLOUR + (node * OUTPUTS + index) * size, size);
  return {
    ...{ grid, firsts: curves(FIRST_CURVES, inputs) },
    lightOf: (node) => {
      const found =
        colours === 0
          ? stepsOf(node, grid).map((step) => step / (STEPS - 1))
          : Array.from({ length: OUTPUTS }, (_, index) => outputOf(node, index));
      const values = found.map((value, index) => middle[index]?.(value) ?? value);
      const row = numbers.slice(channel * OUTPUTS, (channel + 1) * OUTPUTS);
      const sum = row.reduce(
        (all, factor, index) => all + factor * (values[index] ?? 0),
        numbers[OUTPUTS ** 2 + channel] ?? 0,
      );
      const value = last[channel]?.(row.length === 0 ? (values[channel] ?? 0) : sum) ?? 0;
      return lightnessOf(isLab ? value : (value * WORDS) / ALL_LIGHT, isLab);
    },
  };
}

/** Curves one behind the other; without a place they change nothing. @param at of the table, @param place from there */
function curvesAt(view: DataView, at: number, place: number, count: number): Curve[] {
  let next = place;
  return Array.from({ length: count }, () => {
    if (place === 0) return (value) => value;
    const { curve, end } = curveAt(view, at + next);
    // Each begins at a multiple of four.
    next = Math.ceil((end - at) / 4) * 4;
    return curve;
  });
}

/** How light something is, from 0 to 100. @param value of light, or of how light it is, from 0 to 1 */
export function lightnessOf(value: number, isLab = false): number {
  if (isLab) return value * 100;
  return value > DARK ? 116 * Math.cbrt(value) - 16 : value * EVENLY;
}

function checkOutputs(view: DataView, at: number): void {
  if (view.getUint8(at + OUTPUTS_AT) !== OUTPUTS)
    throw new Unclear('A profile has a table of another number of colours');
}
