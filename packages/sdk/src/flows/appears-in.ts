/** A text without its white space: what a PDF says has spaces and lines of its own. */
type Condensed = {
  readonly text: string;
  /** After which characters white space stood. */
  readonly gaps: ReadonlySet<number>;
};

export function condense(text: string): Condensed {
  const parts: string[] = [];
  const gaps = new Set<number>();
  let length = 0;
  // A soft hyphen stands only where a line happens to end.
  for (const word of text.normalize('NFKC').replaceAll('\u00ad', '').split(/\s+/)) {
    if (word === '') continue;
    parts.push(word);
    length += word.length;
    gaps.add(length);
  }
  return { text: parts.join(''), gaps };
}

/** Characters that make one number or one word when they touch. Scripts without cases put no spaces between words. */
const JOINED = [/^\p{Nd}{2}$/u, /^[\p{Lu}\p{Ll}]{2}$/u];

/** Whether a value stands in a text, and not only as a part of a longer number or word. */
export function appearsIn({ text, gaps }: Condensed, value: string): boolean {
  const sought = condense(value).text;
  const isInside = (place: number) =>
    !gaps.has(place) && JOINED.some((joined) => joined.test(text.slice(place - 1, place + 1)));
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
    if (!isInside(at) && !isInside(at + sought.length)) return true;
  return false;
}
