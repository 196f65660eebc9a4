import { readsAsItIs, showGlyphs } from '../page/canvas.ts';
import { type FontUses, utf16 } from '../text/embed.ts';
import { type Fit, type WrittenValue, widthOf } from './fit.ts';
import type { ShowPlan, StreamPlan } from './plan.ts';

/** The values of a chunk by part, null where none stands, and how they fit. */
export interface FilledChunk {
  readonly values: readonly (WrittenValue | null)[];
  readonly fit: Fit;
  /** How far text behind each number of parts has moved, in points. */
  readonly moved: readonly number[];
}

/** The stream with values in place of its tags; every other operator stays as it is, byte for byte. */
export function writeStream(
  bytes: Uint8Array,
  plan: StreamPlan,
  chunks: ReadonlyMap<number, FilledChunk>,
  fonts: FontUses,
): Uint8Array {
  const edits = plan.shows.map(({ start, end }, index) => ({ start, end, show: plan.shows[index] }));
  const cuts = plan.cuts.map(([start, end]) => ({ start, end, show: undefined }));
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, show } of [...edits, ...cuts].sort((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(at, start));
    if (show) pieces.push(Buffer.from(new ShowWriter(show, fonts).write(chunks), 'latin1'));
    at = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

class ShowWriter {
  readonly #show: ShowPlan;
  readonly #fonts: FontUses;
  readonly #out: string[] = [];
  /** What stands between the brackets of the operator that is being written. */
  #open = '';
  /** Where the pen is, in text space. */
  #pen = 0;

  constructor(show: ShowPlan, fonts: FontUses) {
    this.#show = show;
    this.#fonts = fonts;
    if (show.lead) this.#out.push(show.lead);
  }

  /** Each piece goes to its own place, so rounding does not add up; the pen ends where it did. */
  write(chunks: ReadonlyMap<number, FilledChunk>): string {
    for (const item of this.#show.items) {
      const chunk = item.chunk === null ? undefined : chunks.get(item.chunk);
      const count = 'part' in item ? item.part : item.after;
      this.#moveTo(item.at + (chunk?.moved[count] ?? 0) / this.#show.scale);
      if ('codes' in item) {
        this.#open += `<${item.codes}>`;
        this.#pen += item.width;
        continue;
      }
      const value = chunk?.values[item.part];
      if (value && chunk) this.#value(value, chunk.fit);
    }
    this.#moveTo(this.#show.width);
    this.#close();
    return this.#out.join(' ');
  }

  /** A number in the list moves the pen back, in thousandths of the size. */
  #moveTo(place: number): void {
    const { size, stretch } = this.#show;
    const back = ((this.#pen - place) / (size * stretch)) * 1000;
    const rounded = Math.round(back * 1000) / 1000;
    if (Math.abs(rounded) < 0.01) return;
    this.#open += `${decimal(rounded)} `;
    this.#pen -= (rounded / 1000) * size * stretch;
  }

  #close(): void {
    if (this.#open) this.#out.push(`[${this.#open.replaceAll('><', '')}] TJ`);
    this.#open = '';
  }

  #value(value: WrittenValue, fit: Fit): void {
    const { resource, size, stretch, spacing, wordSpacing } = this.#show;
    const scaled = size * fit.size;
    const change = fit.stretch !== 1 || fit.size !== 1 || value.kind === 'shaped';
    const start = this.#pen;
    if (change) this.#close();
    if (fit.stretch !== 1) this.#out.push(`${decimal(stretch * fit.stretch * 100)} Tz`);
    if (value.kind === 'own') {
      if (fit.size !== 1) this.#out.push(`/${resource} ${decimal(scaled)} Tf`);
      for (const { code, width } of value.pieces) this.#open += code === null ? `${-width} ` : `<${code}>`;
    } else {
      if (spacing !== 0 || wordSpacing !== 0) this.#out.push('0 Tc 0 Tw');
      for (const run of value.line.runs) {
        const show = `/${this.#fonts.add(run)} ${decimal(scaled)} Tf ${showGlyphs(run, scaled)}`;
        const text = utf16(run.text);
        this.#out.push(readsAsItIs(run) ? show : `/Span <</ActualText <feff${text}>>> BDC ${show} EMC`);
      }
      if (spacing !== 0 || wordSpacing !== 0)
        this.#out.push(`${decimal(spacing)} Tc ${decimal(wordSpacing)} Tw`);
    }
    if (change) this.#close();
    if (fit.stretch !== 1) this.#out.push(`${decimal(stretch * 100)} Tz`);
    if (fit.size !== 1 || value.kind === 'shaped') this.#out.push(`/${resource} ${decimal(size)} Tf`);
    this.#pen = start + widthOf(value, this.#show, fit) / this.#show.scale;
  }
}

/** A PDF knows no exponents. */
function decimal(value: number): string {
  return String(Number(value.toFixed(5)));
}
