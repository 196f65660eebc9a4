import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, PdfString } from '@libpdf/core';
import { readsAsItIs, showGlyphs } from '../page/canvas.ts';
import { compressed, type FontUses, numbers, round, utf16 } from '../text/embed.ts';
import type { Choices } from '../text/fonts.ts';
import { breakLines } from '../text/paragraph.ts';
import { directionOf, type ShapedLine, shapeLine } from '../text/shape.ts';
import { readOperators } from './content.ts';
import { COMB, type FormField, inheritedOf, MULTI_LINE, type Widget } from './form-fields.ts';
import { dictOf } from './streams.ts';

/** Sizes of a field whose size is left to the reader, in points, and the least part of a size that is given. */
const [LARGEST, SMALLEST, SMALLEST_PART] = [12, 4, 0.6];
const STEP = 0.95;
/** In parts of the size: the distance of lines, and the height of capital letters. */
const [LEADING, CAPITALS] = [1.3, 0.714];
const GREY = ['', 'g', '', 'rg', 'k'];

interface Style {
  readonly size: number;
  readonly least: number;
  readonly color: string;
  readonly width: number;
  readonly height: number;
  readonly padding: number;
  readonly align: number;
}

interface Laid {
  readonly lines: readonly ShapedLine[];
  readonly size: number;
  readonly fits: boolean;
}

/** Draws the values of fields: readers and libraries draw other alphabets wrongly, or not at all. */
export class FieldPainter {
  readonly #pdf: PDF;
  readonly #choices: Choices;
  readonly #fonts: FontUses;
  readonly #resources = new PdfDict();

  constructor(pdf: PDF, choices: Choices, fonts: FontUses) {
    this.#pdf = pdf;
    this.#choices = choices;
    this.#fonts = fonts;
  }

