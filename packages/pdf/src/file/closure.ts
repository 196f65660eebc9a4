import { createHash, type Hash } from 'node:crypto';
import { type PDF, PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';

/** What leads away from how an annotation looks: to its page, to what it does, and to others. */
const AWAY = new Set(['P', 'A', 'AA', 'Dest', 'Popup', 'IRT']);
const MOST_VALUES = 1_000_000;

/**
 * A digest over objects and all that they lead to, as far as it decides how they look.
 * @throws {PdfError} damaged when it is too much
 */
export function closureOf(pdf: PDF, numbers: readonly number[]): string {
  const hash = createHash('sha256');
  const seen = new Set<number>();
  const waiting: (PdfObject | undefined)[] = numbers.map((number) => PdfRef.of(number, 0));
  let left = MOST_VALUES;
  while (waiting.length > 0) {
    if (--left < 0) throw new PdfError('damaged');
    const value = waiting.pop();
    if (value instanceof PdfRef) {
      hash.update(`${value.objectNumber} R;`);
      if (!seen.has(value.objectNumber)) waiting.push(pdf.getObject(value) ?? undefined);
      seen.add(value.objectNumber);
    } else if (value instanceof PdfArray) {
      hash.update(`[${value.length};`);
      waiting.push(...value.toArray());
    } else if (value instanceof PdfDict) waiting.push(...entriesOf(value, hash));
    else hash.update(value === undefined ? 'none;' : `${value.type} ${JSON.stringify(value)};`);
  }
  return hash.digest('hex');
}

function entriesOf(dict: PdfDict, hash: Hash): PdfObject[] {
  const entries = [...dict].filter(([key]) => !AWAY.has(key.value));
  hash.update(`<${JSON.stringify(entries.map(([key]) => key.value))};`);
  if (dict instanceof PdfStream) hash.update(`${dict.data.length};`).update(dict.data);
  return entries.map(([, value]) => value);
}
