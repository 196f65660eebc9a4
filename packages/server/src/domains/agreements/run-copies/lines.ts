import type { DocumentStatus } from '@symbolon/protocol';
import type { Reader } from '../../../db/database.ts';
import { lastSigner, type Signer, type StatusChange } from '../documents/document-events.ts';
import { type ListedDocument, listed, partsOf } from '../documents/store.ts';
import type { DocumentActRow, DocumentRow } from '../documents/tables.ts';
import { copiesOfRuns, runCopy } from './store.ts';
import type { RunDocumentRow } from './tables.ts';

/** What was done with a copy. */
export type LineAct = Pick<
  DocumentActRow,
  | 'action'
  | 'method'
  | 'content_sha256'
  | 'signer_first_name'
  | 'signer_last_name'
  | 'signer_name_verified'
  | 'created_at'
>;

/** A copy of a document of a run. */
export interface LineCopy {
  readonly row: RunDocumentRow;
  /** The customer's own; the owning company has none, and neither has who deleted it. */
  readonly document: ListedDocument | undefined;
  readonly status: DocumentStatus;
  readonly acts: readonly LineAct[];
}

/** What changes of a copy. */
export type CopyChange = Partial<DocumentRow> & Pick<DocumentRow, 'status' | 'updated_at'>;

/** The copies of one document of a run, in the order in which they are signed. */
export type Line = readonly LineCopy[];

/** The line in which a document stands; undefined when it is of no run. */
export async function lineOf(reader: Reader, documentId: string): Promise<Line | undefined> {
  const own = await runCopy(reader, documentId);
  if (own === undefined) return undefined;
  const copies = await withDocuments(reader, await copiesOfRuns(reader, [own.run_id]));
  return copies.filter(({ row }) => row.output_key === own.output_key);
}

export async function withDocuments(reader: Reader, rows: readonly RunDocumentRow[]): Promise<LineCopy[]> {
  const ids = rows.filter(({ is_owner }) => is_owner === 0).map(({ document_id }) => document_id);
  const documents = ids.length === 0 ? [] : await listed(reader).where('documents.id', 'in', ids).execute();
  const { acts } = await partsOf(reader, documents);
  const byId = new Map(documents.map((document) => [document.id, document]));
  return rows.map((row) => {
    const document = byId.get(row.document_id);
    return {
      row,
      document,
      status: row.status ?? document?.status ?? 'ended',
      acts: row.is_owner === 1 ? (JSON.parse(row.acts) as LineAct[]) : (acts.get(row.document_id) ?? []),
    };
  });
}

/**
 * That a copy has another status. That of the owning company's copy goes to its service alone, as one of the connection of a customer
 * who has a copy, too; a deleted copy raises nothing.
 * @param all the copies of the document
 * @param signer whose signature completed the document, where the copy became active
 */
export function changeOf(
  { row, document }: LineCopy,
  change: CopyChange,
  all: Line,
  signer?: Signer,
): StatusChange[] {
  if (row.is_owner === 0)
    return document === undefined ? [] : [{ document: { ...document, ...change }, signer }];
  const others = all.flatMap((copy) => copy.document ?? []);
  const beside = others.find(({ connection_id }) => connection_id !== null);
  if (beside === undefined) return [];
  return [{ document: { ...beside, ...change, id: row.document_id }, signer, onlyService: true }];
}

/** Whether everything that is asked with a copy was done. */
export function isDone({ row, acts }: LineCopy): boolean {
  const did = (action: LineAct['action']) => acts.some((act) => act.action === action);
  return (
    (row.requires_signature === 0 || did('signed')) && (row.requires_acceptance === 0 || did('accepted'))
  );
}

/** Whose signature is the last in a line. */
export const signerOf = (line: Line): LineAct | undefined => lastSigner(line.flatMap(({ acts }) => acts));

/** Whether all others have done what is asked of them. */
export const isLast = (line: Line, documentId: string): boolean =>
  line.every((copy) => copy.row.document_id === documentId || isDone(copy));

/** The copy that opens when this one is done. */
export const nextOf = (line: Line, documentId: string): LineCopy | undefined =>
  line.find((copy) => copy.row.document_id !== documentId && !isDone(copy));

/** What a copy is when its turn has come: to be signed, or else to be accepted. */
export const openStatus = (row: Pick<RunDocumentRow, 'requires_signature'>): DocumentStatus =>
  row.requires_signature === 1 ? 'ready_to_sign' : 'offering';
