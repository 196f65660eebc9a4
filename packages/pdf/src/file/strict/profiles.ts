import { latin1Of } from '../../latin1.ts';
import { Unclear } from '../raw/tokens.ts';
import { fixedAt, viewOf, whole } from './bytes.ts';
import { type Curve, curveAt } from './profile-curves.ts';
import { lightnessOf, nodesAt } from './profile-tables.ts';

/** How light a colour is by the usual ones, from 0 to 100. */
type Usual = (colour: readonly number[]) => number;

/** Colours of a profile, by how many numbers tell one (ICC.1, 7.2.6). */
const COLOURS: Readonly<Record<number, Readonly<Record<string, Usual>>>> = {
  1: { GRAY: ([grey = 0]) => lightnessOf(plain(grey)) },
  3: { 'RGB ': lightnessOfScreen, 'Lab ': ([light = 0]) => light * 100 },
  4: {
    CMYK: ([cyan = 0, magenta = 0, yellow = 0, black = 0]) =>
      lightnessOfScreen([cyan, magenta, yellow].map((ink) => (1 - ink) * (1 - black))),
  },
};
const SEVERAL = new Set(['RGB ', 'CMYK']);
const [COLOURS_AT, BETWEEN_AT, MARK_AT, TAGS_AT, TAG] = [16, 20, 36, 128, 12];
/** Curves of the light that a colour stands for, and how much of it that is. */
const [CURVES, LIGHTS] = [
  ['rTRC', 'gTRC', 'bTRC'],
  ['rXYZ', 'gXYZ', 'bXYZ'],
];
/** Tables for each purpose, and those of a newer kind, which few readers know. */
const [TABLES, NEWER_TABLES] = [
  ['A2B0', 'A2B1', 'A2B2'],
  ['D2B0', 'D2B1', 'D2B2', 'D2B3'],
];
const MOST_TAGS = 100;
const LIGHT_AT = 12;
/** How far apart, of 100, a colour by the profile and the usual one may be: inks are darker than the numbers say. */
const MOST_APART = 50;
/** White and black, by the usual colours, and where they may be by the profile. */
const [WHITE, LEAST_WHITE, BLACK, MOST_BLACK] = [95, 75, 5, 45];

/**
 * Some readers draw by a profile, others by the usual colours: more of a colour must be more light, and no colour may be light to some and dark to
 * others. What does not say that it is a profile some readers draw by all the same.
 * @throws {Unclear}
 */
export function checkProfile(data: Uint8Array, components: number): void {
  const colours = latin1Of(data, COLOURS_AT, COLOURS_AT + 4);
  const usual = COLOURS[components]?.[colours];
  // By one of several numbers no reader draws a single one.
  if (components === 1 && SEVERAL.has(colours)) return;
  if (latin1Of(data, MARK_AT, MARK_AT + 4) !== 'acsp' || usual === undefined)
    throw new Unclear('A profile is none, or of other colours than it says');
  whole('A profile is cut', () => checkTags(data, components, usual));
}

function checkTags(data: Uint8Array, components: number, usual: Usual): void {
  const view = viewOf(data);
  const tags = tagsOf(view, data);
  const isLab = latin1Of(data, BETWEEN_AT, BETWEEN_AT + 4) === 'Lab ';
  if (NEWER_TABLES.some((name) => tags.has(name)))
    throw new Unclear('A profile is of a kind that not all readers know');
  const curveOf = (name: string): Curve | undefined => {
    const at = tags.get(name);
    return at === undefined ? undefined : curveAt(view, at).curve;
  };
  const grey = components === 1 ? curveOf('kTRC') : undefined;
  if (grey) for (const value of SAMPLES) checkNear(lightnessOf(grey(value), isLab), usual([value]));
  const [curves, lights] = [CURVES.map(curveOf), LIGHTS.map((name) => tags.get(name))];
  if (components === 3 && curves.every(Boolean) && lights.every((at) => at !== undefined))
    for (const colour of coloursOf(SAMPLES)) {
      const light = colour.reduce(
        (sum, value, index) =>
          sum + (curves[index]?.(value) ?? 0) * fixedAt(view, (lights[index] ?? 0) + LIGHT_AT),
        0,
      );
      checkNear(lightnessOf(light), usual(colour));
    }
  for (const at of new Set(TABLES.flatMap((name) => tags.get(name) ?? [])))
    for (const { least, greatest, light } of nodesAt(view, at, components, isLab)) {
      checkNear(light, usual(least));
      checkNear(light, usual(greatest));
    }
}

/** Where what each tag names stands. @throws {Unclear}; {RangeError} */
function tagsOf(view: DataView, data: Uint8Array): ReadonlyMap<string, number> {
  const count = view.getUint32(TAGS_AT);
  if (count > MOST_TAGS) throw new Unclear('A profile has too many parts');
  const tags = new Map<string, number>();
  for (let tag = 0; tag < count; tag++) {
    const at = TAGS_AT + 4 + tag * TAG;
    const name = latin1Of(data, at, at + 4);
    if (tags.has(name)) throw new Unclear('A profile has a part twice');
    tags.set(name, view.getUint32(at + 4));
  }
  return tags;
}

const SAMPLES = Array.from({ length: 17 }, (_, index) => index / 16);
const coloursOf = (values: readonly number[]) =>
  values.flatMap((red) => values.flatMap((green) => values.map((blue) => [red, green, blue])));

function lightnessOfScreen([red = 0, green = 0, blue = 0]: readonly number[]): number {
  return lightnessOf(0.2126 * plain(red) + 0.7152 * plain(green) + 0.0722 * plain(blue));
}

/** The light of a number, by sRGB. */
const plain = (value: number): number =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

function checkNear(light: number, usual: number): void {
  const isTurned = (usual >= WHITE && light < LEAST_WHITE) || (usual <= BLACK && light > MOST_BLACK);
  if (isTurned || !(Math.abs(light - usual) <= MOST_APART))
    throw new Unclear('A profile has colours of its own');
}
