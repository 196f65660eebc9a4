import type { Choice, Weight } from './fonts.ts';
import { directionOf, type ShapedLine, shapeLine } from './shape.ts';

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Breaks a text into lines. Parts are measured alone, which is near enough: shaping a whole line moves letters by a hair.
 * @param width in points, like `size`
 */
export function breakLines(
  text: string,
  weight: Weight,
  choice: Choice,
  size: number,
  width: number,
): ShapedLine[] {
  const direction = directionOf(text);
  const line = (part: string) => shapeLine(part, weight, choice, direction);
  const whole = line(text);
  if (fits(whole.width)) return [whole];
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const part of parts()) {
    const length = line(part).width;
    if (current && !fits(used + length)) {
      lines.push(current);
      current = '';
      used = 0;
    }
    if (!current && part.trim() === '') continue;
    current += part;
    used += length;
  }
  return [...lines, current].filter(Boolean).map((text) => line(text.trimEnd()));

  function fits(length: number): boolean {
    return (length * size) / 1000 <= width;
  }

  /** Words, and the letters of words that are too long for a line. */
  function* parts(): Generator<string> {
    for (const { segment } of words.segment(text)) {
      if (fits(line(segment).width)) yield segment;
      else for (const { segment: letter } of graphemes.segment(segment)) yield letter;
    }
  }
}
