import { PdfError } from '../errors.ts';
import type { Loaded } from './load.ts';
import type { PageTree } from './page-tree.ts';
import { Unclear } from './raw/tokens.ts';
import { findPlaces } from './repair.ts';
import { checkWritten } from './rewritten-objects.ts';
import { checkLinearization } from './strict/linearization.ts';
import { checkAllEntries, checkStreamEnds } from './strict/raw-objects.ts';

/**
 * Checks how a file is built before it is read or, where it must be repaired, after: a signed one is refused with a way on of its own.
 * @throws {PdfError} damaged, and what the reading throws
 */
export function checkedAround<T>(loaded: Loaded, pages: PageTree, read: () => T): T {
  if (loaded.sections) checkStructure(loaded, pages);
  const held = read();
  if (!loaded.sections) checkStructure(loaded, pages);
  return held;
}

/**
 * By the bytes of the file. One that is written anew is looked at as it was sent, too: people read that one before the seal.
 * @throws {PdfError} damaged
 */
export function checkStructure(loaded: Loaded, pages: PageTree): void {
  const { pdf, text, sections } = loaded;
  try {
    checkLinearization(text, pages.all);
    if (sections) checkWritten(text, pdf, sections);
    const places = sections?.places ?? findPlaces(pdf, text);
    checkStreamEnds(text, pdf, places, checkAllEntries(loaded, places));
  } catch (cause) {
    if (cause instanceof Unclear) throw new PdfError('damaged', { cause });
    throw cause;
  }
}
