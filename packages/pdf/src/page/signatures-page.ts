import { type PDF, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import type { PageSize } from '../file/page-tree.ts';
import { cleanText } from '../text/clean.ts';
import { compressed, FontUses, numbers } from '../text/embed.ts';
import type { Choice, Fonts, Weight } from '../text/fonts.ts';
import { breakLines } from '../text/paragraph.ts';
import { Canvas, type Grey } from './canvas.ts';
import { type Act, METHODS, type SealedFacts } from './facts.ts';

interface Text {
  readonly text: string;
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
  readonly grey: Grey;
  readonly language?: string | undefined;
}

/** What stands together on a page, from top to bottom. */
type Item = { readonly label: Text; readonly value: Text } | { readonly title: Text } | { readonly rule: true };

/** Blank space in parts of the text's size. */
const LEADING = 1.4;
const [BLACK, DARK, PALE] = [0, 0.35, 0.8];

/** Pages that say who signed what and when, in the size of the document's own pages. */
export async function signaturesPages(pdf: PDF, size: PageSize, facts: SealedFacts, fonts: Fonts): Promise<PdfDict[]> {
  const sizes = sizesFor(size);
  const items = itemsOf(facts, sizes.body);
  const footer = (number: number, count: number) => text(`Signatures, page ${number} of ${count}`, sizes.body * 0.85, DARK);
  const texts = items.flatMap((item) => ('rule' in item ? [] : 'title' in item ? [item.title] : [item.label, item.value]));
  const choice = await fonts.load([...texts, text('Signatures, page of 0123456789', 1, 0)]);
  const uses = new FontUses();
  const canvases = flow(items, size, sizes, choice, uses);
  canvases.forEach((canvas, index) => {
    const { text: words, size: points, grey, weight } = footer(index + 1, canvases.length);
    const [line] = breakLines(words, weight, choice, points, size.width);
    if (line) canvas.text(line, sizes.margin, sizes.margin - points * 1.2, points, grey);
  });
  const resources = pdf.context.register(PdfDict.of({ Font: uses.embed(pdf) }));
  return canvases.map((canvas) =>
    PdfDict.of({
      Type: PdfName.of('Page'),
      MediaBox: numbers(0, 0, size.width, size.height),
      CropBox: numbers(0, 0, size.width, size.height),
      Rotate: PdfNumber.of(0),
      Resources: resources,
      Contents: pdf.context.register(compressed(canvas.content())),
    }),
  );
}

interface Sizes {
  readonly margin: number;
  readonly body: number;
}

function sizesFor({ width, height }: PageSize): Sizes {
  const short = Math.min(width, height);
  return { margin: clamp(short * 0.09, 16, 56), body: clamp(short * 0.0165, 6.5, 9.5) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function itemsOf(facts: SealedFacts, body: number): Item[] {
  const row = rowsOf(body);
  return [
    { title: text('Signatures', body * 1.9, BLACK, 600) },
    row('Document', facts.documentName),
    row('SHA-256 of the document', facts.sha256),
    ...(facts.sentBy ? [row('Sent by', facts.sentBy)] : []),
    row('Sent', timeOf(facts.sentAt)),
    ...facts.acts.flatMap((act) => itemsOfAct(act, body)),
    { rule: true },
    row('Sealed', timeOf(facts.sealedAt)),
    row(
      'About this page',
      'It was added when everyone had signed. The seal covers the document and this page: a reader of PDF files shows whether anything was changed since.',
    ),
  ];
}

function itemsOfAct(act: Act, body: number): Item[] {
  const row = rowsOf(body);
  return [
    { rule: true },
    { title: { ...text(cleanText(act.name), body * 1.35, BLACK), language: act.language } },
    ...(act.onBehalfOf ? [row('On behalf of', act.onBehalfOf)] : []),
    row('Name', act.nameVerified ? 'Matches a verified identity' : 'As the signer stated it, not verified'),
    row(act.action === 'signed' ? 'Signed' : 'Accepted', timeOf(act.at)),
    row('Confirmed by', METHODS[act.method]),
    ...(act.viewedAt === undefined ? [] : [row('First viewed', timeOf(act.viewedAt))]),
    ...(act.contentSha256 ? [row('SHA-256 of what was received', act.contentSha256)] : []),
  ];
}

function rowsOf(body: number): (label: string, value: string) => Item {
  return (label, value) => ({ label: text(label, body, DARK), value: text(cleanText(value), body, BLACK) });
}

function text(words: string, size: number, grey: Grey, weight: Weight = 400): Text {
  return { text: words, size, grey, weight };
}

/** @param at milliseconds */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Puts the items on as many pages as they need. A heading stays with the row under it. */
function flow(items: readonly Item[], size: PageSize, sizes: Sizes, choice: Choice, uses: FontUses): Canvas[] {
  const { margin } = sizes;
  const width = size.width - 2 * margin;
  const canvases: Canvas[] = [];
  let canvas = new Canvas(uses);
  let y = -1;
  const turn = () => {
    canvas = new Canvas(uses);
    canvases.push(canvas);
    y = size.height - margin;
  };
  const reserve = (height: number) => {
    if (y - height < margin) turn();
  };
  const lines = (part: Text, room: number) => breakLines(part.text, part.weight, choice, part.size, room);
  const put = (part: Text, shaped: ReturnType<typeof lines>, x: number, top: number) => {
    shaped.forEach((line, index) => {
      canvas.text(line, x, top - part.size * (1 + index * LEADING), part.size, part.grey);
    });
  };
  turn();
  for (const item of items) {
    if ('rule' in item) {
      reserve(sizes.body * LEADING * 4);
      if (y === size.height - margin) continue;
      y -= sizes.body * 0.9;
      canvas.rule(margin, y, width, PALE);
      y -= sizes.body * 0.9;
    } else if ('title' in item) {
      for (const line of lines(item.title, width)) {
        reserve(item.title.size * LEADING + sizes.body * LEADING);
        put(item.title, [line], margin, y);
        y -= item.title.size * LEADING;
      }
      y -= sizes.body * 0.3;
    } else {
      const indent = Math.min(width * 0.32, sizes.body * 17);
      const shaped = lines(item.value, width - indent);
      const label = lines(item.label, indent - sizes.body);
      const height = sizes.body * LEADING;
      for (let index = 0; index < Math.max(shaped.length, label.length); index++) {
        reserve(height);
        put(item.label, label.slice(index, index + 1), margin, y);
        put(item.value, shaped.slice(index, index + 1), margin + indent, y);
        y -= height;
      }
    }
  }
  return canvases;
}
