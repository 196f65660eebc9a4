import { type PlainPiece, parseText } from './text.ts';

/** A piece of a text with its values in it, to be shown as plain characters. */
export type FilledPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** A tag without a value, and what stands in its place: the last part of its key as words, in brackets. */
  | { readonly kind: 'missing'; readonly text: string }
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
 * a tag or a link. Where a tag has no value, or one of blanks alone, its name stands: a gap would be read over, and take the sense of a sentence along.
 */
export function fillText(source: string, fill: TagFiller): FilledPiece[] {
  return parseText(source).map((piece) => {
    if (piece.kind !== 'link') return filledPiece(piece, fill);
    const address = piece.address.map((each) => filling(each, fill)).join('');
    const text = piece.pieces.map((each) => filledPiece(each, fill).text).join('');
    return { kind: 'link', ...targetOf(address), text };
  });
}

function filledPiece(piece: PlainPiece, fill: TagFiller) {
  const text = filling(piece, fill);
  if (piece.kind === 'text' || text.trim() !== '') return { kind: 'text', text } as const;
  return { kind: 'missing', text: `[${(piece.key.split('.').at(-1) ?? '').replaceAll('_', ' ')}]` } as const;
}

function filling(piece: PlainPiece, fill: TagFiller): string {
  return piece.kind === 'tag' ? (fill(piece.key) ?? '') : piece.text;
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
