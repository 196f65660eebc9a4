import { type PDF, PdfArray, PdfDict, type PdfObject, PdfStream } from '@libpdf/core';
import { latin1Of } from '../../latin1.ts';
import { numberAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { isCalculation } from './calculations.ts';

/** Functions in functions. */
const DEEPEST = 8;
/** Not 32: pdf.js takes those for other numbers. */
const SAMPLE_BITS = new Set([1, 2, 4, 8, 12, 16, 24]);
/** Of a side: between fewer there is nothing, and PDFium takes another value. */
const FEWEST_SAMPLES = 2;
/** How many values a function takes and gives. */
export interface Sizes {
  readonly inputs: number;
  readonly outputs: number;
}

type Unpack = (stream: PdfStream) => Uint8Array;
type Check = (pdf: PDF, dict: PdfDict, sizes: Sizes, unpack: Unpack, depth: number) => boolean;

const KINDS: Readonly<Record<number, Check>> = {
  0: isSampled,
  2: isExponential,
  3: isStitched,
  4: isCalculated,
};

/**
 * A function must take and give as many values as it is used for, and tell all that its kind needs (ISO 32000-2, 7.10): readers
 * draw nothing, black, or by values of their own otherwise.
 * @throws {Unclear}
 */
export function checkFunction(
  pdf: PDF,
  value: PdfObject | undefined,
  sizes: Sizes,
  unpack: Unpack,
  depth = 0,
): void {
  const kind = value instanceof PdfDict ? KINDS[numberAt(pdf, value, 'FunctionType') ?? -1] : undefined;
  if (!(value instanceof PdfDict) || !kind || depth > DEEPEST) throw new Unclear('A function has no kind');
  const range = value.has('Range') ? intervals(pdf, value, 'Range') : sizes.outputs;
  const domain = numbersAt(pdf, value, 'Domain') ?? [];
  if (intervals(pdf, value, 'Domain') !== sizes.inputs || range !== sizes.outputs)
    throw new Unclear('A function has other values than it is used for');
  if (domain.some((end, index) => index % 2 === 1 && end === domain[index - 1]))
    throw new Unclear('A function takes a single value');
  const uses = CHECKED.get(value) ?? new Set();
  const use = `${sizes.inputs} ${sizes.outputs}`;
  if (uses.has(use)) return;
  if (!kind(pdf, value, sizes, unpack, depth)) throw new Unclear('A function does not tell all it needs');
  CHECKED.set(value, uses.add(use));
}

/** Functions that were found clear, by how they are used: functions in functions may name one of them any number of times. */
const CHECKED = new WeakMap<PdfDict, Set<string>>();

/** @returns how many, or undefined where one is none */
function intervals(pdf: PDF, dict: PdfDict, key: string): number | undefined {
  const values = numbersAt(pdf, dict, key);
  if (values === undefined || values.length % 2 !== 0) return undefined;
  return values.some((value, index) => index % 2 === 1 && value < (values[index - 1] ?? 0))
    ? undefined
    : values.length / 2;
}

function isSampled(pdf: PDF, dict: PdfDict, { inputs, outputs }: Sizes, unpack: Unpack): boolean {
  const size = numbersAt(pdf, dict, 'Size') ?? [];
  const bits = numberAt(pdf, dict, 'BitsPerSample') ?? 0;
  if (!(dict instanceof PdfStream) || !dict.has('Range') || !SAMPLE_BITS.has(bits)) return false;
  if (size.length !== inputs || size.some((count) => !Number.isInteger(count) || count < FEWEST_SAMPLES))
    return false;
  if (!isLong(pdf, dict, 'Encode', inputs * 2) || !isLong(pdf, dict, 'Decode', outputs * 2)) return false;
  return unpack(dict).length >= Math.ceil((size.reduce((all, count) => all * count, outputs) * bits) / 8);
}

function isExponential(pdf: PDF, dict: PdfDict, { inputs, outputs }: Sizes): boolean {
  const ends = ['C0', 'C1'].every((key) => (dict.has(key) ? isLong(pdf, dict, key, outputs) : outputs === 1));
  const power = numberAt(pdf, dict, 'N') ?? -1;
  const [lowest = 0] = numbersAt(pdf, dict, 'Domain') ?? [];
  // What nothing is by the power of nothing, or a number below by half a power, readers do not agree on.
  const isClear = lowest > 0 || (power > 0 && (lowest === 0 || Number.isInteger(power)));
  return inputs === 1 && ends && power >= 0 && isClear && !isCut(pdf, dict, dict);
}

/**
 * Some readers do not hold such a function to its range, so that its values must be in it anyway.
 * @param part the function itself, or one of its parts
 */
function isCut(pdf: PDF, dict: PdfDict, part: PdfObject | undefined): boolean {
  const range = numbersAt(pdf, dict, 'Range');
  if (range === undefined) return false;
  if (!(part instanceof PdfDict)) return true;
  const kind = numberAt(pdf, part, 'FunctionType');
  const own = numbersAt(pdf, part, 'Range') ?? [];
  const [domain = [], low = [0], high = [1]] = ['Domain', 'C0', 'C1'].map((key) => numbersAt(pdf, part, key));
  if (kind === 2 && domain.some((end) => end < 0 || end > 1)) return true;
  return range.some((end, index) => {
    const reached = kind === 2 ? [low[index >> 1], high[index >> 1]] : [own[index]];
    return !reached.every((each) => each !== undefined && (index % 2 === 0 ? each >= end : each <= end));
  });
}

function isStitched(pdf: PDF, dict: PdfDict, sizes: Sizes, unpack: Unpack, depth: number): boolean {
  const parts = resolve(pdf, dict.get('Functions'));
  const [bounds, encode] = ['Bounds', 'Encode'].map((key) => numbersAt(pdf, dict, key));
  if (!(parts instanceof PdfArray) || parts.length === 0 || sizes.inputs !== 1) return false;
  if (bounds?.length !== parts.length - 1 || encode?.length !== parts.length * 2) return false;
  const [low = 0, high = 0] = numbersAt(pdf, dict, 'Domain') ?? [];
  if ([low, ...bounds, high].some((bound, index, all) => bound < (all[index - 1] ?? low))) return false;
  for (const part of parts) checkFunction(pdf, resolve(pdf, part), sizes, unpack, depth + 1);
  return !parts.toArray().some((part) => isCut(pdf, dict, resolve(pdf, part)));
}

function isCalculated(pdf: PDF, dict: PdfDict, { outputs }: Sizes, unpack: Unpack): boolean {
  if (!(dict instanceof PdfStream) || !dict.has('Range')) return false;
  const data = unpack(dict);
  return isCalculation(latin1Of(data, 0, data.length), numbersAt(pdf, dict, 'Domain') ?? [], outputs);
}

/** Whether an entry is missing, or a list of so many numbers. */
function isLong(pdf: PDF, dict: PdfDict, key: string, length: number): boolean {
  return !dict.has(key) || numbersAt(pdf, dict, key)?.length === length;
}

/** One function for all values, or one for each. @throws {Unclear} */
export function checkFunctions(pdf: PDF, value: PdfObject | undefined, sizes: Sizes, unpack: Unpack): void {
  if (!(value instanceof PdfArray)) {
    checkFunction(pdf, value, sizes, unpack);
    return;
  }
  if (value.length !== sizes.outputs) throw new Unclear('There are other functions than values');
  for (const each of value) checkFunction(pdf, resolve(pdf, each), { ...sizes, outputs: 1 }, unpack);
}
