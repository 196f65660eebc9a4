import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfStream, PdfString } from '@libpdf/core';
import { nameAt, numberAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { checkFunction } from './functions.ts';
import { checkProfile } from './profiles.ts';

/** What a colour space asks of a colour. */
export interface Space {
  /** Numbers of a colour; 0 where it is a pattern. */
  readonly components: number;
  readonly isPattern?: boolean;
  /** Of a pattern that is drawn in one colour. */
  readonly under?: Space;
  /** The last entry of a table of colours. */
  readonly last?: number;
  /** Whether its colours are those of inks. */
  readonly isInk?: boolean;
  /** The least and the most of each number, where readers take one beyond it as it is or as the most. */
  readonly bounds?: readonly (readonly [number, number])[];
}

const DEFAULTS = [
  ['DefaultGray', 1],
  ['DefaultRGB', 3],
  ['DefaultCMYK', 4],
] as const;
/** They need no resources, and some readers look there first. */
const PLAIN_NAMES = ['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern'];

type Unpack = (stream: PdfStream) => Uint8Array;
type Items = readonly (PdfObject | undefined)[];

/** Spaces in spaces. */
const DEEPEST = 4;
const LAST_INDEX = 255;
/** Of a measured space: some readers take no other exponents as they are, and others take none. */
const [LOWEST_GAMMA, HIGHEST_GAMMA] = [1, 3];
/** Whites of lamps and of daylight. By others, some readers make white black, and black white. */
const WHITES = [
  [0.8, 1.2],
  [1, 1],
  [0.3, 1.5],
] as const;
/** What a part of a matrix may be: larger ones change a colour that other readers take as it is. */
const [LEAST_PART, MOST_PART] = [-0.4, 1.4];
/** How far the white that a matrix makes may be from the white of its space. */
const FAR_FROM_WHITE = 0.3;

export const GRAY: Space = { components: 1 };
const RGB: Space = { components: 3 };
const CMYK: Space = { components: 4 };
const PATTERN: Space = { components: 0, isPattern: true };

/** Spaces that need no resources. */
export const DEVICE_SPACES: ReadonlyMap<string, Space> = new Map([
  ...(['DeviceGray', 'G'] as const).map((name) => [name, GRAY] as const),
  ...(['DeviceRGB', 'RGB'] as const).map((name) => [name, RGB] as const),
  ...(['DeviceCMYK', 'CMYK'] as const).map((name) => [name, CMYK] as const),
  ['Pattern', PATTERN],
]);

/** Names that only inline images, or lists, may use. */
export const SHORT_SPACES: ReadonlySet<string> = new Set([
  'G',
  'RGB',
  'CMYK',
  'I',
  'CalGray',
  'CalRGB',
  'Indexed',
]);

/** Reads colour spaces by the letter (ISO 32000-2, 8.6): what one lacks, each reader makes up. */
export class ColourSpaces {
  readonly #pdf: PDF;
  readonly #unpack: Unpack;
  readonly #known = new Map<PdfObject, Space>();
  /** Many spaces share one: it is large, and unpacked once. */
  readonly #profiles = new Set<PdfStream>();

  constructor(pdf: PDF, unpack: Unpack) {
    this.#pdf = pdf;
    this.#unpack = unpack;
  }

  /** @throws {Unclear} */
  read(value: PdfObject | undefined, depth = 0): Space {
    const space = resolve(this.#pdf, value);
    if (space instanceof PdfName) return named(space.value);
    if (!(space instanceof PdfArray) || depth > DEEPEST) throw new Unclear('A colour space is malformed');
    const known = this.#known.get(space) ?? this.#family(space, depth);
    this.#known.set(space, known);
    return known;
  }

  /**
   * Some readers draw in these spaces what names the plain ones: by another one than a profile, black could be white.
   * @param spaces of resources @throws {Unclear}
   */
  checkDefaults(spaces: PdfDict | undefined): void {
    for (const name of PLAIN_NAMES)
      if (spaces?.has(name) && nameAt(this.#pdf, spaces, name) !== name)
        throw new Unclear(`/${name} names another space`);
    for (const [name, components] of DEFAULTS) {
      if (!spaces?.has(name)) continue;
      const space = resolve(this.#pdf, spaces.get(name));
      const family = space instanceof PdfArray ? resolve(this.#pdf, space.toArray()[0]) : undefined;
      const isProfile = family instanceof PdfName && family.value === 'ICCBased';
      if (!isProfile || this.read(space).components !== components)
        throw new Unclear(`/${name} is no profile of its colours`);
    }
  }

  #family(space: PdfArray, depth: number): Space {
    const [family, ...items] = space.toArray().map((item) => resolve(this.#pdf, item));
    if (!(family instanceof PdfName)) throw new Unclear('A colour space has no name');
    checkLength(family.value, items);
    switch (family.value) {
      case 'CalGray':
      case 'CalRGB':
      case 'Lab':
        return this.#measured(family.value, items);
      case 'ICCBased':
        return this.#profile(items, depth);
      case 'Indexed':
      case 'I':
        return this.#table(items, depth);
      case 'Separation':
      case 'DeviceN':
        return this.#inks(family.value, items, depth);
      case 'Pattern':
        return items.length === 0 ? PATTERN : { ...PATTERN, under: this.#plain(items[0], depth) };
      default:
        return named(family.value);
    }
  }

  /** A space in another one, which is no pattern. */
  #plain(value: PdfObject | undefined, depth: number): Space {
    const space = this.read(value, depth + 1);
    if (space.isPattern) throw new Unclear('A colour space is made of patterns');
    return space;
  }

  #measured(family: string, [entries]: Items): Space {
    const list = (key: string) =>
      entries instanceof PdfDict && entries.has(key) ? (numbersAt(this.#pdf, entries, key) ?? []) : undefined;
    const white = list('WhitePoint') ?? [];
    const range = list('Range');
    if (!isWhite(white) || (family === 'Lab' && range && !isRange(range)))
      throw new Unclear('A colour space has no white');
    const gamma =
      family === 'CalGray' && entries instanceof PdfDict && entries.has('Gamma')
        ? [numberAt(this.#pdf, entries, 'Gamma') ?? 0]
        : list('Gamma');
    const matrix = list('Matrix');
    const isClear =
      family === 'Lab' ||
      ((gamma === undefined || isGamma(gamma, family === 'CalGray' ? 1 : 3)) &&
        (family === 'CalGray' || matrix === undefined || isMatrix(matrix, white)) &&
        isBlack(list('BlackPoint'), white));
    if (!isClear) throw new Unclear('A colour space is measured in a way that nobody knows');
    if (family === 'CalGray') return GRAY;
    const [a = -100, b = 100, c = -100, d = 100] = range ?? [];
    return family === 'Lab'
      ? {
          ...RGB,
          bounds: [
            [0, 100],
            [a, b],
            [c, d],
          ],
        }
      : RGB;
  }

  /** Some readers draw in the space that is named beside a profile, others by the profile. */
  #profile([profile]: Items, depth: number): Space {
    const components = profile instanceof PdfStream ? numberAt(this.#pdf, profile, 'N') : undefined;
    if (!(profile instanceof PdfStream) || (components !== 1 && components !== 3 && components !== 4))
      throw new Unclear('A profile does not tell its colours');
    if (!this.#profiles.has(profile)) checkProfile(this.#unpack(profile), components);
    this.#profiles.add(profile);
    if (!profile.has('Alternate')) return { components };
    const instead = this.#plain(profile.get('Alternate'), depth);
    if (instead.components !== components || instead.last !== undefined || instead.isInk)
      throw new Unclear('A profile has other colours than what may stand in its place');
    return { components };
  }

  #table([base, last, table]: Items, depth: number): Space {
    const under = this.#plain(base, depth);
    const count = last?.type === 'number' ? last.value : -1;
    if (under.last !== undefined || !Number.isInteger(count) || count < 0 || count > LAST_INDEX)
      throw new Unclear('A table of colours has no end');
    const bytes =
      table instanceof PdfString ? table.bytes : table instanceof PdfStream ? this.#unpack(table) : [];
    if (bytes.length < (count + 1) * under.components) throw new Unclear('A table of colours is too short');
    return { components: 1, last: count, ...(under.isInk && { isInk: true }) };
  }

  #inks(family: string, [names, instead, tint]: Items, depth: number): Space {
    if (names instanceof PdfArray !== (family === 'DeviceN')) throw new Unclear('An ink has no name');
    const inks =
      names instanceof PdfArray ? names.toArray().map((name) => resolve(this.#pdf, name)) : [names];
    if (inks.length === 0 || !inks.every((ink) => ink instanceof PdfName))
      throw new Unclear('An ink has no name');
    // The standard draws nothing with it: pdf.js draws what stands in its place, and mupdf asks the function for other inks without it.
    if (inks.some((ink) => ink.value === 'None')) throw new Unclear('An ink is named None');
    const under = this.#plain(instead, depth);
    if (under.last !== undefined || under.isInk) throw new Unclear('An ink is made of inks or of a table');
    const sizes = { inputs: inks.length, outputs: under.components };
    checkFunction(this.#pdf, tint, sizes, this.#unpack);
    if (family === 'Separation' && inks[0]?.value === 'Black' && under === GRAY) checkBlack(this.#pdf, tint);
    const domain = tint instanceof PdfDict ? (numbersAt(this.#pdf, tint, 'Domain') ?? []) : [];
    if (domain.some((end, index) => (index % 2 === 0 ? end > 0 : end < 1)))
      throw new Unclear('An ink asks its function for more than it has');
    return { components: inks.length, isInk: true };
  }
}

/** Poppler takes this ink for black, whatever its function says. */
function checkBlack(pdf: PDF, tint: PdfObject | undefined): void {
  const dict = tint instanceof PdfDict ? tint : undefined;
  const says = ['C0', 'C1'].map((key) => String(numbersAt(pdf, dict, key) ?? ''));
  if (says.join(' ') !== '1 0' || numberAt(pdf, dict, 'N') !== 1) throw new Unclear('Black ink is not black');
}

/** Entries behind the name of a space: with more, some readers know no space, or another one. */
const MOST_ITEMS: Readonly<Record<string, number>> = {
  ...{ CalGray: 1, CalRGB: 1, Lab: 1, ICCBased: 1, Pattern: 1 },
  ...{ Indexed: 3, I: 3, Separation: 3, DeviceN: 4 },
};

function checkLength(family: string, items: Items): void {
  if (items.length > (MOST_ITEMS[family] ?? 0)) throw new Unclear('A colour space tells too much');
}

const isWhite = (white: readonly number[]) =>
  white.length === 3 && WHITES.every(([least, most], index) => isWithin(white[index], least, most));

const isWithin = (value = Number.NaN, least: number, most: number) => value >= least && value <= most;

const isRange = ([low = 1, high = 0, from = 1, to = 0, ...more]: readonly number[]) =>
  low < high && from < to && more.length === 0;

const isGamma = (gamma: readonly number[], length: number) =>
  gamma.length === length && gamma.every((each) => isWithin(each, LOWEST_GAMMA, HIGHEST_GAMMA));

const isBlack = (black: readonly number[] | undefined, white: readonly number[]) =>
  black === undefined ||
  (black.length === 3 && black.every((part, index) => part >= 0 && part < (white[index] ?? 0) / 2));

/** The colour of all parts is to be white. */
const isMatrix = (matrix: readonly number[], white: readonly number[]) =>
  matrix.length === 9 &&
  matrix.every((part) => isWithin(part, LEAST_PART, MOST_PART)) &&
  white.every(
    (part, row) =>
      Math.abs((matrix[row] ?? 0) + (matrix[row + 3] ?? 0) + (matrix[row + 6] ?? 0) - part) <= FAR_FROM_WHITE,
  );

function named(name: string): Space {
  const space = DEVICE_SPACES.get(name);
  if (!space) throw new Unclear(`A colour space is unknown: ${name.slice(0, 40)}`);
  return space;
}
