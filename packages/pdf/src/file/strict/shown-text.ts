import { Unclear } from '../raw/tokens.ts';
import { checkCharacters } from './cid-fonts.ts';
import type { Colours } from './colours.ts';
import { checkShownCodes } from './fonts.ts';
import type { State } from './state.ts';

interface Shown {
  readonly state?: State;
  readonly colours?: Colours;
  readonly shown?: () => readonly Uint8Array[];
}

/** What is asked of text by its font. @throws {Unclear} */
export function checkShown({ state, colours, shown }: Shown): void {
  const { font } = state ?? {};
  if (font === undefined) throw new Unclear('Text has no font');
  if (font.glyphs !== undefined && shown) checkCharacters(shown(), font.glyphs);
  if (font.codes && shown) checkShownCodes(shown(), font.codes);
  if (state?.isTextTooThin(colours?.areAlike === true)) throw new Unclear('The lines of text are too thin');
  if (font.takesLineColour && colours?.areAlike !== true)
    throw new Unclear('A glyph draws lines in a colour that it does not choose');
}
