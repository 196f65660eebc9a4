import { createHash, randomBytes } from 'node:crypto';
import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import { bufferOf } from '../buffer.ts';
import { PdfError } from '../errors.ts';
import { type Page, resolve } from '../file/page-tree.ts';
import type { Prepared, ValidationData } from './prepared.ts';

interface Wish {
  readonly pdf: PDF;
  /** The bytes that `pdf` was read from. */
  readonly base: Uint8Array;
  /** Where the invisible widget of the signature goes. */
  readonly page: Pick<Page, 'ref' | 'dict'>;
  /** Milliseconds. */
  readonly at: number;
  /** Bytes for the signature. */
  readonly room: number;
  /** Goes into the signature's dictionary, under the signature: see `verify`. */
  readonly facts: string;
  readonly validation?: ValidationData | undefined;
  /** Forbids every later change but those of validation (DocMDP). Only the first signature of a file may. */
  readonly certify: boolean;
}

const UNKNOWN = 9_999_999_999;
const RANGE = `/ByteRange [0 ${UNKNOWN} ${UNKNOWN} ${UNKNOWN}]`;

/**
 * Writes the update with all that was changed in `pdf`, and an empty signature over the whole.
 * @returns with the object number of the signature's field
 */
export async function prepareSignature(
  wish: Wish,
): Promise<Omit<Prepared, 'rewritten'> & { readonly field: number }> {
  const { pdf, base } = wish;
  const signature = pdf.context.register(signatureDictionary(wish));
  const field = addField(pdf, wish.page, signature);
  if (wish.certify) certify(pdf, signature);
  if (wish.validation) addValidationData(pdf, wish.validation);
  const bytes = await pdf.save({ incremental: true });
  const written = bufferOf(bytes);
  if (written.length <= base.length || written.compare(base, 0, base.length, 0, base.length) !== 0) {
    throw new PdfError('damaged'); // The library fell back to writing the file again.
  }
  return { ...fillRange(written, base.length, wish.room), field: field.objectNumber };
}

function signatureDictionary({ at, room, facts, certify }: Wish): PdfDict {
  const dict = PdfDict.of({
    Type: PdfName.of('Sig'),
    Filter: PdfName.of('Adobe.PPKLite'),
    SubFilter: PdfName.of('ETSI.CAdES.detached'),
    M: PdfString.fromString(pdfDate(at)),
    ByteRange: new PdfArray([0, UNKNOWN, UNKNOWN, UNKNOWN].map(PdfNumber.of)),
    Contents: new PdfString(new Uint8Array(room), 'hex'),
    SymbolonSeal: new PdfString(Buffer.from(facts, 'utf8'), 'hex'),
  });
  if (certify) dict.set('Reference', new PdfArray([noChanges()]));
  return dict;
}

/** ISO 32000-2, 12.8.2.2: no changes are permitted. */
function noChanges(): PdfDict {
  return PdfDict.of({
    Type: PdfName.of('SigRef'),
    TransformMethod: PdfName.of('DocMDP'),
    TransformParams: PdfDict.of({
      Type: PdfName.of('TransformParams'),
      P: PdfNumber.of(1),
      V: PdfName.of('1.2'),
    }),
  });
}

function certify(pdf: PDF, signature: PdfRef): void {
  const catalog = pdf.getCatalog();
  const existing = resolve(pdf, catalog.get('Perms'));
  const permissions = existing instanceof PdfDict ? existing.clone() : new PdfDict();
  permissions.set('DocMDP', signature);
  catalog.set('Perms', permissions);
}

function addField(pdf: PDF, page: Pick<Page, 'ref' | 'dict'>, signature: PdfRef): PdfRef {
  const field = pdf.context.register(
    PdfDict.of({
      Type: PdfName.of('Annot'),
      Subtype: PdfName.of('Widget'),
      FT: PdfName.of('Sig'),
      T: PdfString.fromString(`Seal-${randomBytes(6).toString('hex')}`),
      V: signature,
      F: PdfNumber.of(132), // printed and locked
      Rect: new PdfArray([0, 0, 0, 0].map(PdfNumber.of)),
      P: page.ref,
    }),
  );
  append(pdf, page.dict, 'Annots', field);
  const catalog = pdf.getCatalog();
  const existing = resolve(pdf, catalog.get('AcroForm'));
  const form = existing instanceof PdfDict ? existing : new PdfDict();
  append(pdf, form, 'Fields', field);
  form.set('SigFlags', PdfNumber.of(3)); // signatures exist, append only
  // A form inside the catalog becomes an object, so that only what changes is rewritten.
  if (!catalog.getRef('AcroForm')) catalog.set('AcroForm', pdf.context.register(form));
  return field;
}

/** A new list, so that a list behind a reference that others share stays as it is. */
function append(pdf: PDF, dict: PdfDict, key: string, value: PdfRef): void {
  const list = resolve(pdf, dict.get(key));
  dict.set(key, new PdfArray([...(list instanceof PdfArray ? list.toArray() : []), value]));
}

/** The document security store, in the same update as the signature, so that the signature covers the whole file. */
function addValidationData(pdf: PDF, data: ValidationData): void {
  const streams = (all: readonly Uint8Array[]) =>
    new PdfArray(all.map((der) => pdf.context.register(new PdfStream([], der))));
  const existing = resolve(pdf, pdf.getCatalog().get('DSS'));
  const store = existing instanceof PdfDict ? existing.clone() : new PdfDict();
  for (const [key, all] of [
    ['Certs', data.certificates],
    ['OCSPs', data.ocsps],
    ['CRLs', data.crls],
  ] as const) {
    const before = resolve(pdf, store.get(key));
    const merged = [...(before instanceof PdfArray ? before.toArray() : []), ...streams(all).toArray()];
    if (merged.length > 0) store.set(key, new PdfArray(merged));
  }
  pdf.getCatalog().set('DSS', pdf.context.register(store));
}

/** Says what the signature covers, in place of numbers of the same length. */
function fillRange(written: Buffer, start: number, room: number): Omit<Prepared, 'rewritten'> {
  const tail = written.subarray(start);
  const range = tail.indexOf(RANGE);
  const contents = tail.indexOf('<', tail.indexOf('/Contents', range));
  if (range === -1 || tail.indexOf(RANGE, range + 1) !== -1 || contents === -1) {
    throw new Error('The library wrote the signature in a form that is not expected');
  }
  const gap = start + contents;
  const after = gap + room * 2 + 2;
  const text = `/ByteRange [0 ${gap} ${after} ${written.length - after}]`;
  tail.write(text.padEnd(RANGE.length), range, 'latin1');
  const digest = createHash('sha256')
    .update(written.subarray(0, gap))
    .update(written.subarray(after))
    .digest();
  return { tail, container: { at: contents + 1, room }, digest };
}

/** ISO 32000, 7.9.4. @param at milliseconds */
function pdfDate(at: number): string {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+Z/g, '');
  return `D:${digits}+00'00'`;
}
