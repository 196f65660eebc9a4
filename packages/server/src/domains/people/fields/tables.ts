import type { DocumentCheck } from '@symbolon/protocol';
import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_fields: PersonFieldRow;
    verification_codes: VerificationCodeRow;
    file_uploads: FileUploadRow;
    identity_checks: IdentityCheckRow;
  }
}

export interface PersonFieldRow {
  person_id: string;
  id: string;
  type: string;
  label: string;
  slug: string;
  private: Flag;
  usertype: 'person' | 'company' | 'any';
  /** JSON of a wrapper for the person's own key, or of a `StoredFile`; null on a file type without a file. */
  value: string | null;
  /** JSON of the attestation's wire members, or null. */
  verification: string | null;
  /** JSON of a `VerifiedName`, while the attestation is of an identity document. */
  verified_name: string | null;
  created_at: number;
  updated_at: number;
  /** Raised with every new value. */
  version: number;
}

export interface VerificationCodeRow {
  person_id: string;
  field_id: string;
  code_hash: string;
  /** Keyed hash of the value the code was sent for. */
  value_hash: string;
  attempts: number;
  expires_at: number;
}

/** An identity document that a provider is looking at; one for a field. */
export interface IdentityCheckRow {
  id: string;
  person_id: string;
  field_id: string;
  /** Of the field whose file is looked at: another file ends the check. */
  field_version: number;
  provider: string;
  state: DocumentCheck['state'];
  /** Why it was rejected. */
  reason: DocumentCheck['reason'];
  verified_salt: string;
  verified_hash: string;
  expires_at: number;
}

/** A file that waits for the act that names it. */
export interface FileUploadRow {
  id: string;
  /** A person or a company. */
  customer_id: string;
  /** JSON of a `StoredFile`. */
  value: string;
  bytes: number;
  expires_at: number;
}

export const fieldTables = defineTables({
  person_fields: {
    key: ['person_id', 'id'],
    belongsTo: { persons: 'person_id' },
    writtenBy: ['regions'],
    readBy: ['registry'],
  },
  verification_codes: {
    key: ['person_id', 'field_id'],
    belongsTo: { persons: 'person_id', person_fields: 'field_id' },
    hashed: ['code_hash', 'value_hash'],
  },
  file_uploads: {
    key: ['id'],
    belongsTo: { persons: 'customer_id', companies: 'customer_id' },
    // Who uploaded them repeats it, as after the hour that they live.
    move: 'stays',
  },
  identity_checks: {
    key: ['id'],
    belongsTo: { persons: 'person_id', person_fields: 'field_id' },
  },
});
