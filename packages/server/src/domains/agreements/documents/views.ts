import type {
  CustomerDocument,
  Document,
  DocumentSignature,
  DocumentTerms,
  ListedPersonDocument,
  PersonDocument,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { storedFile } from '../../../core/stored-file.ts';
import type { CustomersDocument } from './customer-store.ts';
import type { ListedDocument } from './store.ts';
import type { DocumentActRow, DocumentFileRow, DocumentRow } from './tables.ts';
import { agreedTerms, newerTerms, termsOf } from './terms.ts';

/** Documents that are read and serialised in one turn of the event loop. */
export const PART = 20;

/** What stands beside a document's own row. */
export interface DocumentParts {
  readonly file: DocumentFileRow | undefined;
  readonly acts: readonly DocumentActRow[];
}

/** The parts of one of the documents that `partsOf` read. */
export const partsFor = (
  { id }: Pick<DocumentRow, 'id'>,
  { files, acts }: { files: Map<string, DocumentFileRow>; acts: Map<string, DocumentActRow[]> },
): DocumentParts => ({ file: files.get(id), acts: acts.get(id) ?? [] });

/** As the service that issued it reads it. */
export function viewDocument(row: ListedDocument, parts: DocumentParts): Document {
  return {
    ...commonMembers(row, parts, termsOf(row)),
    connection_id: row.connection_id,
    person_user_id: row.customer_id,
    share_code: row.share_code,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** As the company that is the customer reads it. */
export function viewForCustomer(row: CustomersDocument, parts: DocumentParts): CustomerDocument {
  return {
    ...commonMembers(row, parts, agreedTerms(row)),
    changed_since_act: newerTerms(row),
    connection_id: row.link_id,
    broadcast: row.connection_id === null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** As the person reads it. */
export function viewForPerson(row: CustomersDocument, parts: DocumentParts): PersonDocument {
  return {
    ...viewForCustomer(row, parts),
    company: { user_id: row.company_id, display_name: row.company_name, share_code: row.company_code },
    service: { id: row.service_id, name: row.service_name, share_code: row.service_code },
  };
}

/** One of a list that may be long. */
export function viewInList(row: CustomersDocument, parts: DocumentParts): ListedPersonDocument {
  const { value: _, ...members } = viewForPerson(row, parts);
  return members;
}

function commonMembers(
  row: DocumentRow,
  { file, acts }: DocumentParts,
  { name, description, metadata }: DocumentTerms,
) {
  return {
    id: row.id,
    kind: row.kind,
    name,
    description,
    status: row.status,
    payload_kind: row.payload_kind,
    is_private: row.is_private === 1,
    value: contentOf(row, file, name),
    metadata,
    requires_signature: row.requires_signature === 1,
    requires_acceptance: row.requires_acceptance === 1,
    plain_sha256: row.plain_sha256,
    sealed_at: row.sealed_at === null ? null : isoTime(row.sealed_at),
    sealed_sha256: row.sealed_sha256,
    seal_level: row.seal_level,
    signatures: acts.flatMap((act) => viewSignature(act) ?? []),
  };
}

function contentOf(row: DocumentRow, file: DocumentFileRow | undefined, called: string): unknown {
  if (row.payload_kind === 'json') return JSON.parse(row.payload ?? 'null') as unknown;
  if (file === undefined) return { _pending: true };
  const name = file.original_name ?? called;
  if (file.party === 'customer') return { _enc_file: name };
  const stored = storedFile(file.value);
  return { file: fileName(row.id, name), original_name: name, mime_type: stored?.type, size: stored?.bytes };
}

/** What the platform calls a file for all customers. */
function fileName(id: string, name: string): string {
  const [extension = ''] = /\.[a-z0-9]{1,5}$/i.exec(name) ?? [];
  return id + extension.toLowerCase();
}

/** An act as signatures show it; undefined for a cancellation. */
export function viewSignature(
  act: Pick<
    DocumentActRow,
    | 'action'
    | 'method'
    | 'content_sha256'
    | 'plain_sha256'
    | 'signer_first_name'
    | 'signer_last_name'
    | 'signer_name_verified'
    | 'created_at'
  >,
): DocumentSignature | undefined {
  if (act.action === 'cancelled') return undefined;
  return {
    action: act.action,
    method: act.method,
    content_sha256: act.content_sha256,
    plain_sha256: act.plain_sha256,
    signer_first_name: act.signer_first_name,
    signer_last_name: act.signer_last_name,
    signer_name_verified: act.signer_name_verified === null ? null : act.signer_name_verified === 1,
    created_at: isoTime(act.created_at),
  };
}
