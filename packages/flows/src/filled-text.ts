import { type PlainPiece, parseText, type TextPiece } from './text.ts';

/** A piece of a text with its values in it, to be shown as plain characters. */
export type FilledPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'link';
      /** Where the link leads; null when the address is not one that may be opened. */
      readonly href: string | null;
      /** What to show beside the text of a live link, so that the text cannot hide where it leads. */
      readonly host: string | null;
      readonly text: string;
    };

/** What a tag is filled with; undefined when there is nothing. */
export type TagFiller = (key: string) => string | undefined;

/**
 * The text with the values of its tags (wire 13.6). Values are put in after the text was read, so nothing in a value makes
 * a tag or a link. A tag without a value is left out with the comma that belongs to it, or with a space.
 */
export function fillText(source: string, fill: TagFiller): FilledPiece[] {
  const pieces = parseText(source);
  const texts = textsOf(pieces, fill);
  return pieces.map((piece, index) => {
    if (piece.kind !== 'link') return { kind: 'text', text: texts[index] ?? '' };
    const address = piece.address.map((each) => wordsOf(each, fill)).join('');
    return { kind: 'link', ...targetOf(address), text: textsOf(piece.pieces, fill).join('') };
  });
}

function wordsOf(piece: PlainPiece, fill: TagFiller): string {
  return piece.kind === 'tag' ? (fill(piece.key) ?? '') : piece.text;
}

const COMMA_AFTER = /^,[ \t]*/;
const COMMA_BEFORE = /,[ \t]*$/;
const WORD_END = /[\p{L}\p{N}]$/u;
const ENDS = /^[ \t]*(?:$|[\n.;:!?)])/;

/**
 * What each piece says, without the holes that empty tags leave: `Dear {{ name }}, we` becomes `Dear we`, and
 * `in {{ street }}, {{ city }}.` without a city `in Main St.`
 */
function textsOf(pieces: readonly TextPiece[], fill: TagFiller): string[] {
  const texts = pieces.map((piece) => (piece.kind === 'link' ? '' : wordsOf(piece, fill)));
  /** Of the author; undefined for a value or a link. */
  const textAt = (index: number) => {
    if (index < 0 || index >= pieces.length) return '';
    return pieces[index]?.kind === 'text' ? texts[index] : undefined;
  };
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'tag' || texts[index] !== '') continue;
    const [before, after] = [textAt(index - 1), textAt(index + 1)];
    if (before === undefined || after === undefined) continue;
    if (COMMA_AFTER.test(after))
      texts[index + 1] = after.replace(COMMA_AFTER, WORD_END.test(before) ? ' ' : '');
    else if (ENDS.test(after) && index > 0) texts[index - 1] = before.replace(COMMA_BEFORE, '').trimEnd();
    else if (/^[ \t]/.test(after) && /(?:^|[ \t\n])$/.test(before)) texts[index + 1] = after.slice(1);
  }
  return texts;
}

const DEAD = { href: null, host: null };

/** An `https:` address with its host, or a `mailto:` address with that of its one mailbox. */
function targetOf(address: string): { href: string | null; host: string | null } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:') return { href: url.href, host: url.host };
  if (url?.protocol !== 'mailto:') return DEAD;
  const [, host] = /^[^@,;]+@([^@,;]+)$/.exec(decoded(url.pathname)) ?? [];
  return host === undefined ? DEAD : { href: url.href, host };
}

/** The address as a mail program reads it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}
