import bidiFactory from 'bidi-js';
import { Direction, shape, Buffer as TextBuffer } from 'harfbuzzjs';
import type { Choice, LoadedFont, Weight } from './fonts.ts';

/** Lengths in thousandths of the text's size. */
export interface Glyph {
  readonly id: number;
  /** From where the pen is to where the glyph goes. */
  readonly dx: number;
  readonly dy: number;
  /** How far the pen moves. */
  readonly advance: number;
  /** The glyph's own width, by which a PDF moves the pen. */
  readonly width: number;
  /** The characters that it stands for; empty for the second glyph of a group. */
  readonly text: string;
}

/** Glyphs of one font in the order in which they are drawn, from left to right. */
export interface Run {
  readonly font: LoadedFont;
  readonly text: string;
  readonly rightToLeft: boolean;
  readonly glyphs: readonly Glyph[];
  readonly width: number;
}

export interface ShapedLine {
  readonly runs: readonly Run[];
  readonly width: number;
}

// The package declares a default export, and exports the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One font has all of these characters, and all run left to right. */
const ASCII = /^[\x20-\x7e]+$/;
const LETTER = 0x61;
const MOST_SHAPED = 1000;

/** Orders and shapes a line of text (UAX 9, HarfBuzz). @param base the direction of the paragraph */
export function shapeLine(text: string, weight: Weight, choice: Choice, base: 'ltr' | 'rtl'): ShapedLine {
  const plain = base === 'ltr' && ASCII.test(text) ? choice.of(LETTER, weight) : undefined;
  if (plain) {
    const run = shapeRun({ text, font: plain, level: 0 });
    return { runs: [run], width: run.width };
  }
  const embedding = bidi.getEmbeddingLevels(text, base);
  const runs = itemize(text, embedding.levels, weight, choice);
  const ordered = reorder(runs).map(shapeRun);
  return { runs: ordered, width: ordered.reduce((sum, { width }) => sum + width, 0) };
}

/** The direction of a paragraph: of its first character that has one. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  return (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr';
}

interface Item {
  readonly text: string;
  readonly font: LoadedFont;
  readonly level: number;
}

/** Pieces of the text, in its own order, that one font draws in one direction. */
function itemize(text: string, levels: Uint8Array, weight: Weight, choice: Choice): Item[] {
  const items: Item[] = [];
  let last: LoadedFont | undefined;
  for (const { segment, index } of graphemes.segment(text)) {
    const level = levels[index] ?? 0;
    const font = fontFor(segment, weight, choice, last);
    if (!font) continue;
    const before = items.at(-1);
    if (before && before.font === font && before.level === level) {
      items[items.length - 1] = { ...before, text: before.text + segment };
    } else items.push({ text: segment, font, level });
    last = font;
  }
  return items;
}

/** The font of the run before keeps marks, blanks and signs beside the letters that they belong to. */
function fontFor(
  segment: string,
  weight: Weight,
  choice: Choice,
  last: LoadedFont | undefined,
): LoadedFont | undefined {
  const codePoints = Array.from(segment, (character) => character.codePointAt(0) ?? 0);
  if (last && codePoints.every((codePoint) => last.has(codePoint))) return last;
  const fonts = codePoints.map((codePoint) => choice.of(codePoint, weight));
  return (
    fonts.find((font) => font && codePoints.every((codePoint) => font.has(codePoint))) ??
    fonts.find(Boolean) ??
    last
  );
}

/** UAX 9, rule L2: from the highest level down, turns round what is at that level or above. */
function reorder<T extends { level: number }>(items: readonly T[]): T[] {
  const ordered = [...items];
  for (let level = Math.max(0, ...items.map((item) => item.level)); level > 0; level--) {
    for (let from = 0; from < ordered.length; from++) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to++;
      if (to > from + 1) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return ordered;
}

function shapeRun({ text, font, level }: Item): Run {
  const key = `${level % 2}${text}`;
  const known = font.shaped.get(key);
  if (known) return known;
  const run = shapeAnew(text, font, level % 2 === 1);
  if (font.shaped.size >= MOST_SHAPED) font.shaped.clear();
  font.shaped.set(key, run);
  return run;
}

function shapeAnew(text: string, font: LoadedFont, rightToLeft: boolean): Run {
  const buffer = new TextBuffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  buffer.setDirection(rightToLeft ? Direction.RTL : Direction.LTR);
  shape(font.font, buffer);
  const shaped = buffer.getGlyphInfosAndPositions();
  const starts = [...new Set(shaped.map(({ cluster }) => cluster)), text.length].sort((a, b) => a - b);
  const written = new Set<number>();
  const glyphs = shaped.map(({ codepoint: id, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }): Glyph => {
    const next = starts[starts.indexOf(cluster) + 1] ?? text.length;
    const stands = written.has(cluster) ? '' : text.slice(cluster, next);
    written.add(cluster);
    return {
      id,
      dx: xOffset * font.scale,
      dy: yOffset * font.scale,
      advance: xAdvance * font.scale,
      width: font.font.glyphHAdvance(id) * font.scale,
      text: stands,
    };
  });
  return { font, text, rightToLeft, glyphs, width: glyphs.reduce((sum, { advance }) => sum + advance, 0) };
}
