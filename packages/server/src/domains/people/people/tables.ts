import type { LoginKeyColumns } from '../../../access/key-material.ts';
import { defineTables } from '../../../db/table-registry.ts';
import type { SecondFactorColumns } from '../../accounts/index.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    persons: PersonRow;
  }
}

export interface PersonRow extends LoginKeyColumns, SecondFactorColumns {
  id: string;
  /** Lower case. */
  email: string;
  display_name: string;
  share_code: string;
  epoch: number;
  created_at: number;
  /** The home region; null: here. Of a person at home elsewhere there is what connections need: no e-mail, no login. */
  region: string | null;
  /** When the person deleted the account: the row goes when nothing is left of it. */
  deleted_at: number | null;
}

export const peopleTables = defineTables({
  persons: {
    key: ['id'],
    encrypted: ['totp_secret'],
    hashed: ['recovery_hash'],
    writtenBy: ['regions'],
    readBy: [
      'accounts',
      'agreements',
      'approval',
      'conversation',
      'delivery',
      'flows',
      'operator',
      'services',
      'sharing',
    ],
  },
});
