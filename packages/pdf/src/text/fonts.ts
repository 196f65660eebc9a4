import { readFile } from 'node:fs/promises';
import type { FontName, FontPiece } from '@symbolon/fonts';
import { Blob, Face, Font, Variation } from 'harfbuzzjs';
import { PdfError } from '../errors.ts';
import type { Run } from './shape.ts';
import { fontOfWoff2 } from './woff2/font.ts';

export type Weight = 400 | 600;

/** A piece of a font at one weight, ready to shape with. */
export interface LoadedFont {
  /** Tells it from all others. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly weight: Weight;
  readonly font: Font;
  /** What a length of this font times this is in thousandths of the text's size. */
  readonly scale: number;
  /** Whether it has a glyph for the character. */
  has(codePoint: number): boolean;
  /** What was shaped before: labels come again on each page of signatures. */
  readonly shaped: Map<string, Run>;
}

/** Pieces are small, and the same names come again: these stay in memory. A piece has 20 KB to 1 MB. */
const MOST_PIECES = 48;
/** In the piece of the Latin letters. */
const LETTER = 0x41;

/**
 * A package of its own with 36 MB: whoever reads and verifies needs none of it. Nothing that is exported here shows its types, so that
 * programs compile without it.
 */
type FontFiles = typeof import('@symbolon/fonts');

/** Fonts for the characters of texts. Load them first, then pick: only loading takes time. */
export class Fonts {
  readonly #files: () => Promise<unknown>;
  readonly #faces = new Map<string, { bytes: Uint8Array; face: Face }>();
  readonly #loaded = new Map<string, LoadedFont>();

  /** @param files imports the package of fonts */
  constructor(files: () => Promise<unknown> = () => import('@symbolon/fonts')) {
    this.#files = files;
  }

  /** Loads what these texts need. @throws {PdfError} fonts_missing */
  async load(
    texts: readonly { text: string; weight: Weight; language?: string | undefined }[],
  ): Promise<Choices> {
    const files = await this.#installed();
    const choices = new Choices(files.hanFont);
    for (const { text, weight, language } of texts) {
      const order = files.fontOrder(text, language);
      const choice = choices.for(text, language);
      for (const character of new Set(text)) {
        const codePoint = character.codePointAt(0) ?? 0;
        if (choice.knows(codePoint, weight)) continue;
        choice.add(codePoint, weight, await this.#find(files, codePoint, weight, order));
      }
    }
    return choices;
  }

  async #installed(): Promise<FontFiles> {
    try {
      return (await this.#files()) as FontFiles;
    } catch (error) {
      if (Reflect.get(Object(error), 'code') !== 'ERR_MODULE_NOT_FOUND') throw error;
      throw new PdfError('fonts_missing', { cause: error });
    }
  }

  async #find(
    files: FontFiles,
    codePoint: number,
    weight: Weight,
    order: readonly FontName[],
  ): Promise<LoadedFont | undefined> {
    for (const name of order) {
      for (const piece of files.piecesOf(name)) {
        if (!holds(piece, codePoint)) continue;
        const font = await this.#open(piece, weight);
        if (font.has(codePoint)) return font;
      }
    }
    return this.#boxes(files, weight);
  }

  /** Draws a box where no font has a glyph: a name with a gap would read as another. */
  async #boxes(files: FontFiles, weight: Weight): Promise<LoadedFont | undefined> {
    const piece = files.piecesOf('noto-sans').find((candidate) => holds(candidate, LETTER));
    return piece && this.#open(piece, weight);
  }

  async #open(piece: FontPiece, weight: Weight): Promise<LoadedFont> {
    const key = `${piece.path} ${weight}`;
    const known = this.#loaded.get(key);
    if (known) return known;
    const { bytes, face } = await this.#face(piece);
    const font = new Font(face);
    font.setVariations([new Variation('wght', weight)]);
    const loaded: LoadedFont = {
      shaped: new Map(),
      key,
      bytes,
      weight,
      font,
      scale: 1000 / face.upem,
      has: (codePoint: number) => font.nominalGlyph(codePoint) !== undefined,
    };
    if (this.#loaded.size >= MOST_PIECES) this.#loaded.clear();
    this.#loaded.set(key, loaded);
    return loaded;
  }

  async #face(piece: FontPiece): Promise<{ bytes: Uint8Array; face: Face }> {
    const known = this.#faces.get(piece.path);
    if (known) return known;
    const bytes = fontOfWoff2(await readFile(piece.path));
    const opened = { bytes, face: new Face(new Blob(bytes)) };
    if (this.#faces.size >= MOST_PIECES) this.#faces.clear();
    this.#faces.set(piece.path, opened);
    return opened;
  }
}

/** Which font draws which character: names side by side may want different Han fonts. */
export class Choices {
  readonly #choices = new Map<string, Choice>();
  readonly #hanFont: (text: string, language?: string) => string;

  /** @param hanFont the font for the Han characters of a text */
  constructor(hanFont: (text: string, language?: string) => string) {
    this.#hanFont = hanFont;
  }

  for(text: string, language?: string): Choice {
    const han = this.#hanFont(text, language);
    const choice = this.#choices.get(han) ?? new Choice();
    this.#choices.set(han, choice);
    return choice;
  }
}

/** Which font draws which character. */
export class Choice {
  readonly #fonts = new Map<string, LoadedFont | undefined>();

  knows(codePoint: number, weight: Weight): boolean {
    return this.#fonts.has(`${weight} ${codePoint}`);
  }

  add(codePoint: number, weight: Weight, font: LoadedFont | undefined): void {
    this.#fonts.set(`${weight} ${codePoint}`, font);
  }

  of(codePoint: number, weight: Weight): LoadedFont | undefined {
    return this.#fonts.get(`${weight} ${codePoint}`);
  }
}

function holds(piece: FontPiece, codePoint: number): boolean {
  return piece.ranges.some(([from, to]) => from <= codePoint && codePoint <= to);
}
