import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    recovery_copies: RecoveryCopyRow;
    recovery_key_holders: RecoveryKeyHolderRow;
  }
}

export interface RecoveryCopyRow {
  company_id: string;
  id: string;
  kind: 'client_secret' | 'service_passphrase';
  /** Null for what belongs to the company as a whole. */
  service_id: string | null;
  client_id: string | null;
  /** JSON of a wrapper for the company's recovery key. */
  sealed: string;
  created_at: number;
}

/** A login's copy of the recovery key's private half. */
export interface RecoveryKeyHolderRow {
  company_id: string;
  login_id: string;
  /** JSON of a wrapper for the public key of the login. */
  sealed: string;
  created_at: number;
}

export const recoveryTables = defineTables({
  recovery_copies: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: {},
  },
  recovery_key_holders: {
    key: ['company_id', 'login_id'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
});
