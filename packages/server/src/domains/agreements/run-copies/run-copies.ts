import type { DocumentStatus, FlowRunDocument } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { BlobRef } from '../../../core/large-text.ts';
import { fileText, type StoredFile, storedFile } from '../../../core/stored-file.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { flag } from '../../../db/tables.ts';
import type { Core } from '../../domain.ts';
import type { Blobs } from '../../operations/index.ts';
import {
  documentsCreated,
  documentsDeleted,
  type RaisedTogether,
  statusChanges,
} from '../documents/document-events.ts';
import { checkFilesRoom, checkRoom } from '../documents/room.ts';
import {
  deleteDocument,
  insertDocument,
  type ListedDocument,
  listed,
  putFile,
  updateDocument,
} from '../documents/store.ts';
import type { DocumentRow } from '../documents/tables.ts';
import { changeOf, type LineCopy, openStatus, withDocuments } from './lines.ts';
import { copiesOfRuns, deleteRunCopies, insertRunCopies, runCopy, updateRunCopy } from './store.ts';
import type { RunDocumentRow } from './tables.ts';

/** A run whose documents are made. */
export interface RunRef {
  readonly companyId: string;
  readonly serviceId: string;
  readonly flowId: string;
  readonly runId: string;
}

/** A document that a run makes, with a copy for each party. */
export interface MadeDocument {
  readonly outputKey: string;
  readonly name: string;
  readonly place: number;
  /** Of the PDF, lowercase hex. */
  readonly sha256: string;
  /** In the order in which they are signed. */
  readonly copies: readonly MadeCopy[];
}

interface MadeCopy {
  readonly partyKey: string;
  /** Null for the owning company. */
  readonly customer: Pick<DocumentRow, 'customer_id' | 'customer_type' | 'connection_id'> | null;
  readonly sign: boolean;
  readonly accept: boolean;
  /** The PDF sealed for the party. */
  readonly blob: BlobRef;
}

/** A copy as the run shows it, with the party whose it is. */
export interface PartyDocument extends FlowRunDocument {
  readonly party_key: string;
}

/** The customers' copies that were deleted. */
export interface Withdrawn {
  readonly documents: readonly ListedDocument[];
  readonly raised: RaisedTogether;
}

interface Deps extends Pick<Core, 'clock' | 'ids'> {
  readonly blobs: Blobs;
}

