/** How a file is filled, without reading its text again. All of it is JSON. */
export interface TemplatePlan {
  readonly version: typeof PLAN_VERSION;
  /** Of the file that was analysed; a plan holds for no other. */
  readonly sha256: string;
  readonly streams: readonly StreamPlan[];
  /** By the name that shows use. */
  readonly fonts: Readonly<Record<string, FontPlan>>;
}

/** Plans of another version are made again. */
export const PLAN_VERSION = 1;

/** A stream of page content in which tags stand. */
export interface StreamPlan {
  /** Of the page on which it is drawn first, from 0. */
  readonly page: number;
  /** The number of the Form XObject; null for the content of the page itself. */
  readonly form: number | null;
  readonly chunks: readonly ChunkPlan[];
  readonly shows: readonly ShowPlan[];
  /** Bytes to take out: texts that stand in place of what is shown. */
  readonly cuts: readonly (readonly [number, number])[];
}

/** Text on one line without a gap: what stands behind a tag moves with the width of its value. Lengths are points. */
export interface ChunkPlan {
  /** From left to right. */
  readonly parts: readonly PartPlan[];
  /** How far the chunk may grow. */
  readonly room: number;
}

/** A tag, or what stands of it on one line. */
export interface PartPlan {
  readonly key: string;
  readonly width: number;
  /** The value stands in the first part of a tag. */
  readonly first: boolean;
  /** Where an image goes: its upper left corner, and how far down it may reach. */
  readonly image: ImagePlan | null;
}

export interface ImagePlan {
  /** The start of the tag's baseline on the page and the directions along the text and up, each of length one. */
  readonly origin: readonly [number, number];
  readonly along: readonly [number, number];
  readonly up: readonly [number, number];
  readonly above: number;
  readonly below: number;
}

/** An operator that shows text and is rewritten. Lengths are in text space. */
export interface ShowPlan {
  /** Where the operator stands in the stream, with its operands. */
  readonly start: number;
  readonly end: number;
  /** What must be said before: `'` and `"` begin a line. */
  readonly lead: string;
  readonly resource: string;
  readonly font: string;
  readonly size: number;
  readonly spacing: number;
  readonly wordSpacing: number;
  /** The horizontal scale: 1 is unscaled. */
  readonly stretch: number;
  /** Points for a length of one. */
  readonly scale: number;
  /** Where the pen ends. */
  readonly width: number;
  readonly items: readonly ShowItem[];
}

export type ShowItem =
  | {
      readonly at: number;
      readonly codes: string;
      readonly width: number;
      readonly chunk: number | null;
      /** How many parts of the chunk stand before it. */
      readonly after: number;
    }
  | { readonly at: number; readonly chunk: number; readonly part: number };

export interface FontPlan {
  /** The code, in hexadecimal, and the width, in thousandths, of each character that the file shows in this font. */
  readonly characters: Readonly<Record<string, readonly [string, number]>>;
  readonly bold: boolean;
}
