import type { DocumentKind, DocumentSignature, DocumentStatus, PayloadKind } from '@symbolon/protocol';
import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';
import type { ConnectionRow } from '../../sharing/index.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    documents: DocumentRow;
    document_files: DocumentFileRow;
    document_acts: DocumentActRow;
  }
}

/**
 * A document of a service: for one connection, or for all of them. It outlives its connection, for a contract is a record of
 * both parties.
 */
export interface DocumentRow {
  company_id: string;
  service_id: string;
  id: string;
  /** Null for all customers of the service; then the customer is null too. */
  connection_id: string | null;
  customer_id: string | null;
  customer_type: ConnectionRow['customer_type'] | null;
  kind: DocumentKind;
  name: string;
  description: string | null;
  status: DocumentStatus;
  payload_kind: PayloadKind;
  /** JSON of what a JSON document holds: a wrapper, or for all customers any value. Null for a file. */
  payload: string | null;
  /** JSON of an object. */
  metadata: string;
  /** JSON of name, description and metadata as they were when the customer acted, where the company changed them since. */
  acted_terms: string | null;
  is_private: Flag;
  requires_signature: Flag;
  requires_acceptance: Flag;
  plain_sha256: string | null;
  sealed_at: number | null;
  sealed_sha256: string | null;
  /** The level that the seal's signature reached. */
  seal_level: string | null;
  /** The day on which a cancelled contract ends, `YYYY-MM-DD`. */
  ends_on: string | null;
  created_at: number;
  updated_at: number;
  /** When the customer first opened it. */
  viewed_at: number | null;
  /** When the company deleted it; a customer who signed or accepted it keeps it. */
  deleted_at: number | null;
  /** When the customer deleted its own copy. */
  dropped_at: number | null;
}

/** One copy of a document's file. */
export interface DocumentFileRow {
  company_id: string;
  service_id: string;
  document_id: string;
  /** Whose it is: sealed for the customer, sealed for the service, or plaintext for all customers. */
  party: 'customer' | 'service' | 'all';
  /** Text of a `StoredFile`: triggers count the references to its blob. */
  value: string;
  original_name: string | null;
  created_at: number;
}

/** What the customer did with a document. */
export interface DocumentActRow {
  company_id: string;
  service_id: string;
  document_id: string;
  id: string;
  action: DocumentSignature['action'] | 'cancelled';
  method: DocumentSignature['method'];
  content_sha256: string | null;
  plain_sha256: string | null;
  signer_first_name: string | null;
  signer_last_name: string | null;
  signer_name_verified: Flag | null;
  note: string | null;
  /** Of a cancellation, `YYYY-MM-DD`. */
  effective_date: string | null;
  created_at: number;
}

const ofDocument = { companies: 'company_id', services: 'service_id', documents: 'document_id' } as const;

export const documentTables = defineTables({
  documents: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    manyOf: ['services'],
    move: { page: VALUES_PAGE },
  },
  document_files: {
    key: ['company_id', 'document_id', 'party'],
    belongsTo: ofDocument,
    manyOf: ['services'],
    move: {},
    readBy: ['regions'],
  },
  document_acts: {
    key: ['company_id', 'document_id', 'id'],
    belongsTo: ofDocument,
    manyOf: ['services'],
    move: {},
  },
});
