import { answersNotIn, type ShownAnswer } from '@symbolon/sdk/device';
import { textOfPdf } from '../pdf.ts';
import { keys, type Query } from '../queries.ts';
import { pageFlows } from './runs.ts';

/** The answers that a document of a run does not show as they were given. It fails with what the reader of PDF files throws. */
export const runCheckQuery = (
  runId: string,
  documentId: string,
  pdf: Uint8Array,
): Query<readonly ShownAnswer[]> => ({
  key: keys.runCheck(runId, pdf),
  read: async () => answersNotIn(await pageFlows().run(runId), documentId, await textOfPdf(pdf)),
  isFresh: true,
});
