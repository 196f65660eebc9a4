import type { DocumentStatus } from '@symbolon/protocol';
import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    run_documents: RunDocumentRow;
  }
}

/** A copy of a document that a run made. Of customers it is one of `documents`; the owning company's own is here. */
export interface RunDocumentRow {
  company_id: string;
  service_id: string;
  run_id: string;
  document_id: string;
  flow_id: string;
  output_key: string;
  /** Of the output among those of its node. */
  place: number;
  party_key: string;
  /** In the line of those who sign or accept, from 1; the others stand behind them. */
  position: number;
  is_owner: Flag;
  name: string;
  requires_signature: Flag;
  requires_acceptance: Flag;
  plain_sha256: string;
  /** Of the owner's copy; a customer's has it in `documents`. */
  status: DocumentStatus | null;
  /** JSON of what the owner did; a customer's acts are in `document_acts`. */
  acts: string;
  /** Of the owner's copy: text of a `StoredFile`, sealed for the service. */
  value: string | null;
  created_at: number;
  updated_at: number;
}

export const runCopyTables = defineTables({
  run_documents: {
    key: ['company_id', 'run_id', 'document_id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    manyOf: ['services'],
    move: {},
    readBy: ['regions'],
  },
});
