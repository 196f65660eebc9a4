import type { PDF, PdfRef } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { latin1Of } from '../latin1.ts';
import { checkExpansion } from './bounds.ts';
import { closureOf } from './closure.ts';
import { checkSameForAll, type PdfWarning, partsOf, warningsOf } from './contents.ts';
import { certifiedAgainstChanges, hasSignature, looseWidgets } from './fields.ts';
import { inflate } from './inflate.ts';
import { type Loaded, load } from './load.ts';
import { dictAt } from './objects.ts';
import { type PageTree, readPageTree } from './page-tree.ts';
import { speaksOfEncryption } from './repair.ts';
import { type Passed, readAgain } from './second-reader.ts';
import { readDrawn } from './strict/index.ts';
import { checkedAround, checkStructure } from './structure.ts';

/** A file as it can be sealed, and what kind it is. */
export interface Opened {
  readonly pdf: PDF;
  /** What the update is appended to: the file itself, or a repaired or unprotected copy of it. */
  readonly bytes: Uint8Array;
  readonly pages: PageTree;
  readonly kind: PdfKind;
  /** What the second reader sees of the document's pages, as a digest; empty where they were compared before. */
  readonly shown: string;
  /** Widgets that are passed over in that digest. */
  readonly loose: readonly Passed[];
}

export interface PdfKind {
  readonly pages: number;
  readonly encrypted: boolean;
  readonly signed: boolean;
  readonly form: boolean;
  /** What the file holds beside its pages. */
  readonly warnings: readonly PdfWarning[];
  /** Why the file must be rewritten before anything can be appended to it. */
  readonly rewritten: 'damaged' | 'encrypted' | null;
}

/**
 * When the pages that the second reader sees are compared with those of the file that is written:
 * - `now`: the copy, where the file must be rewritten; a template, whose fields are filled before anybody sees them
 * - `later`: the caller compares what it writes, by {@link checkShown}, which finds what the copy changed too
 * - `before`: this very file was opened already; no digest of what it shows is made
 */
export type Comparison = 'now' | 'later' | 'before';

/**
 * Reads an untrusted PDF. Call it in a process with limits: see `runner`.
 * @throws {PdfError} with fault `file`
 */
export async function openPdf(bytes: Uint8Array, comparison: Comparison = 'now'): Promise<Opened> {
  checkExpansion(bytes);
  const loaded = await loadUnlocked(bytes);
  const { pdf, sections } = loaded;
  const pages = readPageTree(pdf);
  const rewritten = pdf.isEncrypted ? 'encrypted' : sections ? null : 'damaged';
  const kind = checkedAround(loaded, pages, () => kindOf(pdf, pages, rewritten, comparison));
  await using second = await readAgain(bytes);
  if (second.pages !== pages.count) throw new PdfError('damaged');
  const loose = looseWidgets(pdf, pages.all);
  const shown = comparison === 'before' ? '' : await second.digest(pages.count, rewritten !== null, loose);
  if (sections && rewritten === null) {
    return { pdf, bytes, pages, kind, shown, loose };
  }
  const copy = await rewrite(pdf);
  const again = await load(copy);
  if (!again.sections || again.pdf.isEncrypted) throw new PdfError('damaged');
  const pagesOfCopy = readPageTree(again.pdf);
  checkStructure(again, pagesOfCopy);
  const written = {
    ...{ pdf: again.pdf, bytes: copy, pages: pagesOfCopy, kind, shown },
    loose: looseWidgets(again.pdf, pagesOfCopy.all),
  };
  if (comparison === 'now') await checkShown(copy, written, []);
  return written;
}

/** @throws {PdfError} xfa, layers, ambiguous, certified, damaged_signed, signed_encrypted, expands_too_far */
function kindOf(
  pdf: PDF,
  { all: pages, count }: PageTree,
  rewritten: PdfKind['rewritten'],
  comparison: Comparison,
): PdfKind {
  const form = dictAt(pdf, pdf.getCatalog(), 'AcroForm');
  checkSameForAll(pdf);
  const parts = partsOf(pdf, pages);
  const signed = hasSignature(pdf, parts.fields);
  if (signed && certifiedAgainstChanges(pdf, parts.fields)) throw new PdfError('certified');
  if (signed && rewritten === 'damaged') throw new PdfError('damaged_signed');
  if (signed && rewritten === 'encrypted') throw new PdfError('signed_encrypted');
  const drawn = comparison === 'before' ? undefined : readDrawn(pdf, pages, inflate, comparison === 'now');
  const warnings = warningsOf(pdf, parts, drawn);
  return { pages: count, encrypted: pdf.isEncrypted, signed, form: form !== undefined, warnings, rewritten };
}

/** @throws {PdfError} not_pdf, password_needed; damaged for what would be repaired without its encryption */
async function loadUnlocked(bytes: Uint8Array): Promise<Loaded> {
  try {
    const loaded = await load(bytes);
    if (loaded.pdf.isEncrypted && !loaded.pdf.isAuthenticated) throw new PdfError('password_needed');
    if (loaded.sections || !speaksOfEncryption(loaded.text)) return loaded;
  } catch (error) {
    if (error instanceof PdfError && error.code !== 'not_pdf') throw error;
    if (!speaksOfEncryption(latin1Of(bytes))) throw error;
  }
  await using second = await readAgain(bytes); // It tells whether a password is what it takes.
  throw new PdfError('damaged', { cause: new Error(`The second reader finds ${second.pages} pages`) });
}

/**
 * Compares what the second reader sees of a file that was written with what it saw before.
 * @param added references to the pages behind those of the document
 * @param field the object of the seal's field, when it is on the first page
 * @throws {PdfError} damaged
 */
export async function checkShown(
  written: Uint8Array,
  { pdf, pages, shown, kind, loose }: Pick<Opened, 'pdf' | 'pages' | 'shown' | 'kind' | 'loose'>,
  added: readonly PdfRef[],
  field?: number,
): Promise<void> {
  await using second = await readAgain(written);
  if (second.pages !== pages.count + added.length) throw new PdfError('damaged');
  const passed = field === undefined ? loose : [...loose, { page: 0, number: field }];
  if ((await second.digest(pages.count, kind.rewritten !== null, passed)) !== shown)
    throw new PdfError('damaged');
  if (loose.length > 0) {
    const numbers = loose.map(({ number }) => number);
    const { pdf: after } = await load(written);
    if (closureOf(after, numbers) !== closureOf(pdf, numbers)) throw new PdfError('damaged');
  }
  for (const [index, { objectNumber }] of added.entries()) {
    if ((await second.pageNumber(pages.count + index)) !== objectNumber) throw new PdfError('damaged');
  }
}

async function rewrite(pdf: PDF): Promise<Uint8Array> {
  if (pdf.isEncrypted) {
    if (!pdf.getPermissions().modify) throw new PdfError('changes_forbidden');
    pdf.removeProtection();
  }
  pdf.getCatalog().dirty = true; // without a change the library gives the same bytes back
  return pdf.save({ compressStreams: false }); // streams stay as they are
}
