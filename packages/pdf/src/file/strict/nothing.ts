import { type PDF, type PdfDict, PdfStream } from '@libpdf/core';
import { PdfError } from '../../errors.ts';
import { dictsAt } from '../objects.ts';
import type { Page } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { reachedFrom } from '../references.ts';

/** Entries of pages and annotations that lead to what draws nothing on them, and those of streams. */
const AWAY = new Set('A AA AF B Dest IRT Metadata P Parent PieceInfo Popup Thumb'.split(' '));
const BESIDE = new Set(['AF', 'Metadata', 'PieceInfo']);
/** Null is a value like others here. */
const NULLABLE = new Set(['DecodeParms', 'DP', 'DV', 'V']);

/**
 * The standard takes a reference to nothing for null, and an entry that is null for one that is not there (ISO 32000-2, 7.3.9, 7.3.10).
 * Readers do not: some leave out what has such an entry.
 * @throws {Unclear} for a null; {PdfError} damaged for a reference to nothing
 */
export function checkNothingIsMissing(pdf: PDF, pages: readonly Page[]): void {
  const root = pages[0]?.lineage.at(-1);
  if (!root) return;
  const holders = new Set(
    pages.flatMap(({ dict, lineage }) => [...lineage, ...dictsAt(pdf, dict, 'Annots')]),
  );
  // By where it stands: a font may be named like such an entry.
  const isPassed = (holder: PdfDict, name: string) =>
    holders.has(holder) ? AWAY.has(name) : holder instanceof PdfStream && BESIDE.has(name);
  for (const { ref, found, key } of reachedFrom(pdf, root, isPassed)) {
    if (!found) throw new PdfError('damaged', { cause: new Unclear(`/${key} refers to nothing: ${ref}`) });
    if (found.type === 'null' && !NULLABLE.has(key)) throw new Unclear(`/${key} is null`);
  }
}
