import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file of a font: the packages cut each font into pieces by the characters that they hold. */
export interface FontPiece {
  readonly path: string;
  /** First and last code point, sorted. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** The scripts of one font each, in the order in which characters are looked up. */
const SCRIPTS = [
  'noto-sans',
  'noto-sans-arabic',
  'noto-sans-hebrew',
  'noto-sans-devanagari',
  'noto-sans-bengali',
  'noto-sans-gujarati',
  'noto-sans-gurmukhi',
  'noto-sans-kannada',
  'noto-sans-malayalam',
  'noto-sans-oriya',
  'noto-sans-sinhala',
  'noto-sans-tamil',
  'noto-sans-telugu',
  'noto-sans-armenian',
  'noto-sans-georgian',
  'noto-sans-ethiopic',
  'noto-sans-khmer',
  'noto-sans-lao',
  'noto-sans-thaana',
  'noto-sans-thai',
] as const;

/** The Han characters look different in these. */
const HAN = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-tc', 'noto-sans-kr'] as const;

export type FontName = (typeof SCRIPTS)[number] | (typeof HAN)[number];

/** The fonts to look a text's characters up in. @param language BCP 47, of the person with the name */
export function fontOrder(text: string, language = ''): FontName[] {
  const first = hanFont(text, language);
  return [...SCRIPTS, first, ...HAN.filter((name) => name !== first)];
}

/** The font for the Han characters of a text. */
export function hanFont(text: string, language = ''): (typeof HAN)[number] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) || /^ja\b/i.test(language))
    return 'noto-sans-jp';
  if (/\p{Script=Hangul}/u.test(text) || /^ko\b/i.test(language)) return 'noto-sans-kr';
  return /^zh-(hant|tw|hk|mo)\b/i.test(language) ? 'noto-sans-tc' : 'noto-sans-sc';
}

const read = new Map<FontName, readonly FontPiece[]>();

/** The pieces of a font, read when they are first asked for. */
export function piecesOf(name: FontName): readonly FontPiece[] {
  const known = read.get(name);
  if (known) return known;
  const css = import.meta.resolve(`@fontsource-variable/${name}/index.css`);
  const pieces = [
    ...readFileSync(fileURLToPath(css), 'utf8').matchAll(/url\(([^)]+)\)[^;]*;\s*unicode-range:([^;]+);/g),
  ].map(([, file = '', ranges = '']) => ({
    path: fileURLToPath(new URL(file, css)),
    ranges: parseRanges(ranges),
  }));
  read.set(name, pieces);
  return pieces;
}

function parseRanges(text: string): [number, number][] {
  return text.split(',').map((part) => {
    const [from = '', to = from] = part.trim().slice(2).split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}
