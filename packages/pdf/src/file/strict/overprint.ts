import type { PDF, PdfDict } from '@libpdf/core';
import { isTrue, numberAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import type { Space } from './colour-spaces.ts';
import type { Colours, Print } from './colours.ts';
import { FILLS, SHOWS_TEXT, STROKES } from './operators.ts';
import type { Overprint, State } from './state.ts';

type Side = 'fill' | 'stroke';

/** What a graphics state sets of it: what says nothing of areas goes for them, too. */
export function overprintOf(
  pdf: PDF,
  state: PdfDict,
): { [Part in keyof Overprint]: Overprint[Part] | undefined } {
  const [stroke, fill = stroke] = ['OP', 'op'].map((key) =>
    state.has(key) ? isTrue(resolve(pdf, state.get(key))) : undefined,
  );
  return { stroke, fill, mode: numberAt(pdf, state, 'OPM') };
}

/**
 * Where overprint is on, mupdf and printers leave what is below a colour where it has no ink (ISO 32000-2, 8.6.7); other readers hide it. So
 * what is painted then must be too dark to see anything below, or have all inks of a file that has no others.
 */
export class PaintedInks {
  #hasOwn = false;
  #isOver = false;

  /** @throws {Unclear} */
  paint(operator: string, colours: Colours, state: State | undefined): void {
    if (FILLS.has(operator)) this.#check('fill', colours.print('fill'), state);
    if (STROKES.has(operator) || (SHOWS_TEXT.has(operator) && state?.isTextStroked))
      this.#check('stroke', colours.print('stroke'), state);
  }

  /** Pictures and shadings, whose colours are not looked at one by one. @throws {Unclear} */
  dots({ isInk }: Space, state: State | undefined): void {
    this.#check('fill', isInk ? 'ink' : 'whole', state);
  }

  #check(side: Side, print: Print, state: State | undefined): void {
    this.#hasOwn ||= print === 'ink';
    if (state?.overprint[side] && print !== 'dark') {
      if (print === 'ink' || (print === 'part' && state.overprint.mode === 1))
        throw new Unclear('A colour is printed over what is below it');
      this.#isOver = true;
    }
    if (this.#hasOwn && this.#isOver) throw new Unclear('Colours are printed over inks');
  }
}
