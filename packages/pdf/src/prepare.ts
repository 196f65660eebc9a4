import { createHash } from 'node:crypto';
import { PDF, PdfDict, PdfName } from '@libpdf/core';
import { bufferOf } from './buffer.ts';
import { PdfError } from './errors.ts';
import { load } from './file/load.ts';
import { checkShown, type Opened, openPdf, type PdfKind } from './file/open.ts';
import { appendPages, type PageSize, readPageTree, sizeBeside } from './file/page-tree.ts';
import type { SealedFacts } from './page/facts.ts';
import { pageOf, signaturesPages } from './page/signatures-page.ts';
import { writeFacts } from './page/stated-facts.ts';
import { prepareSignature } from './sign/container.ts';
import type { Prepared, ValidationData } from './sign/prepared.ts';
import { cleanText } from './text/clean.ts';
import type { Fonts } from './text/fonts.ts';

export interface SealWish {
  readonly facts: SealedFacts;
  /** Bytes for the signature. */
  readonly room: number;
  readonly validation?: ValidationData;
}

export interface PreparedSeal extends Prepared {
  readonly kind: PdfKind;
  /** Of the pages of signatures. */
  readonly size: PageSize;
}

/** Makes the pages of signatures, in the size of the document's own. */
type Draw = (pdf: PDF, size: PageSize) => PdfDict[] | Promise<PdfDict[]>;

/**
 * Adds the pages of signatures and an empty signature. A file that is signed already gets the signature alone, because a
 * page would break the signatures that it has: {@link prepareCover} makes the page for it.
 * @throws {PdfError} digest_mismatch, or why the file cannot be sealed
 */
export function prepareSeal(bytes: Uint8Array, wish: SealWish, fonts: Fonts): Promise<PreparedSeal> {
  return prepare(bytes, wish, (pdf, size) => signaturesPages(pdf, size, wish.facts, fonts));
}

async function prepare(bytes: Uint8Array, wish: SealWish, draw: Draw): Promise<PreparedSeal> {
  if (sha256(bytes) !== wish.facts.sha256) throw new PdfError('digest_mismatch');
  const opened = await openPdf(bytes, 'later');
  const size = sizeBeside(opened.pdf, opened.pages.last);
  const original = opened.kind.rewritten ? null : { from: 0, length: bytes.length };
  const added = opened.kind.signed ? [] : addPages(opened, await draw(opened.pdf, size));
  const { field, ...prepared } = await prepareSignature({
    pdf: opened.pdf,
    base: opened.bytes,
    page: added[0] ?? opened.pages.first,
    at: wish.facts.sealedAt,
    room: wish.room,
    facts: writeFacts({ facts: wish.facts, original }),
    validation: wish.validation,
    certify: !opened.kind.signed,
  });
  const refs = added.map(({ ref }) => ref);
  await checkShown(Buffer.concat([opened.bytes, prepared.tail]), opened, refs, field);
  return { ...prepared, rewritten: opened.kind.rewritten ? opened.bytes : null, kind: opened.kind, size };
}

/** What {@link inspect} finds. */
export interface Inspected extends PdfKind {
  /** How many of the first pages two readers of different makes drew alike. */
  readonly drawn: number;
}

/**
 * Prepares a seal with an empty page and throws it away: a file that this takes can be sealed once everybody has signed. Then
 * draws its pages with two readers, which sealing does not.
 * @throws {PdfError} why the file cannot be sealed, or should not be signed
 */
export async function inspect(bytes: Uint8Array): Promise<Inspected> {
  const facts = { documentName: '', sha256: sha256(bytes), sentAt: 0, sealedAt: 0, acts: [] };
  const { kind } = await prepare(bytes, { facts, room: 0 }, (_, size) => [pageOf(size)]);
  const { compareDrawings } = await import('./drawn/index.ts');
  return { ...kind, drawn: await compareDrawings(bytes) };
}

/** A PDF of pages of signatures, with the sealed original as an attachment. @param length of the file that was signed */
export async function prepareCover(
  sealedOriginal: Uint8Array,
  length: number,
  size: PageSize,
  wish: SealWish,
  fonts: Fonts,
): Promise<Prepared> {
  const name = `${
    cleanText(wish.facts.documentName)
      .replaceAll(/[\\/:*?"<>|]/g, ' ')
      .slice(0, 100) || 'document'
  }.pdf`;
  const cover = await coverOf(sealedOriginal, name, size, wish.facts, fonts);
  const from = bufferOf(cover).indexOf(sealedOriginal);
  if (from === -1) throw new Error('The attachment is not in the file as it is');
  const { pdf } = await load(cover);
  const { field: _, ...prepared } = await prepareSignature({
    pdf,
    base: cover,
    page: readPageTree(pdf).first,
    at: wish.facts.sealedAt,
    room: wish.room,
    facts: writeFacts({ facts: wish.facts, original: { from, length } }),
    validation: wish.validation,
    certify: true,
  });
  return { ...prepared, rewritten: cover };
}

async function coverOf(
  attachment: Uint8Array,
  name: string,
  size: PageSize,
  facts: SealedFacts,
  fonts: Fonts,
) {
  const pdf = PDF.create();
  const rootRef = pdf.getCatalog().getRef('Pages');
  const root = rootRef && pdf.getObject(rootRef);
  if (!rootRef || !(root instanceof PdfDict)) throw new Error('A new PDF has no root of its pages');
  appendPages(pdf, { root, rootRef, count: 0 }, await signaturesPages(pdf, size, facts, fonts, name));
  pdf.addAttachment(name, attachment, { mimeType: 'application/pdf', description: 'The signed document' });
  pdf.getCatalog().set('PageMode', PdfName.of('UseAttachments'));
  return pdf.save({ compressStreams: false }); // so that the attachment stays as it is
}

function addPages(opened: Opened, pages: readonly PdfDict[]) {
  const refs = appendPages(opened.pdf, opened.pages, pages);
  return pages.flatMap((dict, index) => {
    const ref = refs[index];
    return ref ? [{ ref, dict }] : [];
  });
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
