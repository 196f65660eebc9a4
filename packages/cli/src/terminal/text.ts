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

/** At most so many columns, the end cut off with an ellipsis. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, Math.max(0, most - 1)).join('')}…`;
}

/** Filled up with spaces to a width, colours not counted. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - Array.from(stripVTControlCharacters(text)).length));
}

// C0 without what JSON.stringify has escaped already, DEL and C1, and marks that turn the direction of writing.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