  /** @returns whether the value fits */
  paint(field: FormField, widget: Widget, value: string): boolean {
    const style = this.#styleOf(field, widget);
    const cells = (field.flags & COMB) === 0 ? 0 : this.#number(field, 'MaxLen');
    const multi = (field.flags & MULTI_LINE) !== 0;
    const laid = cells > 0 ? this.#comb(value, cells, style) : this.#lay(value, multi, style);
    const lines = cells > 0 ? this.#cells(laid, cells, style) : this.#lines(laid, multi, style);
    const { width, height, padding, color } = style;
    const inner = [padding / 2, padding / 2, width - padding, height - padding].map(round).join(' ');
    const content = `${this.#frame(widget, style)} /Tx BMC q ${inner} re W n BT ${color} ${lines} ET Q EMC`;
    const form = compressed(Buffer.from(content, 'latin1'));
    form.set('Type', PdfName.of('XObject'));
    form.set('Subtype', PdfName.of('Form'));
    form.set('BBox', numbers(0, 0, width, height));
    form.set('Resources', this.#pdf.context.register(this.#resources));
    widget.dict.set('AP', PdfDict.of({ N: this.#pdf.context.register(form) }));
    return laid.fits;
  }

  /** Embeds the fonts when everything is drawn. */
  finish(): void {
    this.#resources.set('Font', this.#fonts.embed(this.#pdf));
  }

  #lay(value: string, multi: boolean, style: Style): Laid {
    const { width, height, padding, least } = style;
    const room = width - 2 * padding;
    for (let size = style.size; ; size = Math.max(size * STEP, least)) {
      const lines = multi
        ? value.split('\n').flatMap((line) => this.#broken(line, size, room))
        : [this.#line(value)];
      const wide = lines.some((line) => (line.width * size) / 1000 > room + 0.05);
      const fits = !wide && (!multi || lines.length * size * LEADING <= height - padding);
      if (fits || size <= least) return { lines, size, fits };
    }
  }

  #comb(value: string, cells: number, style: Style): Laid {
    const letters = Array.from(value);
    const fits = letters.length <= cells;
    return { lines: letters.slice(0, cells).map((letter) => this.#line(letter)), size: style.size, fits };
  }

  #line(text: string): ShapedLine {
    return shapeLine(text, 400, this.#choices.for(text), directionOf(text));
  }

  #broken(text: string, size: number, room: number): ShapedLine[] {
    return text === '' ? [this.#line('')] : breakLines(text, 400, this.#choices.for(text), size, room);
  }

  #lines({ lines, size }: Laid, multi: boolean, { width, height, padding, align }: Style): string {
    const top = multi ? height - padding - size : (height - CAPITALS * size) / 2;
    return lines
      .map((line, index) => {
        const free = width - 2 * padding - (line.width * size) / 1000;
        const left = padding + Math.max(0, free) * ([0, 0.5, 1][align] ?? 0);
        return this.#show(line, left, top - index * size * LEADING, size);
      })
      .join(' ');
  }

  #cells({ lines, size }: Laid, cells: number, { width, height }: Style): string {
    return lines
      .map((line, index) => {
        const left = ((index + 0.5) * width) / cells - (line.width * size) / 2000;
        return this.#show(line, left, (height - CAPITALS * size) / 2, size);
      })
      .join(' ');
  }

  #show(line: ShapedLine, left: number, bottom: number, size: number): string {
    let at = left;
    return line.runs
      .map((run) => {
        const place = `1 0 0 1 ${round(at)} ${round(bottom)} Tm`;
        const show = `/${this.#fonts.add(run)} ${round(size)} Tf ${place} ${showGlyphs(run, size)}`;
        at += (run.width * size) / 1000;
        return readsAsItIs(run) ? show : `/Span <</ActualText <feff${utf16(run.text)}>>> BDC ${show} EMC`;
      })
      .join(' ');
  }

  #styleOf(field: FormField, widget: Widget): Style {
    const [left, bottom, right, top] = widget.box;
    const [width, height] = [right - left, top - bottom];
    const multi = (field.flags & MULTI_LINE) !== 0;
    const { size: given, color } = this.#defaults(field, widget);
    const size = given || (multi ? LARGEST : Math.min(Math.max(height * 0.66, SMALLEST), LARGEST));
    return {
      ...{ size, least: given ? given * SMALLEST_PART : SMALLEST, color, width, height },
      ...{ padding: 2 * Math.max(1, this.#borderWidth(widget)), align: this.#number(field, 'Q') },
    };
  }

  /** Size and color of the text: `/Helv 12 Tf 0 g`. */
  #defaults(field: FormField, widget: Widget): { size: number; color: string } {
    const text = inheritedOf(this.#pdf, [widget.dict, ...field.lineage], 'DA');
    let [size, color] = [0, '0 g'];
    if (!(text instanceof PdfString)) return { size, color };
    for (const { name, operands } of readOperators(Buffer.from(text.asString(), 'latin1'))) {
      const given = operands.filter((operand) => typeof operand === 'number');
      if (name === 'Tf') size = Math.min(Math.max(given[0] ?? 0, 0), 300);
      else if (name !== '' && GREY[given.length] === name) color = `${given.join(' ')} ${name}`;
    }
    return { size, color };
  }

  #frame({ dict }: Widget, { width, height }: Style): string {
    const look = dictOf(this.#pdf, dict.get('MK'));
    const line = this.#borderWidth({ dict });
    const [fill, stroke] = [this.#color(look, 'BG'), this.#color(look, 'BC')?.toUpperCase()];
    const parts: string[] = [];
    if (fill) parts.push(`q ${fill} 0 0 ${round(width)} ${round(height)} re f Q`);
    if (stroke && line > 0) {
      const inner = `${line / 2} ${line / 2} ${round(width - line)} ${round(height - line)}`;
      parts.push(`q ${stroke} ${line} w ${inner} re S Q`);
    }
    return parts.join(' ');
  }

  #color(look: PdfDict | undefined, key: string): string | undefined {
    const parts = look?.get(key);
    if (!(parts instanceof PdfArray)) return undefined;
    const given = parts.toArray().flatMap((part) => (part instanceof PdfNumber ? [part.value] : []));
    return GREY[given.length] ? `${given.join(' ')} ${GREY[given.length]}` : undefined;
  }

  #borderWidth({ dict }: Pick<Widget, 'dict'>): number {
    const width = dictOf(this.#pdf, dict.get('BS'))?.get('W');
    return width instanceof PdfNumber ? Math.min(Math.max(width.value, 0), 20) : 1;
  }

  #number({ lineage }: FormField, key: string): number {
    const value = inheritedOf(this.#pdf, lineage, key);
    return value instanceof PdfNumber ? value.value : 0;
  }
}
