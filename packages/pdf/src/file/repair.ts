import { type PDF, PdfDict, PdfRef, PdfStream } from '@libpdf/core';
import { bufferOf } from '../buffer.ts';
import { PdfError } from '../errors.ts';
import { objectHeads } from './raw/sections.ts';

/** More objects than any contract has. */
const MOST_OBJECTS = 500_000;
/** `/Encrypt`, some letters perhaps written as hex digits. */
const ENCRYPT =
  /\/(?:E|#45)(?:n|#6e)(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)(?=[\0\t\n\f\r ()<>[\]{}/%])(?!\s*null)/i;

/** Whether a file whose trailer cannot be trusted speaks of encryption anywhere: then repairing it makes garbage of it. */
export function speaksOfEncryption(bytes: Uint8Array): boolean {
  return ENCRYPT.test(bufferOf(bytes).toString('latin1'));
}

/**
 * Where the cross-references do not say where an object is, readers look for it themselves. They find the same one when there
 * is just one of each number, and one catalog.
 * @throws {PdfError} damaged
 */
export function checkNothingTwice(pdf: PDF, bytes: Uint8Array): void {
  const file = bufferOf(bytes);
  const numbers = new Set<number>();
  const add = (number: number) => {
    if (numbers.has(number) || numbers.size >= MOST_OBJECTS) throw new PdfError('damaged');
    numbers.add(number);
  };
  const found: PdfRef[] = Array.from(objectHeads(file), ({ number, generation }) =>
    PdfRef.of(number, generation),
  );
  const heads = found.length;
  let catalogs = 0;
  for (const [index, ref] of found.entries()) {
    add(ref.objectNumber);
    const object = pdf.getObject(ref);
    const type = object instanceof PdfDict ? object.getName('Type')?.value : undefined;
    if (type === 'Catalog' && ++catalogs > 1) throw new PdfError('damaged');
    if (object instanceof PdfStream && type === 'ObjStm' && index < heads)
      for (const { number } of entriesIn(object)) found.push(PdfRef.of(number, 0));
  }
}

/** The objects in a stream of objects, by their order: their numbers, and where they are in its data. */
export function entriesIn(stream: PdfStream): { number: number; offset: number }[] {
  const count = stream.getNumber('N')?.value ?? 0;
  const first = stream.getNumber('First')?.value ?? 0;
  const head = Buffer.from(stream.getDecodedData().subarray(0, first)).toString('latin1').trim();
  const values = head.split(/[\0\t\n\f\r ]+/).map(Number);
  const most = Math.min(count, Math.ceil(values.length / 2));
  return Array.from({ length: Math.max(0, most) }, (_, index) => ({
    number: values[index * 2] ?? Number.NaN,
    offset: first + (values[index * 2 + 1] ?? Number.NaN),
  }));
}
