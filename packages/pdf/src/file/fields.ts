import { type PDF, PdfArray, PdfDict, PdfRef } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { dictAt, dictsAt, nameAt, numberAt } from './objects.ts';
import type { Page } from './page-tree.ts';
import { resolve } from './page-tree.ts';

/** Fields nest; more than these are no form that a person fills. */
const MOST_FIELDS = 50_000;
/** Fields under fields. */
const DEEPEST = 32;

/** A field or its widget, with what it inherits. */
export interface Field {
  readonly dict: PdfDict;
  /** `Tx`, `Btn`, `Ch`, `Sig`. */
  readonly type: string | undefined;
  readonly flags: number;
  readonly value: unknown;
}

/**
 * The fields of the form, and those that only a page knows. What a field inherits is read along its parents (ISO 32000-2,
 * 12.7.4.1).
 */
export function fieldsOf(pdf: PDF, form: PdfDict | undefined, widgets: readonly PdfDict[]): Field[] {
  const found = new Map<PdfDict, Field>();
  const waiting = [...dictsAt(pdf, form, 'Fields'), ...widgets];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (found.has(next)) continue;
    if (found.size === MOST_FIELDS)
      throw new PdfError('damaged', { cause: new Error('There are too many fields') });
    const value = resolve(pdf, inherited(pdf, next, 'V'));
    found.set(next, {
      dict: next,
      type: nameAt(pdf, ownerOf(pdf, next, 'FT'), 'FT'),
      flags: numberAt(pdf, ownerOf(pdf, next, 'Ff'), 'Ff') ?? 0,
      value,
    });
    waiting.push(...dictsAt(pdf, next, 'Kids'));
  }
  return [...found.values()];
}

/** The annotations of all pages. */
export function annotationsOf(pdf: PDF, pages: readonly Page[]): PdfDict[] {
  return pages.flatMap(({ dict }) => dictsAt(pdf, dict, 'Annots'));
}

/**
 * Widgets of a file whose form lists no field. The second reader makes fields of them, until the form has the seal's, so its digests
 * leave them out: they are compared with all that they lead to instead.
 */
export function looseWidgets(pdf: PDF, pages: readonly Page[]): { page: number; number: number }[] {
  if (dictsAt(pdf, dictAt(pdf, pdf.getCatalog(), 'AcroForm'), 'Fields').length > 0) return [];
  return pages.flatMap(({ dict }, page) => {
    const list = resolve(pdf, dict.get('Annots'));
    if (!(list instanceof PdfArray)) return [];
    return list.toArray().flatMap((ref) => {
      const annotation = ref instanceof PdfRef ? resolve(pdf, ref) : undefined;
      const isLoose = annotation instanceof PdfDict && isWidget(pdf, annotation);
      return isLoose && ref instanceof PdfRef ? { page, number: ref.objectNumber } : [];
    });
  });
}

export function isWidget(pdf: PDF, annotation: PdfDict): boolean {
  return nameAt(pdf, annotation, 'Subtype') === 'Widget';
}

function inherited(pdf: PDF, field: PdfDict, key: string) {
  return ownerOf(pdf, field, key)?.get(key);
}

function ownerOf(pdf: PDF, field: PdfDict, key: string): PdfDict | undefined {
  let owner: PdfDict | undefined = field;
  for (let step = 0; owner && step < DEEPEST; step++) {
    if (owner.has(key)) return owner;
    owner = dictAt(pdf, owner, 'Parent');
  }
  return undefined;
}

export function hasSignature(pdf: PDF, fields: readonly Field[]): boolean {
  const isSigned = fields.some(({ type, value }) => type === 'Sig' && value instanceof PdfDict);
  return isSigned || (permissions(pdf)?.has('DocMDP') ?? false);
}

function permissions(pdf: PDF): PdfDict | undefined {
  return dictAt(pdf, pdf.getCatalog(), 'Perms');
}

/** A certifying signature, or the lock of a signed field, may allow no change at all (ISO 32000-2, 12.8.2.2, 12.7.5.5). */
export function certifiedAgainstChanges(pdf: PDF, fields: readonly Field[]): boolean {
  const signatures = [dictAt(pdf, permissions(pdf), 'DocMDP')];
  for (const { dict, value } of fields) {
    if (!(value instanceof PdfDict)) continue;
    signatures.push(value);
    if (numberAt(pdf, dictAt(pdf, dict, 'Lock'), 'P') === 1) return true;
  }
  return signatures.some((signature) =>
    dictsAt(pdf, signature, 'Reference').some(
      (reference) =>
        nameAt(pdf, reference, 'TransformMethod') === 'DocMDP' &&
        numberAt(pdf, dictAt(pdf, reference, 'TransformParams'), 'P') === 1,
    ),
  );
}
