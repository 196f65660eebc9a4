import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfStream, PdfString } from '@libpdf/core';
import { numberAt, numbersAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { checkFunction } from './functions.ts';

/** What a colour space asks of a colour. */
export interface Space {
  /** Numbers of a colour; 0 where it is a pattern. */
  readonly components: number;
  readonly isPattern?: boolean;
  /** Of a pattern that is drawn in one colour. */
  readonly under?: Space;
  /** The last entry of a table of colours. */
  readonly last?: number;
}

type Unpack = (stream: PdfStream) => Uint8Array;
type Items = readonly (PdfObject | undefined)[];

/** Spaces in spaces. */
const DEEPEST = 4;
const LAST_INDEX = 255;

export const GRAY: Space = { components: 1 };
const RGB: Space = { components: 3 };
const CMYK: Space = { components: 4 };
const PATTERN: Space = { components: 0, isPattern: true };

/** Spaces that need no resources. */
export const DEVICE_SPACES: ReadonlyMap<string, Space> = new Map([
  ...(['DeviceGray', 'G', 'CalGray'] as const).map((name) => [name, GRAY] as const),
  ...(['DeviceRGB', 'RGB', 'CalRGB'] as const).map((name) => [name, RGB] as const),
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

  constructor(pdf: PDF, unpack: Unpack) {
    this.#pdf = pdf;
    this.#unpack = unpack;
  }

  /** @throws {Unclear} */
  read(value: PdfObject | undefined, depth = 0): Space {
    const space = resolve(this.#pdf, value);
    if (space instanceof PdfName) return named(space.value);
    if (!(space instanceof PdfArray) || depth > DEEPEST) throw new Unclear('A colour space is none');
    const known = this.#known.get(space) ?? this.#family(space, depth);
    this.#known.set(space, known);
    return known;
  }

  #family(space: PdfArray, depth: number): Space {
    const [family, ...items] = space.toArray().map((item) => resolve(this.#pdf, item));
    if (!(family instanceof PdfName)) throw new Unclear('A colour space has no name');
    switch (family.value) {
      case 'CalGray':
      case 'CalRGB':
      case 'Lab':
        return this.#measured(family.value, items);
      case 'ICCBased':
        return this.#profile(items);
      case 'Indexed':
      case 'I':
        return this.#table(items, depth);
      case 'Separation':
      case 'DeviceN':
        return this.#inks(items, depth);
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
    const isClear =
      entries instanceof PdfDict &&
      numbersAt(this.#pdf, entries, 'WhitePoint')?.length === 3 &&
      (family !== 'Lab' || !entries.has('Range') || numbersAt(this.#pdf, entries, 'Range')?.length === 4);
    if (!isClear) throw new Unclear('A colour space has no white');
    return family === 'CalGray' ? GRAY : RGB;
  }

  #profile([profile]: Items): Space {
    const components = profile instanceof PdfStream ? numberAt(this.#pdf, profile, 'N') : undefined;
    if (components !== 1 && components !== 3 && components !== 4)
      throw new Unclear('A profile does not tell its colours');
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
    return { components: 1, last: count };
  }

  #inks([names, instead, tint]: Items, depth: number): Space {
    const inks =
      names instanceof PdfArray ? names.toArray().map((name) => resolve(this.#pdf, name)) : [names];
    if (inks.length === 0 || !inks.every((ink) => ink instanceof PdfName))
      throw new Unclear('An ink has no name');
    // The standard draws nothing then; pdf.js draws what stands in its place.
    if (inks.every((ink) => ink.value === 'None')) throw new Unclear('An ink is none');
    const { components } = this.#plain(instead, depth);
    checkFunction(this.#pdf, tint, { inputs: inks.length, outputs: components }, this.#unpack);
    return { components: inks.length };
  }
}

function named(name: string): Space {
  const space = DEVICE_SPACES.get(name);
  if (!space) throw new Unclear(`A colour space is unknown: ${name.slice(0, 40)}`);
  return space;
}
