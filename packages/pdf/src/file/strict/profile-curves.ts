import { Unclear } from '../raw/tokens.ts';
import { fixedAt, fractionAt } from './bytes.ts';

/** From 0 to 1, as numbers from 0 to 1. */
export type Curve = (value: number) => number;

/** `curv` and `para` */
const [BY_POINTS, BY_FORMULA] = [0x63757276, 0x70617261];
/** How many points there are, or which formula it is; and where points or numbers begin. */
const [HEAD_AT, FIRST_AT] = [8, 12];
/** Numbers of a formula, by its kind (ICC.1, 10.18). */
const FORMULAS = [1, 3, 4, 5, 7];
const SAMPLES = 256;

/** A curve on its own. @returns it, and where it ends @throws {Unclear} for one that falls; {RangeError} */
export function curveAt(view: DataView, at: number): { readonly curve: Curve; readonly end: number } {
  const kind = view.getUint32(at);
  if (kind === BY_POINTS) {
    const count = view.getUint32(at + HEAD_AT);
    const end = at + FIRST_AT + 2 * count;
    if (count === 0) return { curve: (value) => value, end };
    if (count === 1) return { curve: powerOf(view.getUint16(at + FIRST_AT) / 256), end };
    return { curve: pointsAt(view, at + FIRST_AT, count, 2), end };
  }
  const form = view.getUint16(at + HEAD_AT);
  const count = kind === BY_FORMULA ? FORMULAS[form] : undefined;
  if (count === undefined) throw new Unclear('A profile has a curve of an unknown kind');
  const numbers = Array.from({ length: count }, (_, index) => fixedAt(view, at + FIRST_AT + 4 * index));
  const curve = formulaOf(form, numbers);
  const points = Array.from({ length: SAMPLES }, (_, index) => curve(index / (SAMPLES - 1)));
  checkRises(points);
  return { curve, end: at + FIRST_AT + 4 * count };
}

/** By points at the same distances. @param size of each, in bytes @throws {Unclear} for one that falls; {RangeError} */
export function pointsAt(view: DataView, at: number, count: number, size: 1 | 2): Curve {
  if (at + count * size > view.byteLength) throw new RangeError('A curve of a profile is cut');
  const points = Array.from({ length: count }, (_, index) => fractionAt(view, at + size * index, size));
  checkRises(points);
  return (value) => {
    const place = Math.min(Math.max(value, 0), 1) * (count - 1);
    const [below = 0, above = below] = [points[Math.floor(place)], points[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
}

function powerOf(power: number): Curve {
  if (power <= 0) throw new Unclear('A curve of a profile does not rise');
  return (value) => value ** power;
}

function formulaOf(form: number, numbers: readonly number[]): Curve {
  const [power = 1, a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
  const above = (value: number) => Math.max(a * value + b, 0) ** power;
  if (form === 0) return powerOf(power);
  if (form === 1) return above;
  if (form === 2) return (value) => above(value) + c;
  return (value) => (value >= d ? above(value) + e : c * value + f);
}

/** @throws {Unclear} */
function checkRises(points: readonly number[]): void {
  if (points.some((point, index) => !(point >= (points[index - 1] ?? Number.NEGATIVE_INFINITY))))
    throw new Unclear('A curve of a profile falls');
}
