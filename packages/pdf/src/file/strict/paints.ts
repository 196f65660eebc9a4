import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfObject, PdfStream } from '@libpdf/core';
import { isTrue, listAt, numberAt, numbersAt, numbersOf } from '../objects.ts';
import { box, resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import type { ColourSpaces, Space } from './colour-spaces.ts';
import { checkFunctions } from './functions.ts';
import { checkMesh } from './meshes.ts';
import { isDash, isMitre } from './operators.ts';

type Unpack = (stream: PdfStream) => Uint8Array;

/** Numbers that place a shading, by its kind (ISO 32000-2, 8.7.4.5). */
const COORDINATES: Readonly<Record<number, number>> = { 2: 4, 3: 6 };
const [TILED, SHADED] = [1, 2];
/** Points that are nearer to each other are one to some readers. */
const NEAR = 0.0001;
/** Of two circles, in parts of what they differ by: that they touch inside, or are as large as each other, to some readers. */
const TOUCHING = 0.002;
const BY_PLACE = 1;
/** Shadings that are nothing without a function. */
const BY_FUNCTION = 3;
/** Smaller steps than this part of a pattern's box make more copies than readers draw. */
const SMALLEST_STEP = 0.01;
/** Of a step and of a box on the page, in points: readers give up on more copies, or draw no larger one. */
const [NEAREST_COPY, LARGEST_BOX] = [0.05, 30_000];

/** Patterns and shadings must tell all that readers would fill in themselves. */
export class Paints {
  readonly #pdf: PDF;
  readonly #spaces: ColourSpaces;
  readonly #unpack: Unpack;
  readonly #seen = new Set<PdfDict>();

  constructor(pdf: PDF, spaces: ColourSpaces, unpack: Unpack) {
    this.#pdf = pdf;
    this.#spaces = spaces;
    this.#unpack = unpack;
  }

  /** @returns whether the pattern has colours of its own, and those of a shading @throws {Unclear} */
  pattern(pattern: PdfDict): { isColoured: boolean; space?: Space } {
    const pdf = this.#pdf;
    checkMatrix(pdf, pattern);
    const type = numberAt(pdf, pattern, 'PatternType');
    const isTiled = type === TILED;
    if (isTiled !== pattern instanceof PdfStream || (!isTiled && type !== SHADED))
      throw new Unclear('A pattern has no kind');
    if (!isTiled) {
      return { isColoured: true, space: this.shading(resolve(pdf, pattern.get('Shading'))) };
    }
    const [left, bottom, right, top] = numbersAt(pdf, pattern, 'BBox') ?? [];
    const [width, height] = [(right ?? 0) - (left ?? 0), (top ?? 0) - (bottom ?? 0)];
    const [across = 0, up = 0] = ['XStep', 'YStep'].map((key) => numberAt(pdf, pattern, key));
    if (!(width > 0 && height > 0 && across >= width * SMALLEST_STEP && up >= height * SMALLEST_STEP))
      throw new Unclear('A pattern has no box or no steps');
    const [a = 1, b = 0, c = 0, d = 1] = numbersAt(pdf, pattern, 'Matrix') ?? [];
    const scales = [Math.hypot(a, b), Math.hypot(c, d)] as const;
    if (
      Math.min(across * scales[0], up * scales[1]) < NEAREST_COPY ||
      Math.max(width * scales[0], height * scales[1]) > LARGEST_BOX
    )
      throw new Unclear('A pattern has copies that are too small or too large');
    const [paint, tiling] = ['PaintType', 'TilingType'].map((key) => numberAt(pdf, pattern, key) ?? 0);
    if (![1, 2].includes(paint ?? 0) || ![1, 2, 3].includes(tiling ?? 0))
      throw new Unclear('A pattern has no kind');
    return { isColoured: paint === 1 };
  }

  /** A ground belongs to patterns, and some readers paint it without one, too. @throws {Unclear} */
  painted(shading: PdfObject): Space {
    const space = this.shading(shading);
    if (shading instanceof PdfDict && shading.has('Background'))
      throw new Unclear('A shading that is painted has a ground');
    return space;
  }

  /** @throws {Unclear} */
  shading(shading: PdfObject | undefined): Space {
    const pdf = this.#pdf;
    const type = shading instanceof PdfDict ? (numberAt(pdf, shading, 'ShadingType') ?? 0) : 0;
    if (!(shading instanceof PdfDict) || ![1, 2, 3, 4, 5, 6, 7].includes(type))
      throw new Unclear('A shading has no kind');
    const space = this.#spaces.read(shading.get('ColorSpace'));
    if (this.#seen.has(shading)) return space;
    this.#seen.add(shading);
    this.#check(shading, { type, space });
    return space;
  }

  #check(shading: PdfDict, { type, space }: { type: number; space: Space }): void {
    const pdf = this.#pdf;
    if (space.isPattern) throw new Unclear('A shading has colours of another kind');
    if (shading.has('BBox') && !box(pdf, resolve(pdf, shading.get('BBox'))))
      throw new Unclear('A shading has no box');
    const domain = numbersAt(pdf, shading, 'Domain') ?? [];
    const isDomain =
      domain.length === (type === BY_PLACE ? 4 : 2) &&
      domain.every((end, index) => index % 2 === 0 || end > (domain[index - 1] ?? end));
    if (shading.has('Domain') && !isDomain) throw new Unclear('A shading has no domain');
    checkPlace(pdf, shading, type);
    if (shading.has('Background') && numbersAt(pdf, shading, 'Background')?.length !== space.components)
      throw new Unclear('A shading has a background of other colours');
    if (type > BY_FUNCTION) {
      if (!(shading instanceof PdfStream)) throw new Unclear('A shading has no points');
      const colours = shading.has('Function') ? 1 : space.components;
      checkMesh(pdf, shading, { type, colours }, this.#unpack);
    }
    if (!shading.has('Function')) {
      if (type <= BY_FUNCTION) throw new Unclear('A shading has no function');
      return;
    }
    if (space.last !== undefined) throw new Unclear('A shading has colours of a table');
    const sizes = { inputs: type === BY_PLACE ? 2 : 1, outputs: space.components };
    const functions = resolve(pdf, shading.get('Function'));
    checkFunctions(pdf, functions, sizes, this.#unpack);
    if (type === BY_PLACE) return;
    const [low = 0, high = 1] = numbersAt(pdf, shading, 'Domain') ?? [];
    for (const each of functions instanceof PdfArray ? functions : [functions]) {
      const one = resolve(pdf, each);
      const [from = 0, to = 0] = numbersAt(pdf, one instanceof PdfDict ? one : undefined, 'Domain') ?? [];
      if (type <= BY_FUNCTION && (from > low || to < high))
        throw new Unclear('A shading asks its function for more than it has');
    }
  }
}

function checkPlace(pdf: PDF, shading: PdfDict, type: number): void {
  const wanted = COORDINATES[type];
  if (wanted === undefined) return;
  const places = numbersAt(pdf, shading, 'Coords');
  const [low = 0, high = 1] = numbersAt(pdf, shading, 'Domain') ?? [];
  const isRadial = wanted === 6;
  const [from, to] = [places?.slice(0, wanted / 2), places?.slice(wanted / 2)];
  const isPlace =
    places?.length === wanted && from?.some((each, index) => Math.abs(each - (to?.[index] ?? 0)) >= NEAR);
  const hasCircles =
    !isRadial ||
    ((from?.[2] ?? -1) >= 0 && (to?.[2] ?? -1) >= 0 && Math.max(from?.[2] ?? 0, to?.[2] ?? 0) > 0);
  if (!isPlace || !hasCircles || !(low < high)) throw new Unclear('A shading has no place');
  const ends = resolve(pdf, shading.get('Extend'));
  const isClear =
    ends instanceof PdfArray &&
    ends.length === 2 &&
    ends.toArray().every((end) => resolve(pdf, end)?.type === 'bool');
  if (ends !== undefined && !isClear) throw new Unclear('A shading may go on');
  const goesOn = ends instanceof PdfArray && ends.toArray().some((end) => isTrue(resolve(pdf, end)));
  if (isRadial && goesOn && isOnEdge(places ?? []))
    throw new Unclear('A shading goes on from circles that touch or are alike');
}

/** Whether what two circles go on to is a half of the page, or a band: some readers fill the other half too. */
function isOnEdge([x = 0, y = 0, radius = 0, toX = 0, toY = 0, toRadius = 0]: readonly number[]): boolean {
  const [way, growth] = [Math.hypot(toX - x, toY - y), Math.abs(toRadius - radius)];
  const most = Math.max(way, growth);
  return (
    Math.abs(way - growth) <= TOUCHING * most ||
    growth <= TOUCHING * Math.max(radius, toRadius) ||
    most <= TOUCHING * Math.max(radius, toRadius)
  );
}

/** @throws {Unclear} for a matrix that is none */
export function checkMatrix(pdf: PDF, dict: PdfDict, key = 'Matrix'): void {
  if (dict.has(key) && numbersAt(pdf, dict, key)?.length !== 6) throw new Unclear('A matrix is malformed');
}

/** What a graphics state may say of lines. */
const LINES: Readonly<Record<string, (value: number) => boolean>> = {
  LW: (value) => value >= 0,
  LC: (value) => [0, 1, 2].includes(value),
  LJ: (value) => [0, 1, 2].includes(value),
  ML: isMitre,
};

/** What a graphics state sets of lines. */
export function linesOf(pdf: PDF, state: PdfDict) {
  const [cap, width] = ['LC', 'LW'].map((key) => numberAt(pdf, state, key));
  return { cap, width, dashes: numbersOf(pdf, listAt(pdf, state, 'D')[0]) };
}

/** @throws {Unclear} */
export function checkLines(pdf: PDF, state: PdfDict): void {
  for (const [key, isKnown] of Object.entries(LINES)) {
    const value = resolve(pdf, state.get(key));
    if (value !== undefined && !(value instanceof PdfNumber && isKnown(value.value)))
      throw new Unclear(`A line has a /${key} that nobody knows`);
  }
  const dash = resolve(pdf, state.get('D'));
  if (dash === undefined) return;
  const [lengths, phase] = dash instanceof PdfArray && dash.length === 2 ? dash.toArray() : [];
  const at = resolve(pdf, phase);
  if (!isDash(numbersOf(pdf, lengths) ?? [Number.NaN], at instanceof PdfNumber ? at.value : undefined))
    throw new Unclear('A line has dashes that nobody knows');
}
