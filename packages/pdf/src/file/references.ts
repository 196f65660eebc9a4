import { type PDF, PdfArray, PdfDict, type PdfObject, PdfRef } from '@libpdf/core';

/** A reference with the object that it leads to, or a null that stands there itself; and the entry of a dictionary in which it stands. */
export interface Reached {
  readonly ref: PdfRef | undefined;
  readonly found: PdfObject | undefined;
  readonly key: string;
}

/** All references that are reached from a value, each number and generation once, and all nulls, except through entries that are passed over. */
export function* reachedFrom(
  pdf: PDF,
  start: PdfObject,
  isPassed: (holder: PdfDict, name: string) => boolean = () => false,
): Generator<Reached> {
  const seen = new Set<string>();
  const waiting: [key: string, value: PdfObject][] = [['', start]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [key, value] = next;
    if (value instanceof PdfRef) {
      const name = `${value.objectNumber} ${value.generation}`;
      if (seen.has(name)) continue;
      seen.add(name);
      const found = pdf.getObject(value) ?? undefined;
      yield { ref: value, found, key };
      if (found) waiting.push([key, found]);
    } else if (value instanceof PdfArray) for (const item of value) waiting.push([key, item]);
    else if (value instanceof PdfDict) {
      for (const [name, entry] of value) if (!isPassed(value, name.value)) waiting.push([name.value, entry]);
    } else if (value.type === 'null') yield { ref: undefined, found: value, key };
  }
}
