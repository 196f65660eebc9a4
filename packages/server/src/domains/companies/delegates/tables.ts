import { defineTables } from '../../../db/table-registry.ts';
import type { PortalLoginRow } from '../portal/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    delegate_invitations: DelegateInvitationRow;
  }
}

export interface DelegateInvitationRow {
  company_id: string;
  /** Becomes the id of the login. */
  id: string;
  email: string;
  role: PortalLoginRow['role'];
  token_hash: string;
  created_at: number;
  expires_at: number;
}

export const delegateTables = defineTables({
  delegate_invitations: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: {},
    hashed: ['token_hash'],
  },
});
