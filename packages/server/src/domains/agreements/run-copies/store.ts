import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { RunDocumentRow } from './tables.ts';

export type RunDocumentKey = Pick<RunDocumentRow, 'company_id' | 'run_id' | 'document_id'>;

/** The copies of some runs, in the order of their outputs and lines. */
export async function copiesOfRuns(reader: Reader, runIds: readonly string[]): Promise<RunDocumentRow[]> {
  if (runIds.length === 0) return [];
  return reader
    .selectFrom('run_documents')
    .selectAll()
    .where('run_id', 'in', runIds)
    .orderBy('place')
    .orderBy('position')
    .orderBy('document_id')
    .execute();
}

export function runCopy(reader: Reader, documentId: string): Promise<RunDocumentRow | undefined> {
  return rowBy(reader, 'run_documents', { document_id: documentId });
}

/** The runs that made some documents, by the ids of these. */
export async function runsOf(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom('run_documents')
    .select(['document_id', 'run_id'])
    .where('document_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ document_id, run_id }) => [document_id, run_id]));
}

export async function insertRunCopies(writer: Writer, rows: readonly RunDocumentRow[]): Promise<void> {
  if (rows.length > 0) await writer.insertInto('run_documents').values(rows).execute();
}

export async function deleteRunCopies(
  writer: Writer,
  { companyId, runId }: { companyId: string; runId: string },
): Promise<void> {
  await deleteBy(writer, 'run_documents', { company_id: companyId, run_id: runId });
}

export async function updateRunCopy(
  writer: Writer,
  { company_id, run_id, document_id }: RunDocumentKey,
  change: Partial<Pick<RunDocumentRow, 'status' | 'acts' | 'value' | 'updated_at'>>,
): Promise<void> {
  await updateBy(writer, 'run_documents', { company_id, run_id, document_id }, change);
}
