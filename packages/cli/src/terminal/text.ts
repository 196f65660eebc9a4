import { stripVTControlCharacters } from 'node:util';

/**
 * Text from elsewhere made safe for a terminal: values are written by people, and an escape sequence among them could
 * rewrite the screen. Line breaks become a mark, other control and direction characters are dropped.
 */
export function printable(text: string): string {
  return text.replaceAll(/\r\n|[\n\r\u2028\u2029]/g, '⏎').replaceAll(UNPRINTABLE, '');
}

/** JSON on one line in which every control character is escaped, also those that JSON itself would let through. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** How many columns a text takes on a terminal, colours not counted. */
export function columns(text: string): number {
  let count = 0;
  for (const character of stripVTControlCharacters(text)) count += widthOf(character);
  return count;
}

/** At most so many columns, the end cut off with an ellipsis. */
export function shorten(text: string, most: number): string {
  if (columns(text) <= most) return text;
  let short = '';
  let left = most - 1;
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    short += character;
  }
  return `${short}…`;
}

/** Filled up with spaces to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - columns(text)));
}

function widthOf(character: string): number {
  if (/^\p{Mark}$/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

// East Asian scripts in full width, and pictographs (Unicode UAX 11, the large blocks).
const WIDE =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
// C0 without what JSON.stringify has escaped already, DEL and C1, and marks that turn the direction of writing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
