import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';
import type { SignInMode } from './grant.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    sign_ins: SignInRow;
    sign_in_plaintexts: SignInPlaintextRow;
  }
}

/** What a person approved for an app: the code that the app exchanges, and what its token lets it read. */
export interface SignInRow {
  company_id: string;
  /** Part of the code and of the access token. */
  id: string;
  client_id: string;
  person_id: string;
  /** The person's when they approved it: a new password raises it. Null for sign-ins from before this was kept. */
  person_epoch: number | null;
  code_hash: string;
  code_expires_at: number;
  /** When the code was exchanged. */
  used_at: number | null;
  /** When the token that the code gave ended: the code was shown again, or the person ended it. */
  revoked_at: number | null;
  /** No token lives longer: the row is deleted then. */
  expires_at: number;
  share_code: string;
  mode: SignInMode;
  /** Null for a detached sign-in. */
  redirect_uri: string | null;
  /** S256 (RFC 7636). */
  code_challenge: string | null;
  nonce: string | null;
  scope: string | null;
  two_factor: Flag;
  /** Null when the person did not prove again to be present. */
  auth_time: number | null;
  created_at: number;
  /** JSON of wrappers by the claim's name, each as text. */
  claims: string;
  attestations: string;
}

/** Claims for the id_token, which is plaintext. Only the code opens them. */
export interface SignInPlaintextRow {
  company_id: string;
  id: string;
  sealed: string;
  /** When the code ends. */
  expires_at: number;
}

export const signInTables = defineTables({
  sign_ins: {
    key: ['company_id', 'id'],
    hashed: ['code_hash'],
    belongsTo: { companies: 'company_id', persons: 'person_id' },
    // A row may hold fifteen wrappers.
    move: { page: 20 },
  },
  sign_in_plaintexts: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: {},
  },
});
