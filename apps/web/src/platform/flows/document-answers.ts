import { documentValues, type FlowDefinition } from '@symbolon/flows';
import { chosenDocuments } from '@symbolon/sdk/device';
import { textOfPdf } from '../pdf.ts';
import type { OpenRun } from './runs.ts';
import { condense, standsIn } from './stands-in.ts';

/** An answer of a run, as its document shows it. */
export type ShownAnswer = { readonly key: string; readonly label: string; readonly text: string };

/**
 * The answers that a document of a run does not show as they were given. The party that has the documents made says what they
 * are filled with, and the platform cannot check that, so each signer's device does.
 *
 * @throws what the reader of PDF files throws
 */
export async function answersNotIn(
  open: OpenRun,
  documentId: string,
  pdf: Uint8Array,
): Promise<ShownAnswer[]> {
  const text = condense(await textOfPdf(pdf));
  return answersFor(open, documentId).filter((answer) => !standsIn(text, answer.text));
}

/** Those that the author says the document shows; where that is not said, all of them. */
function answersFor(open: OpenRun, documentId: string): ShownAnswer[] {
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
