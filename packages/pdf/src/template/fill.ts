import { createHash } from 'node:crypto';
import { type PDF, PdfDict, PdfRef, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { openPdf } from '../file/open.ts';
import { type Page, pagesOf } from '../file/page-tree.ts';
import { cleanText } from '../text/clean.ts';
import { compressed, FontUses } from '../text/embed.ts';
import type { Fonts } from '../text/fonts.ts';
import { analyseTemplate } from './analyse.ts';
import type { FilledTemplate, TemplateProblem, TemplateValues, TooWide } from './analysis.ts';
import { fillFields } from './fill-fields.ts';
import { fitValues, ValueWriter, WHOLE, widthOf } from './fit.ts';
import { readFields } from './form-fields.ts';
import { drawImages, type PlacedImage } from './images.ts';
import { type ChunkPlan, PLAN_VERSION, type ShowPlan, type StreamPlan, type TemplatePlan } from './plan.ts';
import { type Content, dictOf, formContent, pageContent, resourcesOf } from './streams.ts';
import { type FilledChunk, writeStream } from './write-shows.ts';

export interface TemplateFilling extends TemplateValues {
  /** Of an earlier analysis. Without it, or with one of another file, the text is read again. */
  readonly plan?: TemplatePlan;
}

/** Characters of a value on one line: none that is longer would fit. */
const LONGEST = 2000;
/** Upper bound of the filled text, in bytes. */
const LARGEST = 64 << 20;

/**
 * Puts values in place of tags and into form fields; a tag without a value becomes blank.
 * @throws {PdfError} why the file cannot be filled: signed when that would break its signatures
 */
export async function fillTemplate(
  bytes: Uint8Array,
  filling: TemplateFilling,
  fonts: Fonts,
): Promise<FilledTemplate> {
  const { plan, problems } = await planFor(bytes, filling);
  const { pdf, kind } = await openPdf(bytes, 'before'); // by the analysis that made the plan
  if (kind.signed) throw new PdfError('signed');
  const filler = new Filler(pdf, filling, await ValueWriter.load(fonts, textsOf(filling.values)));
  for (const stream of plan.streams) filler.fill(stream, plan);
  filler.embedFonts(); // before the images: it takes the resources as the template had them
  drawImages(pdf, filler.pages, filler.images);
  const fields = kind.form ? await fillFields(pdf, readFields(pdf, filler.pages), filling.values, fonts) : [];
  const filled = await pdf.save({ incremental: true });
  if (filled.length > LARGEST) throw new PdfError('expands_too_far');
  return { bytes: filled, over: [...filler.over, ...fields], problems };
}

async function planFor(
  bytes: Uint8Array,
  { plan }: TemplateFilling,
): Promise<{ plan: TemplatePlan; problems: readonly TemplateProblem[] }> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (plan?.version === PLAN_VERSION && plan.sha256 === sha256) return { plan, problems: [] };
  return analyseTemplate(bytes);
}

function textsOf(values: TemplateValues['values']): string[] {
  return Object.values(values).map((value) => cleanText(value, LONGEST));
}

class Filler {
  readonly over: TooWide[] = [];
  readonly images: PlacedImage[] = [];
  readonly pages: readonly Page[];
  readonly #pdf: PDF;
  readonly #filling: TemplateFilling;
  readonly #writer: ValueWriter;
  readonly #fonts = new FontUses('Sym');
  readonly #resources: { owner: PdfDict; content: Content }[] = [];

  constructor(pdf: PDF, filling: TemplateFilling, writer: ValueWriter) {
    this.#pdf = pdf;
    this.#filling = filling;
    this.#writer = writer;
    this.pages = pagesOf(pdf);
  }

  fill(plan: StreamPlan, { fonts }: TemplatePlan): void {
    const page = this.pages[plan.page];
    if (!page) throw new PdfError('damaged');
    const chunks = new Map<number, FilledChunk>();
    for (const [index, chunk] of plan.chunks.entries()) {
      const filled = this.#fillChunk(index, chunk, plan, fonts);
      if (filled) chunks.set(index, filled);
    }
    const { owner, content, replace } = this.#target(plan, page);
    replace(writeStream(content.bytes, plan, chunks, this.#fonts));
    this.#resources.push({ owner, content });
  }

  /** Makes the fonts of values known where they are used. */
  embedFonts(): void {
    const embedded = this.#fonts.embed(this.#pdf);
    if (embedded.size === 0) return;
    for (const { owner, content } of this.#resources) {
      const resources = content.resources?.clone() ?? new PdfDict();
      const known = dictOf(this.#pdf, resources.get('Font'))?.clone() ?? new PdfDict();
      for (const [name, font] of embedded) known.set(name, font);
      resources.set('Font', known);
      owner.set('Resources', resources);
    }
  }

  #fillChunk(
    index: number,
    chunk: ChunkPlan,
    { shows, page }: StreamPlan,
    fonts: TemplatePlan['fonts'],
  ): FilledChunk | undefined {
    const written = chunk.parts.map((part, number) => {
      const show = shows.find(({ items }) => items.some((item) => isSlot(item, index, number)));
      const text = part.first ? this.#textOf(part.key) : '';
      const image = this.#filling.images?.[part.key];
      if (part.first && image && part.image) {
        this.images.push({ page, bytes: image, place: part.image, width: part.width + chunk.room });
      }
      return { show, value: show && text ? this.#writer.write(text, fonts[show.font]) : null };
    });
    if (written.every(({ show }) => show === undefined)) return undefined; // of another stream
    const values = written.filter((each): each is { show: ShowPlan; value: NonNullable<typeof each.value> } =>
      Boolean(each.value),
    );
    const fit = values.length > 0 ? fitValues(chunk, values) : WHOLE;
    if (fit.over) {
      for (const { key } of chunk.parts.filter((_, number) => written[number]?.value))
        this.over.push({ key, page: page + 1 });
    }
    const moved = [0];
    for (const [number, { width }] of chunk.parts.entries()) {
      const { value, show } = written[number] ?? {};
      const now = value && show ? widthOf(value, show, fit) : 0;
      moved.push((moved.at(-1) ?? 0) + now - width);
    }
    return { values: written.map(({ value }) => value), fit, moved };
  }

  #textOf(key: string): string {
    const { values } = this.#filling;
    return Object.hasOwn(values, key) ? cleanText(values[key] ?? '', LONGEST) : '';
  }

  #target({ form }: StreamPlan, page: Page) {
    if (form === null) {
      const content = pageContent(this.#pdf, page);
      const replace = (bytes: Uint8Array) => {
        page.dict.set('Contents', this.#pdf.context.register(compressed(bytes)));
      };
      return { owner: page.dict, content, replace };
    }
    const stream = this.#pdf.getObject(PdfRef.of(form, 0));
    if (!(stream instanceof PdfStream)) throw new PdfError('damaged');
    const content = formContent(this.#pdf, stream, resourcesOf(this.#pdf, page.lineage));
    return { owner: stream, content, replace: (bytes: Uint8Array) => stream.setData(bytes) };
  }
}

function isSlot(item: ShowPlan['items'][number], chunk: number, part: number): boolean {
  return 'part' in item && item.chunk === chunk && item.part === part;
}
