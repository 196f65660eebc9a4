/** Controls, and the marks that turn text round: a name must not change how the text beside it reads. */
const UNWANTED =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu;
/** White space, and characters that are drawn as nothing: many of them would push words to another place. */
const BLANK = /[\s\p{Cc}\u115F\u1160\u2800\u3164\uFFA0]+/gu;
const LONGEST = 500;

/** A text of a stranger on one line: composed, without controls, of bounded length. */
export function cleanText(text: string, longest = LONGEST): string {
  const line = text
    .slice(0, longest * 2)
    .normalize('NFC')
    .replaceAll(BLANK, ' ')
    .replaceAll(UNWANTED, '')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : line;
}
