import { createHash } from 'node:crypto';
import type { PDF } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { openPdf } from '../file/open.ts';
import { type Page, pagesOf, shownBox } from '../file/page-tree.ts';
import type { ProblemCode, TemplateAnalysis, TemplateProblem, TemplateTag } from './analysis.ts';
import { type FoundTag, findTags } from './find-tags.ts';
import { readFields } from './form-fields.ts';
import type { Segment } from './geometry.ts';
import { type GlyphReader, openGlyphs } from './glyphs.ts';
import { layOut, type PageLayout } from './layout.ts';
import { type FontPlan, PLAN_VERSION, type StreamPlan } from './plan.ts';
import { type PageText, readShows, type Show, showsText } from './shows.ts';
import { pageContent } from './streams.ts';

/** More tags than a contract has. */
const MOST_TAGS = 2000;

/**
 * Finds what can be filled. Call it in a process with limits: see `runner`.
 * @throws {PdfError} why the file cannot be read
 */
export async function analyseTemplate(bytes: Uint8Array): Promise<TemplateAnalysis> {
  const { pdf, bytes: readable, kind } = await openPdf(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const pages = pagesOf(pdf);
  const analysis = new Analysis(pdf);
  const fields = kind.form ? readFields(pdf, pages) : [];
  if (kind.signed) analysis.report('signed', null);
  else await analysis.readPages(pages, readable);
  const { tags, problems, streams, fonts } = analysis;
  return {
    ...{ pages: pages.length, tags, fields: fields.map(({ described }) => described), problems },
    plan: { version: PLAN_VERSION, sha256, streams, fonts },
  };
}

interface LearntFont {
  readonly bold: boolean;
  readonly characters: Map<string, readonly [string, number]>;
}

class Analysis {
  readonly tags: TemplateTag[] = [];
  readonly problems: TemplateProblem[] = [];
  readonly streams: StreamPlan[] = [];
  readonly #characters = new Map<string, LearntFont>();
  readonly #used = new Set<string>();
  /** A form that is drawn on several pages is filled once. */
  readonly #forms = new Set<number>();
  readonly #pdf: PDF;

  constructor(pdf: PDF) {
    this.#pdf = pdf;
  }

  /** Of the fonts in which tags stand. */
  get fonts(): Record<string, FontPlan> {
    const used = [...this.#characters].filter(([key]) => this.#used.has(key));
    return Object.fromEntries(
      used.map(([key, { bold, characters }]) => [key, { bold, characters: Object.fromEntries(characters) }]),
    );
  }

  report(code: ProblemCode, page: number | null): void {
    const known = this.problems.some((each) => each.code === code && each.page === page);
    if (!known) this.problems.push({ code, page });
  }

  async readPages(pages: readonly Page[], bytes: Uint8Array): Promise<void> {
    let reader: GlyphReader | undefined;
    try {
      for (const [index, page] of pages.entries()) {
        const content = pageContent(this.#pdf, page);
        if (!showsText(this.#pdf, content)) continue;
        reader ??= await openGlyphs(bytes);
        try {
          const shown = await reader.read(index);
          const text = readShows(this.#pdf, content, shown);
          this.#learn(text);
          this.#readPage(index, page, text);
        } catch (error) {
          if (error instanceof PdfError && error.code === 'expands_too_far') throw error;
          this.report('text_unreadable', index + 1);
        }
      }
    } finally {
      await reader?.[Symbol.asyncDispose]();
    }
  }

  /** Which characters a font has: those that the file shows in it, and those that every reader knows of it. */
  #learn({ shows }: PageText): void {
    for (const { font, glyphs } of shows) {
      let learnt = this.#characters.get(font.key);
      if (!learnt) {
        const known = [...font.known].map(([text, { code, width }]) => [text, [hex(code), width]] as const);
        learnt = { bold: font.bold, characters: new Map(known) };
        this.#characters.set(font.key, learnt);
      }
      for (const { text, code, own } of glyphs) {
        if (!learnt.characters.has(text) && Array.from(text).length === 1)
          learnt.characters.set(text, [code, own]);
      }
    }
  }

  #readPage(index: number, page: Page, text: PageText): void {
    const number = index + 1;
    const found = findTags(text.shows).filter((tag) => this.#canFill(tag, text, number));
    const rest = MOST_TAGS - this.tags.length;
    if (found.length > rest) this.report('too_many_tags', null);
    const layout = layOut(text, found.slice(0, rest), borderOf(this.#pdf, page));
    this.tags.push(...layout.tags.map((tag) => ({ ...tag, page: number })));
    this.#plan(index, text, layout);
  }

  /** A form is filled once, where it is drawn first. */
  #canFill({ glyphs }: FoundTag, { shows }: PageText, page: number): boolean {
    const own = glyphs.map(({ show }) => shows[show]).filter((show) => show !== undefined);
    const [first] = own;
    if (!first || (first.form !== null && this.#forms.has(first.form))) return false;
    if (shows.some(({ form, drawing }) => form === first.form && drawing < first.drawing)) return false;
    if (own.some(({ font }) => font.vertical)) this.report('text_vertical', page);
    else if (own.some(({ size, stretch }) => size * stretch <= 0)) this.report('text_unreadable', page);
    else return true;
    return false;
  }

  #plan(page: number, { shows }: PageText, layout: PageLayout): void {
    const touched = [...layout.shows].flatMap(([index, plan]) => {
      const show = shows[index];
      return show ? [{ show, plan }] : [];
    });
    for (const [form, own] of Map.groupBy(touched, ({ show }) => show.form)) {
      if (form !== null) this.#forms.add(form);
      for (const { plan } of own) this.#used.add(plan.font);
      const cuts = cutsOf(own.map(({ show }) => show));
      const plans = own.map(({ plan }) => plan).sort((a, b) => a.start - b.start);
      this.streams.push({ page, form, chunks: layout.chunks, shows: plans, cuts });
    }
  }
}

function cutsOf(shows: readonly Show[]): (readonly [number, number])[] {
  const cuts = new Map(shows.flatMap(({ replacements }) => replacements).map((cut) => [cut[0], cut]));
  return [...cuts.values()];
}

function borderOf(pdf: PDF, page: Page): Segment[] {
  const [left, bottom, right, top] = shownBox(pdf, page);
  return [
    [left, bottom, right, bottom],
    [right, bottom, right, top],
    [right, top, left, top],
    [left, top, left, bottom],
  ];
}

function hex(code: number): string {
  return code.toString(16).padStart(2, '0');
}
