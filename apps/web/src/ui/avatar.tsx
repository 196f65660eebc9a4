import { useState } from 'react';
import classes from './avatar.module.css';

/** White is read on each of them at 4.5:1 at least. */
const COLOURS = [
  '#0e7490',
  '#be123c',
  '#b45309',
  '#7c3aed',
  '#15803d',
  '#1d4ed8',
  '#a21caf',
  '#475569',
] as const;

/**
 * Who it is: a picture, or the first letters of the name on a colour that stays the same for the same name. The name stands beside
 * it, so that screen readers pass over it.
 * @param size in pixels
 */
export function Avatar({
  name,
  picture,
  size = 40,
  letters = 1,
}: {
  name: string;
  picture?: string | undefined;
  size?: number;
  /** Two for people. */
  letters?: 1 | 2;
}) {
  const [broken, setBroken] = useState<string>();
  if (picture !== undefined && picture !== broken)
    return (
      <img
        src={picture}
        alt=""
        width={size}
        height={size}
        loading="lazy"
        className={classes.picture}
        // It may be gone, or there is no network: the letter is always there.
        onError={() => setBroken(picture)}
      />
    );
  return (
    <span
      className={classes.letters}
      style={{
        width: size,
        height: size,
        fontSize: size * 0.4,
        background: letters === 2 ? COLOURS[7] : colourOf(name),
      }}
      aria-hidden="true"
    >
      {initials(name, letters)}
    </span>
  );
}

function initials(name: string, most: number): string {
  const words = name.trim().split(/\s+/u);
  const chosen = most === 1 ? words.slice(0, 1) : [...new Set([words[0], words.at(-1)])];
  return chosen.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('') || '?';
}

function colourOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return COLOURS[sum % (COLOURS.length - 1)] ?? COLOURS[0];
}
