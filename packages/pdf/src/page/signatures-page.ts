import { type PDF, PdfDict, PdfName, PdfNumber } from '@libpdf/core';
import type { PageSize } from '../file/page-tree.ts';
import { cleanText } from '../text/clean.ts';
import { compressed, FontUses, numbers } from '../text/embed.ts';
import type { Fonts, Weight } from '../text/fonts.ts';
import type { Grey } from './canvas.ts';
import { type Act, METHODS, type SealedFacts } from './facts.ts';
import { type Block, broken, type Frame, flow, type Item, type Text } from './flow.ts';

const [BLACK, DARK] = [0, 0.35];
/** The size of the footer, in parts of the text's size. */
const FOOTER = 0.85;

/**
 * Pages that say who signed what and when, in the size of the document's own pages.
 * @param attachment the name of the attached file when the document is not these pages' own file
 */
export async function signaturesPages(
  pdf: PDF,
  size: PageSize,
  facts: SealedFacts,
  fonts: Fonts,
  attachment?: string,
): Promise<PdfDict[]> {
  const frame = frameFor(size);
  const blocks = blocksOf(facts, frame.body, attachment);
  const texts = blocks.flat().flatMap((item) => ('title' in item ? [item.title] : [item.label, item.value]));
  const choices = await fonts.load([...texts, footer('Signatures, page of 0123456789/', frame)]);
  const uses = new FontUses();
  const canvases = flow(blocks, frame, choices, uses);
  canvases.forEach((canvas, index) => {
    const place = [index + 1, canvases.length];
    const words = [`Signatures, page ${place.join(' of ')}`, place.join('/')].map((line) =>
      footer(line, frame),
    );
    const fitting = words.map((line) => broken(line, size.width - frame.margin, choices));
    const [line] = fitting.find(({ length }) => length === 1) ?? [];
    if (line) canvas.text(line, frame.margin, frame.margin * 0.5, frame.body * FOOTER, DARK);
  });
  const resources = pdf.context.register(PdfDict.of({ Font: pdf.context.register(uses.embed(pdf)) }));
  return canvases.map((canvas) => {
    const page = pageOf(size);
    page.set('Resources', resources);
    page.set('Contents', pdf.context.register(compressed(canvas.content())));
    return page;
  });
}

/** A page with nothing on it. */
export function pageOf(size: PageSize): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('Page'),
    MediaBox: numbers(0, 0, size.width, size.height),
    CropBox: numbers(0, 0, size.width, size.height),
    Rotate: PdfNumber.of(0),
    Resources: PdfDict.of({}),
  });
}

function frameFor(size: PageSize): Frame {
  const short = Math.min(size.width, size.height);
  return { size, margin: clamp(short * 0.09, 16, 56), body: clamp(short * 0.0165, 6.5, 9.5) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function blocksOf(facts: SealedFacts, body: number, attachment: string | undefined): Block[] {
  const row = rowsOf(body);
  const head = [
    { title: text('Signatures', body * 1.9, BLACK, 600) },
    row('Document', facts.documentName),
    ...(attachment ? [row('Attached as', attachment)] : []),
    row('SHA-256', facts.sha256),
    ...(facts.sentBy ? [row('Sent by', facts.sentBy)] : []),
    row('Sent', timeOf(facts.sentAt)),
  ];
  const foot = [
    row('Sealed', timeOf(facts.sealedAt)),
    row(
      'About the seal',
      attachment
        ? 'The document carried signatures before it was sent, which a page added to it would break. It is attached as it was, with its own seal. The seal on this page covers both: a reader of PDF files shows whether anything was changed since.'
        : 'This page was added when everyone had signed. The seal covers the document and this page: a reader of PDF files shows whether anything was changed since.',
    ),
  ];
  return [head, ...facts.acts.map((act) => blockOf(act, body)), foot];
}

function blockOf(act: Act, body: number): Block {
  const row = rowsOf(body);
  return [
    { title: { ...text(cleanText(act.name) || '–', body * 1.35, BLACK), language: act.language } },
    ...(act.onBehalfOf ? [row('On behalf of', act.onBehalfOf)] : []),
    row('Name', act.nameVerified ? 'Matches a verified identity' : 'As the signer stated it, not verified'),
    ...(act.viewedAt === undefined ? [] : [row('First viewed', timeOf(act.viewedAt))]),
    row(act.action === 'signed' ? 'Signed' : 'Accepted', timeOf(act.at)),
    ...(act.method ? [row('Confirmed by', METHODS[act.method])] : []),
    ...(act.contentSha256 ? [row('SHA-256 of the copy', act.contentSha256)] : []),
  ];
}

function rowsOf(body: number): (label: string, value: string) => Item {
  return (label, value) => ({ label: text(label, body, DARK), value: text(cleanText(value), body, BLACK) });
}

function text(words: string, size: number, grey: Grey, weight: Weight = 400): Text {
  return { text: words, size, grey, weight };
}

function footer(words: string, { body }: Frame): Text {
  return text(words, body * FOOTER, DARK);
}

/** @param at milliseconds */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
