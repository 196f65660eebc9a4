import { PDF, PdfArray, PdfDict, PdfNumber } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { checkExpansion } from './bounds.ts';
import { type PageTree, readPageTree, resolve } from './page-tree.ts';

/** A file as it can be sealed, and what kind it is. */
export interface Opened {
  readonly pdf: PDF;
  /** What the update is appended to: the file itself, or a repaired or unprotected copy of it. */
  readonly bytes: Uint8Array;
  readonly pages: PageTree;
  readonly kind: PdfKind;
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
  const pdf = await load(bytes);
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new PdfError('password_needed');
  const pages = readPageTree(pdf);
  const form = formOf(pdf);
  if (form?.has('XFA')) throw new PdfError('xfa');
  const signed = hasSignature(pdf, form);
  if (signed && certifiedAgainstChanges(pdf, form)) throw new PdfError('certified');
  const rewritten = reasonToRewrite(pdf, bytes);
  if (signed && rewritten === 'damaged') throw new PdfError('damaged_signed');
  if (signed && rewritten === 'encrypted') throw new PdfError('signed_encrypted');
  const kind = {
    pages: pages.count,
    encrypted: pdf.isEncrypted,
    signed,
    form: form !== undefined,
    rewritten,
  };
  if (!rewritten) return { pdf, bytes, pages, kind };
  const copy = await rewrite(pdf);
  const again = await load(copy);
  if (reasonToRewrite(again, copy)) throw new PdfError('damaged');
  const pagesOfCopy = readPageTree(again);
  if (pagesOfCopy.count !== pages.count) throw new PdfError('damaged');
  return { pdf: again, bytes: copy, pages: pagesOfCopy, kind };
}

async function load(bytes: Uint8Array): Promise<PDF> {
  try {
    return await PDF.load(bytes);
  } catch (cause) {
    throw new PdfError('not_pdf', { cause });
  }
}

function reasonToRewrite(pdf: PDF, bytes: Uint8Array): PdfKind['rewritten'] {
  if (pdf.isEncrypted) return 'encrypted';
  const startsRight = bytes[0] === 0x25 && bytes[1] === 0x50; // offsets count from the header: %P
  return pdf.recoveredViaBruteForce || !startsRight ? 'damaged' : null;
}

async function rewrite(pdf: PDF): Promise<Uint8Array> {
  if (pdf.isEncrypted) {
    if (!pdf.getPermissions().modify) throw new PdfError('changes_forbidden');
    pdf.removeProtection();
  }
  pdf.getCatalog().dirty = true; // without a change the library gives the same bytes back
  return pdf.save();
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
