import { type PDF, PdfArray, PdfDict, type PdfObject, PdfRef } from '@libpdf/core';

/** A reference, the object that it leads to, and the entry of a dictionary in which it stands, if any. */
export interface Reference {
  readonly ref: PdfRef;
  readonly found: PdfObject | undefined;
  readonly key: string;
}

/** All references that are reached from a value, each number and generation once, except through entries with these names. */
export function* referencesFrom(
  pdf: PDF,
  start: PdfObject,
  away: ReadonlySet<string> = new Set(),
): Generator<Reference> {
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
    else if (value instanceof PdfDict)
      for (const [name, entry] of value) if (!away.has(name.value)) waiting.push([name.value, entry]);
  }
}
