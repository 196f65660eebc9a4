import type { Document, RunSignature } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { type StoredFile, storedFile } from '../../../core/stored-file.ts';
import type { Reader } from '../../../db/database.ts';
import type { ServiceRef } from '../documents/store.ts';
import { viewSignature } from '../documents/views.ts';
import { type LineAct, lineOf, withDocuments } from './lines.ts';
import { copiesOfRuns, runsOf } from './store.ts';

/** The owning company's own copy, as its service reads it beside the documents that it issued. */
export async function ownersCopy(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  id: string,
): Promise<{ document: Document; stored: StoredFile | undefined } | undefined> {
  const line = await lineOf(reader, id);
  const own = line?.find(({ row }) => row.document_id === id);
  if (line === undefined || own === undefined || own.row.is_owner === 0) return undefined;
  const { row, acts, status } = own;
  if (row.company_id !== companyId || row.service_id !== serviceId) return undefined;
  const isContract = line.some(({ row: each }) => each.requires_signature + each.requires_acceptance > 0);
  // All copies are sealed together; a customer's says when.
  const sealed = line.find(({ document }) => (document?.sealed_at ?? null) !== null)?.document;
  const document: Document = {
    id,
    kind: isContract ? 'agreement' : 'document',
    name: row.name,
    description: null,
    status,
    payload_kind: 'file',
    is_private: false,
    value: { _enc_file: row.name },
    metadata: { flow_run_id: row.run_id },
    requires_signature: row.requires_signature === 1,
    requires_acceptance: row.requires_acceptance === 1,
    plain_sha256: row.plain_sha256,
    sealed_at: sealed?.sealed_at == null ? null : isoTime(sealed.sealed_at),
    sealed_sha256: sealed?.sealed_sha256 ?? null,
    seal_level: sealed?.seal_level ?? null,
    signatures: acts.flatMap((act) => viewSignature({ ...act, plain_sha256: row.plain_sha256 }) ?? []),
    connection_id: null,
    person_user_id: null,
    share_code: null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
  const signatures = await runSignatures(reader, [id]);
  return { document: { ...document, ...signatures.get(id) }, stored: storedFile(row.value) };
}

/** Who is to sign and accept what in the runs that made some documents, by the ids of these; none for other documents. */
export async function runSignatures(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { run_signatures: RunSignature[] }>> {
  const runs = await runsOf(reader, ids);
  const copies = await withDocuments(reader, await copiesOfRuns(reader, [...new Set(runs.values())]));
  const byRun = Map.groupBy(
    copies.filter(({ row }) => row.requires_signature + row.requires_acceptance > 0),
    ({ row }) => row.run_id,
  );
  return new Map(
    [...runs].map(([id, run]) => [
      id,
      {
        run_signatures: (byRun.get(run) ?? []).map(({ row, status, acts }) => ({
          output_key: row.output_key,
          name: row.name,
          party_key: row.party_key,
          document_id: row.document_id,
          position: row.position,
          status,
          action: acts.at(-1)?.action ?? null,
          acted_at: timeOf(acts.at(-1)),
        })),
      },
    ]),
  );
}

const timeOf = (act: LineAct | undefined) => (act === undefined ? null : isoTime(act.created_at));
