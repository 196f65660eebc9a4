import type { Choices, Fonts } from '../text/fonts.ts';
import { directionOf, type ShapedLine, shapeLine } from '../text/shape.ts';
import type { ChunkPlan, FontPlan, ShowPlan } from './plan.ts';

/** A value as it is drawn: in codes of the file's own font, or in one that is embedded for it. */
export type WrittenValue =
  | {
      readonly kind: 'own';
      readonly pieces: readonly OwnPiece[];
      readonly width: number;
      readonly gaps: Gaps;
    }
  | { readonly kind: 'shaped'; readonly line: ShapedLine; readonly width: number };

/** A code with its width in thousandths; without a code it is a blank that the file's font lacks. */
export interface OwnPiece {
  readonly code: string | null;
  readonly width: number;
}

/** How many times the spacing of characters and that of words apply. */
interface Gaps {
  readonly characters: number;
  readonly words: number;
}

export interface Fit {
  /** Horizontal scale and size, in parts of what the tag has. */
  readonly stretch: number;
  readonly size: number;
  /** Whether it became too small to read well. */
  readonly over: boolean;
}

/** Below `READABLE` a value is reported; it gets smaller all the same, so that it covers no other text. */
const [NARROWEST, READABLE, SMALLEST] = [0.8, 0.6, 0.05];
/** The width of a blank that the font lacks, in thousandths. */
const BLANK = 278;
/** Points: what is lost by rounding makes no value smaller. */
const TOLERANCE = 0.05;

/** Fonts for the values, loaded for all of them at once. */
export class ValueWriter {
  readonly #choices: Choices;

  private constructor(choices: Choices) {
    this.#choices = choices;
  }

  static async load(fonts: Fonts, texts: readonly string[]): Promise<ValueWriter> {
    const wanted = texts.flatMap((text) => [{ text, weight: 400 } as const, { text, weight: 600 } as const]);
    return new ValueWriter(await fonts.load(wanted));
  }

  write(text: string, font: FontPlan | undefined): WrittenValue {
    const own = font && ownPieces(text, font);
    if (own) return own;
    const weight = font?.bold ? 600 : 400;
    const line = shapeLine(text, weight, this.#choices.for(text), directionOf(text));
    return { kind: 'shaped', line, width: line.width };
  }
}

/** The file's own font when it has every character; a value in two fonts would look like two values. */
function ownPieces(text: string, { characters }: FontPlan): WrittenValue | undefined {
  const pieces: OwnPiece[] = [];
  for (const character of text) {
    const known = Object.hasOwn(characters, character) ? characters[character] : undefined;
    if (known) pieces.push({ code: known[0], width: known[1] });
    else if (character === ' ') pieces.push({ code: null, width: BLANK });
    else return undefined;
  }
  const codes = pieces.filter(({ code }) => code !== null);
  return {
    ...{ kind: 'own', pieces, width: pieces.reduce((sum, { width }) => sum + width, 0) },
    gaps: { characters: codes.length, words: codes.filter(({ code }) => code === '20').length },
  };
}

/** Points that a value takes. */
export function widthOf(value: WrittenValue, show: ShowPlan, { stretch, size }: Fit = WHOLE): number {
  const gaps =
    value.kind === 'own' ? value.gaps.characters * show.spacing + value.gaps.words * show.wordSpacing : 0;
  return ((value.width / 1000) * show.size * size + gaps) * show.stretch * stretch * show.scale;
}

export const WHOLE: Fit = { stretch: 1, size: 1, over: false };

/** Condenses the values of a chunk, then makes them smaller, until they fit. */
export function fitValues(
  chunk: ChunkPlan,
  values: readonly { readonly value: WrittenValue; readonly show: ShowPlan }[],
): Fit {
  const room = chunk.parts.reduce((sum, { width }) => sum + width, chunk.room) + TOLERANCE;
  const width = (fit: Fit) => values.reduce((sum, { value, show }) => sum + widthOf(value, show, fit), 0);
  const natural = width(WHOLE);
  if (natural <= room) return WHOLE;
  const stretch = Math.max(NARROWEST, room / natural);
  if (width({ ...WHOLE, stretch }) <= room) return { ...WHOLE, stretch };
  // The spacing of characters stays, so the width is a straight line that need not begin at nothing.
  const [most, least] = [1, 0].map((size) => width({ stretch, size, over: false })) as [number, number];
  const size = Math.max(SMALLEST, (room - least) / (most - least));
  return { stretch, size, over: size < READABLE };
}
