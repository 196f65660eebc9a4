import { answersNotIn, type ShownAnswer } from '@symbolon/sdk/device';
import { textOfPdf } from '../pdf.ts';
import type { OpenRun } from './runs.ts';

/** The answers that a document of a run does not show as they were given. @throws what the reader of PDF files throws */
export async function differencesOf(
  open: OpenRun,
  documentId: string,
  pdf: Uint8Array,
): Promise<ShownAnswer[]> {
  return answersNotIn(open, documentId, await textOfPdf(pdf));
}
