import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    persons: PersonRow;
  }
}

export interface PersonRow {
  id: string;
  /** Lower case. */
  email: string;
  display_name: string;
  share_code: string;
  public_key: string;
  public_key_sha256: string;
  key_salt: string;
  login_hash: string;
  /** JSON {iv, data}, under the password's wrap key. */
  encrypted_private_key: string;
  recovery_hash: string;
  /** JSON {iv, data}, under the recovery code. */
  recovery_private_key: string;
  epoch: number;
  created_at: number;
  /** The home region; null: here. Of a person at home elsewhere there is what connections need: no e-mail, no login. */
  region: string | null;
}

export const peopleTables = defineTables({
  persons: {
    key: ['id'],
    hashed: ['recovery_hash'],
    writtenBy: ['regions'],
    readBy: ['operator', 'services', 'sharing'],
  },
});
