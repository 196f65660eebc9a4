import { type FontUses, hex4, round, utf16 } from '../text/embed.ts';
import type { Run, ShapedLine } from '../text/shape.ts';

/** From black to white. */
export type Grey = number;

/** The content of one page. Lengths are points from the lower left corner. */
export class Canvas {
  readonly #parts: string[] = [];
  readonly #fonts: FontUses;

  constructor(fonts: FontUses) {
    this.#fonts = fonts;
  }

  text(line: ShapedLine, x: number, y: number, size: number, grey: Grey): void {
    let at = x;
    for (const run of line.runs) {
      this.#run(run, at, y, size, grey);
      at += (run.width * size) / 1000;
    }
  }

  rule(x: number, y: number, width: number, grey: Grey): void {
    this.#parts.push(`${grey} g ${round(x)} ${round(y)} ${round(width)} 0.6 re f`);
  }

  content(): Buffer {
    return Buffer.from(this.#parts.join('\n'), 'latin1');
  }

  #run(run: Run, x: number, y: number, size: number, grey: Grey): void {
    const name = this.#fonts.add(run);
    const show = `BT ${grey} g /${name} ${size} Tf 1 0 0 1 ${round(x)} ${round(y)} Tm ${showGlyphs(run, size)} ET`;
    this.#parts.push(
      readsAsItIs(run) ? show : `/Span <</ActualText <feff${utf16(run.text)}>>> BDC ${show} EMC`,
    );
  }
}

/** Whether each glyph stands for its characters; glyph 0 is a box for any that the font lacks. Right to left, readers turn an ActualText round: there it stays away. */
export function readsAsItIs({ rightToLeft, glyphs }: Run): boolean {
  return rightToLeft || glyphs.every(({ id, text }) => id !== 0 && text !== '');
}

/** TJ moves the pen back by its numbers, in thousandths; Ts lifts what is above the line. */
export function showGlyphs(run: Run, size: number): string {
  const parts: string[] = [];
  let open = '';
  let lift = 0;
  for (const { id, dx, dy, advance, width } of run.glyphs) {
    if (round(dy) !== lift) {
      if (open) parts.push(`[${open}] TJ`);
      open = '';
      lift = round(dy);
      parts.push(`${round((lift * size) / 1000)} Ts`);
    }
    const [before, after] = [round(-dx), round(width + dx - advance)];
    open += `${before === 0 ? '' : before}<${hex4(id)}>${after === 0 ? '' : after}`;
  }
  if (open) parts.push(`[${open}] TJ`);
  if (lift !== 0) parts.push('0 Ts');
  return parts.join(' ').replaceAll('><', '');
}
