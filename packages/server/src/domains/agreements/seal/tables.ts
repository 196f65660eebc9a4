import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    seal_chains: SealChainRow;
    seal_expiry_notices: SealExpiryNoticeRow;
  }
}

/** A key and certificate that this platform made for development. */
export interface SealChainRow {
  /** There is one: two processes that make it at the same time make the same row. */
  id: 'development';
  /** PEM, under the server's key-encryption key. */
  private_key: string;
  /** PEM. */
  certificate: string;
  /** PEM. */
  root: string;
  created_at: number;
}

/** The operator was notified that a certificate has so many days left. */
export interface SealExpiryNoticeRow {
  certificate_sha256: string;
  days: number;
  created_at: number;
}

export const sealTables = defineTables({
  seal_chains: { key: ['id'], encrypted: ['private_key'] },
  seal_expiry_notices: { key: ['certificate_sha256', 'days'] },
});
