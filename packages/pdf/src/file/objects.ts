import { type PDF, PdfArray, PdfDict, type PdfObject, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { resolve } from './page-tree.ts';

/**
 * The dictionary of a key, behind a reference or not.
 * @throws {PdfError} damaged for a stream, which some readers take for a dictionary and others do not
 */
export function dictAt(pdf: PDF, dict: PdfDict | undefined, key: string): PdfDict | undefined {
  return plain(resolve(pdf, dict?.get(key)), key);
}

function plain(value: PdfObject | undefined, key: string): PdfDict | undefined {
  if (value instanceof PdfStream)
    throw new PdfError('damaged', { cause: new Error(`/${key} is a stream in the place of a dictionary`) });
  return value instanceof PdfDict ? value : undefined;
}

/** The members of a list, each followed to its object. */
export function listAt(pdf: PDF, dict: PdfDict | undefined, key: string): PdfObject[] {
  const list = resolve(pdf, dict?.get(key));
  if (!(list instanceof PdfArray)) return [];
  return list.toArray().flatMap((item) => resolve(pdf, item) ?? []);
}

/** @throws {PdfError} damaged for a stream among them */
export function dictsAt(pdf: PDF, dict: PdfDict | undefined, key: string): PdfDict[] {
  return listAt(pdf, dict, key).flatMap((item) => plain(item, key) ?? []);
}

/** Names may stand behind references too. */
export function nameAt(pdf: PDF, dict: PdfDict | undefined, key: string): string | undefined {
  const value = resolve(pdf, dict?.get(key));
  return value?.type === 'name' ? value.value : undefined;
}

export function numberAt(pdf: PDF, dict: PdfDict | undefined, key: string): number | undefined {
  const value = resolve(pdf, dict?.get(key));
  return value?.type === 'number' ? value.value : undefined;
}

/** @returns undefined for what is no list of numbers alone */
export function numbersOf(pdf: PDF, value: PdfObject | undefined): number[] | undefined {
  const list = resolve(pdf, value);
  if (!(list instanceof PdfArray)) return undefined;
  const numbers = list.toArray().map((item) => {
    const number = resolve(pdf, item);
    return number?.type === 'number' ? number.value : Number.NaN;
  });
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

export function numbersAt(pdf: PDF, dict: PdfDict | undefined, key: string): number[] | undefined {
  return numbersOf(pdf, dict?.get(key));
}

/** Whether a value is there and true. */
export function isTrue(value: PdfObject | undefined): boolean {
  return value?.type === 'bool' && value.value;
}

/** Some readers take a stream for no dictionary. */
export function isPlain(value: PdfObject | undefined): value is PdfDict {
  return value instanceof PdfDict && !(value instanceof PdfStream);
}
