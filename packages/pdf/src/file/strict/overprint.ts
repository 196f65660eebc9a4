import { type PDF, PdfDict } from '@libpdf/core';
import { numberAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import type { Space } from './colour-spaces.ts';
import { type Colours, type Print, printOfDots } from './colours.ts';
import { FILLS, SHOWS_TEXT, STROKES } from './operators.ts';
import type { OverprintChanges, State } from './state.ts';

type Side = 'fill' | 'stroke';

/** What a graphics state sets of it: what says nothing of areas goes for them, too. @throws {Unclear} */
export function overprintOf(pdf: PDF, state: PdfDict): OverprintChanges {
  const [stroke, fill = stroke] = ['OP', 'op'].map((key) => {
    if (!state.has(key)) return undefined;
    const value = resolve(pdf, state.get(key));
    if (value?.type !== 'bool') throw new Unclear(`/${key} says neither yes nor no`);
    return value.value;
  });
  const mode = numberAt(pdf, state, 'OPM');
  if (state.has('OPM') && mode !== 0 && mode !== 1) throw new Unclear('A mode of overprint is unknown');
  const mask = resolve(pdf, state.get('SMask'));
  return { stroke, fill, mode, isMasked: mask && mask instanceof PdfDict };
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
    const isText = SHOWS_TEXT.has(operator);
    if (isText && state?.font?.isContent && isOn(state))
      throw new Unclear('Glyphs of content are printed over');
    if (FILLS.has(operator) && (!isText || state?.isTextFilled !== false))
      this.#check('fill', colours.print('fill'), state);
    if (STROKES.has(operator) || (isText && state?.isTextStroked))
      this.#check('stroke', colours.print('stroke'), state);
  }

  /** Pictures and shadings, whose colours are not looked at one by one. @throws {Unclear} */
  dots(space: Space, state: State | undefined): void {
    this.#check('fill', printOfDots(space), state);
  }

  #check(side: Side, print: Print, state: State | undefined): void {
    const isCell = print === 'cell' || print === 'ink cell';
    this.#hasOwn ||= print === 'ink' || print === 'ink cell';
    if (print !== 'dark' && (isCell ? isOn(state) : state?.overprint[side])) {
      if (isCell || print === 'ink' || (print === 'part' && state?.overprint.mode === 1))
        throw new Unclear('A colour is printed over what is below it');
      this.#isOver = true;
    }
    if (this.#hasOwn && this.#isOver) throw new Unclear('Colours are printed over inks');
  }
}

const isOn = (state: State | undefined) => state?.overprint.fill === true || state?.overprint.stroke === true;
