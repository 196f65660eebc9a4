import { documentValues, type FlowDefinition } from '@symbolon/flows';
import type { OpenDocument } from '../documents/acts.ts';
import { ConflictError } from '../http/errors.ts';
import { appearsIn, condense } from './appears-in.ts';
import type { OpenFlowRun } from './open-run.ts';
import { chosenDocuments } from './run-documents.ts';

/** An answer of a run, as its document shows it. */
export type ShownAnswer = { readonly key: string; readonly label: string; readonly text: string };

/**
 * The answers that a document of a run does not show as they were given. The party that has the documents made says what they
 * are filled with, and the platform cannot check that, so each signer's device does.
 *
 * @param text what the PDF says, for example `textOfPdf` of `@symbolon/sdk/verify`
 */
export function answersNotIn(open: OpenFlowRun, documentId: string, text: string): ShownAnswer[] {
  const condensed = condense(text);
  return answersFor(open, documentId).filter((answer) => !appearsIn(condensed, answer.text));
}

/** Those that the author says the document shows; where that is not said, all of them. */
function answersFor(open: OpenFlowRun, documentId: string): ShownAnswer[] {
  const { run, state, values } = open;
  const documents = run.participants.flatMap((participant) => participant.documents);
  const outputKey = documents.find((each) => each.document_id === documentId)?.output_key;
  const chosen = chosenDocuments(open).find(({ output }) => output.key === outputKey);
  const tags = new Set(chosen?.rule.tags);
  const labels = labelsOf(state.definition);
  return Object.entries(documentValues(state, values)).flatMap(([key, text]) => {
    const label = labels.get(key);
    const isShown = tags.size === 0 || tags.has(key);
    return isShown && label !== undefined && text !== '' ? [{ key, label, text }] : [];
  });
}

/** Of answers and constants. */
function labelsOf({ nodes, constants = [] }: FlowDefinition): ReadonlyMap<string, string> {
  const elements = nodes
    .flatMap((node) => node.elements)
    .flatMap((element) => (element.kind === 'text' ? [] : [[element.slug, element.label] as const]));
  return new Map([...constants.map(({ key, label }) => [key, label] as const), ...elements]);
}

/** Reads what a PDF says, with what stands in its form fields: `textOfPdf` of `@symbolon/sdk/verify`, or any other reader. */
export type PdfText = (pdf: Uint8Array) => Promise<string>;

/**
 * How the document of a run is compared with its answers before it is signed: by a reader of PDF files; or not here, because the
 * caller has compared them or shows the differences (`answersNotIn`).
 */
export type Comparison = { readonly textOf: PdfText } | { readonly compared: true };

type Compared = { readonly textOf?: PdfText | undefined; readonly compared?: true | undefined };

/**
 * Refuses a document that does not show what was answered.
 *
 * @throws ConflictError `sdk.document_not_compared` when nothing says how; `sdk.document_differs` with `answers`
 */
export async function requireSameAnswers(
  documentId: string,
  pdf: Uint8Array,
  { open, by }: { open: () => Promise<OpenFlowRun>; by: Compared },
): Promise<void> {
  if (by.compared === true) return;
  if (by.textOf === undefined) {
    const message =
      'A flow made this document: give textOf, which reads it to compare it with the answers, or compared: true once you did.';
    throw new ConflictError({ errorKey: 'sdk.document_not_compared', message });
  }
  const answers = answersNotIn(await open(), documentId, await by.textOf(pdf));
  if (answers.length === 0) return;
  const labels = answers.map(({ label }) => label).join(', ');
  const message = `The document does not show what was answered: ${labels}. Do not sign it; decline or cancel the run.`;
  throw new ConflictError({ errorKey: 'sdk.document_differs', message, details: { answers } });
}

/**
 * Refuses to act on a customer's copy that a run made and that does not show what was answered. What no run made passes.
 *
 * @param openRun reads and opens a run, by its id
 * @throws what `requireSameAnswers` throws
 */
export async function requireSameCopy(
  { document, content }: OpenDocument,
  { openRun, by }: { openRun: (id: string) => Promise<OpenFlowRun>; by: Compared },
): Promise<void> {
  const runId = document.metadata?.flow_run_id;
  if (typeof runId !== 'string' || content.kind !== 'file') return;
  await requireSameAnswers(document.id, content.file.bytes, { open: () => openRun(runId), by });
}