/** The documents of runs: a copy for each party, signed in a line (wire 13.14). */
export class RunCopies {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Stores the documents of a run in the caller's transaction, which holds the lock of the service. The first copy of each
   * line is open; a document without signers is active. The caller raises what is returned.
   * @throws {PlatformError} documents.limit_reached
   */
  async create(
    writer: Writer,
    run: RunRef,
    documents: readonly MadeDocument[],
  ): Promise<{ copies: readonly RunDocumentRow[]; raised: RaisedTogether }> {
    const at = this.#deps.clock.now();
    const rows: RunDocumentRow[] = [];
    for (const document of documents) {
      const isSigned = document.copies.some(({ sign, accept }) => sign || accept);
      for (const [index, copy] of document.copies.entries()) {
        const row = await this.#insert(writer, run, document, { copy, index, isSigned, at });
        rows.push(row);
      }
    }
    await insertRunCopies(writer, rows);
    await checkRooms(writer, run, documents);
    const created = await this.#documentsOf(writer, rows);
    return { copies: rows, raised: await documentsCreated(this.#deps, writer, created) };
  }

  /** Ends every copy of a run, signed ones too, in the caller's transaction. The caller raises what is returned. */
  async end(writer: Writer, runId: string): Promise<RaisedTogether> {
    const at = this.#deps.clock.now();
    const copies = await withDocuments(writer, await copiesOfRuns(writer, [runId]));
    const open = copies.filter(({ status }) => status !== 'ended');
    const change = { status: 'ended', updated_at: at } as const;
    for (const { row, document } of open) {
      if (row.is_owner === 1) await updateRunCopy(writer, row, change);
      else if (document !== undefined) await updateDocument(writer, document, change);
    }
    return statusChanges(
      this.#deps,
      writer,
      open.flatMap((copy) => changeOf(copy, change, copies)),
    );
  }

  /**
   * Deletes every copy of a run, so that others can be made, in the caller's transaction, which holds the lock of the service.
   * The caller raises what is returned.
   * @returns undefined, and nothing is deleted, when one is signed or accepted
   */
  async withdraw(writer: Writer, run: Pick<RunRef, 'companyId' | 'runId'>): Promise<Withdrawn | undefined> {
    const copies = await withDocuments(writer, await copiesOfRuns(writer, [run.runId]));
    if (copies.some(({ acts }) => acts.length > 0)) return undefined;
    const documents = copies.flatMap(({ document }) => document ?? []);
    for (const document of documents) await deleteDocument(writer, document);
    await deleteRunCopies(writer, run);
    return { documents, raised: await documentsDeleted(this.#deps, writer, documents) };
  }

  /** The copies of runs, by the ids of the runs. */
  async ofRuns(
    reader: Reader,
    runIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly PartyDocument[]>> {
    const copies = await withDocuments(reader, await copiesOfRuns(reader, runIds));
    return new Map(
      [...Map.groupBy(copies, ({ row }) => row.run_id)].map(([run, own]) => [run, own.map(viewCopy)]),
    );
  }

  /** The owning company's copy of a document of a run. */
  async ownersFile(reader: Reader, runId: string, outputKey?: string): Promise<StoredFile | undefined> {
    const rows = await copiesOfRuns(reader, [runId]);
    const own = rows.find(
      ({ is_owner, output_key }) => is_owner === 1 && (outputKey === undefined || output_key === outputKey),
    );
    return storedFile(own?.value ?? null);
  }

  async #insert(
    writer: Writer,
    { companyId, serviceId, flowId, runId }: RunRef,
    document: MadeDocument,
    { copy, index, isSigned, at }: { copy: MadeCopy; index: number; isSigned: boolean; at: number },
  ): Promise<RunDocumentRow> {
    const { blobs, ids } = this.#deps;
    const { customer, sign, accept, blob } = copy;
    const asked = { requires_signature: flag(sign), requires_acceptance: flag(accept) };
    const first = index === 0 ? openStatus(asked) : 'waiting';
    const status = isSigned ? first : 'active';
    const id = ids.uuid();
    const own = { company_id: companyId, service_id: serviceId };
    await blobs.holdOn(writer, blob.hash);
    const value = fileText({ id: ids.uuid(), hash: blob.hash, bytes: blob.bytes, form: 'sealed' });
    const times = { created_at: at, updated_at: at };
    if (customer !== null) {
      await insertDocument(writer, {
        ...{ ...own, ...customer, ...asked, ...times, id, status, name: document.name },
        ...{ kind: isSigned ? 'agreement' : 'document', description: null, payload_kind: 'file' },
        ...{ payload: null, metadata: JSON.stringify({ flow_run_id: runId }), is_private: 0 },
        ...{ plain_sha256: document.sha256, sealed_at: null, sealed_sha256: null, seal_level: null },
        ...{ ends_on: null, viewed_at: null, deleted_at: null, dropped_at: null, acted_terms: null },
      });
      const file = {
        document_id: id,
        party: 'customer',
        value,
        original_name: null,
        created_at: at,
      } as const;
      await putFile(writer, { ...own, ...file });
    }
    return {
      ...{ ...own, run_id: runId, document_id: id, flow_id: flowId, output_key: document.outputKey },
      ...{ place: document.place, party_key: copy.partyKey, position: index + 1, name: document.name },
      ...{ is_owner: flag(customer === null), ...asked, plain_sha256: document.sha256, acts: '[]' },
      ...{ status: customer === null ? status : null, value: customer === null ? value : null, ...times },
    };
  }

  #documentsOf(writer: Writer, rows: readonly RunDocumentRow[]) {
    const ids = rows.filter(({ is_owner }) => is_owner === 0).map(({ document_id }) => document_id);
    return listed(writer).where('documents.id', 'in', ids).execute();
  }
}

/** Documents of runs take the room of those that the service issues. @throws {PlatformError} documents.limit_reached */
async function checkRooms(reader: Reader, run: RunRef, documents: readonly MadeDocument[]): Promise<void> {
  const customers = documents.flatMap(({ copies }) => copies.flatMap(({ customer }) => customer ?? []));
  for (const connection of new Set(customers.flatMap(({ connection_id }) => connection_id ?? []))) {
    await checkRoom(reader, run, connection);
    await checkFilesRoom(reader, run, connection);
  }
}

/** Whether a document belongs to a run that is not finished: what becomes of it is decided there alone. */
export async function isRunManaged(reader: Reader, id: string): Promise<boolean> {
  const own = await runCopy(reader, id);
  if (own === undefined) return false;
  const copies = await withDocuments(reader, await copiesOfRuns(reader, [own.run_id]));
  return copies.some(({ status }) => OPEN.has(status));
}

const OPEN: ReadonlySet<DocumentStatus> = new Set(['waiting', 'ready_to_sign', 'offering']);

function viewCopy({ row, status, acts }: LineCopy): PartyDocument {
  const last = acts.at(-1);
  return {
    party_key: row.party_key,
    output_key: row.output_key,
    name: row.name,
    document_id: row.document_id,
    document_status: status,
    requires_signature: row.requires_signature === 1,
    requires_acceptance: row.requires_acceptance === 1,
    position: row.position,
    action: last?.action ?? null,
    acted_at: last === undefined ? null : isoTime(last.created_at),
  };
}
