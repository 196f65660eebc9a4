import { type PDF, PdfArray, PdfDict, PdfNumber, type PdfRef } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { checkExpansion } from './bounds.ts';
import { type Loaded, load } from './load.ts';
import { type PageTree, readPageTree, resolve } from './page-tree.ts';
import { checkNothingTwice, speaksOfEncryption } from './repair.ts';
import { checkWritten } from './rewritten-objects.ts';
import { readAgain } from './second-reader.ts';

/** A file as it can be sealed, and what kind it is. */
export interface Opened {
  readonly pdf: PDF;
  /** What the update is appended to: the file itself, or a repaired or unprotected copy of it. */
  readonly bytes: Uint8Array;
  readonly pages: PageTree;
  readonly kind: PdfKind;
  /** What the second reader sees of the document's pages, as a digest. */
  readonly shown: string;
}

export interface PdfKind {
  readonly pages: number;
  readonly encrypted: boolean;
  readonly signed: boolean;
  readonly form: boolean;
  /** Why the file must be written anew before anything can be appended to it. */
  readonly rewritten: 'damaged' | 'encrypted' | null;
}

/**
 * Reads an untrusted PDF. Call it in a process with limits: see `runner`.
 * @throws {PdfError} with fault `file`
 */
export async function openPdf(bytes: Uint8Array): Promise<Opened> {
  checkExpansion(bytes);
  const { pdf, sections } = await loadUnlocked(bytes);
  const pages = readPageTree(pdf);
  const form = formOf(pdf);
  if (form?.has('XFA')) throw new PdfError('xfa');
  const signed = hasSignature(pdf, form);
  if (signed && certifiedAgainstChanges(pdf, form)) throw new PdfError('certified');
  if (signed && !sections) throw new PdfError('damaged_signed');
  if (signed && pdf.isEncrypted) throw new PdfError('signed_encrypted');
  await using second = await readAgain(bytes);
  if (second.pages !== pages.count) throw new PdfError('damaged');
  const shown = await second.digest(pages.count, !sections || pdf.isEncrypted);
  const kind = { pages: pages.count, encrypted: pdf.isEncrypted, signed, form: form !== undefined };
  if (sections && !pdf.isEncrypted) {
    checkWritten(bytes, pdf, sections);
    return { pdf, bytes, pages, kind: { ...kind, rewritten: null }, shown };
  }
  if (!sections) checkNothingTwice(pdf, bytes);
  const rewritten = sections ? 'encrypted' : 'damaged';
  const copy = await rewrite(pdf);
  const again = await load(copy);
  if (!again.sections || again.pdf.isEncrypted) throw new PdfError('damaged');
  const written = {
    ...{ pdf: again.pdf, bytes: copy, pages: readPageTree(again.pdf), shown },
    kind: { ...kind, rewritten } as const,
  };
  await checkShown(copy, written, []);
  return written;
}

/** @throws {PdfError} not_pdf, password_needed; damaged for what would be repaired without its encryption */
async function loadUnlocked(bytes: Uint8Array): Promise<Loaded> {
  try {
    const loaded = await load(bytes);
    if (loaded.pdf.isEncrypted && !loaded.pdf.isAuthenticated) throw new PdfError('password_needed');
    if (loaded.sections || !speaksOfEncryption(bytes)) return loaded;
  } catch (error) {
    if (error instanceof PdfError && error.code !== 'not_pdf') throw error;
    if (!speaksOfEncryption(bytes)) throw error;
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
  { pages, shown, kind }: Pick<Opened, 'pages' | 'shown' | 'kind'>,
  added: readonly PdfRef[],
  field?: number,
): Promise<void> {
  await using second = await readAgain(written);
  if (second.pages !== pages.count + added.length) throw new PdfError('damaged');
  if ((await second.digest(pages.count, kind.rewritten !== null, field)) !== shown)
    throw new PdfError('damaged');
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

function formOf(pdf: PDF): PdfDict | undefined {
  const form = resolve(pdf, pdf.getCatalog().get('AcroForm'));
  return form instanceof PdfDict ? form : undefined;
}

/** Fields nest; more than these are no form that a person fills. */
const MOST_FIELDS = 50_000;

function hasSignature(pdf: PDF, form: PdfDict | undefined): boolean {
  for (const field of fieldsOf(pdf, form)) {
    if (field.getName('FT')?.value === 'Sig' && resolve(pdf, field.get('V')) instanceof PdfDict) return true;
  }
  return permissions(pdf)?.has('DocMDP') ?? false;
}

function* fieldsOf(pdf: PDF, form: PdfDict | undefined): Generator<PdfDict> {
  const waiting = [resolve(pdf, form?.get('Fields'))];
  const seen = new Set<unknown>();
  while (waiting.length > 0 && seen.size < MOST_FIELDS) {
    const next = waiting.pop();
    if (seen.has(next)) continue;
    seen.add(next);
    if (next instanceof PdfArray) waiting.push(...next.toArray().map((kid) => resolve(pdf, kid)));
    else if (next instanceof PdfDict) {
      yield next;
      waiting.push(resolve(pdf, next.get('Kids')));
    }
  }
}

function permissions(pdf: PDF): PdfDict | undefined {
  const perms = resolve(pdf, pdf.getCatalog().get('Perms'));
  return perms instanceof PdfDict ? perms : undefined;
}

/** A certifying signature, or the lock of a signed field, may allow no change at all (ISO 32000-2, 12.8.2.2, 12.7.5.5). */
function certifiedAgainstChanges(pdf: PDF, form: PdfDict | undefined): boolean {
  const signatures = [resolve(pdf, permissions(pdf)?.get('DocMDP'))];
  for (const field of fieldsOf(pdf, form)) {
    const value = resolve(pdf, field.get('V'));
    if (!(value instanceof PdfDict)) continue;
    signatures.push(value);
    const lock = resolve(pdf, field.get('Lock'));
    if (lock instanceof PdfDict && permits(pdf, lock) === 1) return true;
  }
  return signatures.some((signature) => {
    const references = signature instanceof PdfDict ? resolve(pdf, signature.get('Reference')) : undefined;
    if (!(references instanceof PdfArray)) return false;
    return references.toArray().some((reference) => {
      const dict = resolve(pdf, reference);
      if (!(dict instanceof PdfDict) || dict.getName('TransformMethod')?.value !== 'DocMDP') return false;
      const parameters = resolve(pdf, dict.get('TransformParams'));
      return parameters instanceof PdfDict && permits(pdf, parameters) === 1;
    });
  });
}

function permits(pdf: PDF, dict: PdfDict): number | undefined {
  const level = resolve(pdf, dict.get('P'));
  return level instanceof PdfNumber ? level.value : undefined;
}
