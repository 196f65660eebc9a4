import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_passkeys: PersonPasskeyRow;
    login_passkeys: LoginPasskeyRow;
    person_recovery_codes: PersonRecoveryCodeRow;
    person_codes: PersonCodeRow;
    used_nonces: UsedNonceRow;
  }
}

/** A passkey of an account. */
export interface PasskeyColumns {
  id: string;
  /** base64url; one account has it. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** Of its signatures. 0: the authenticator does not count. */
  counter: number;
  /** JSON. */
  transports: string;
  name: string;
  /** Whether it can be copied to other devices, and was. */
  backup_eligible: Flag;
  backed_up: Flag;
  /** JSON {iv, data}: the private key of the account under the PRF output of this passkey; null without PRF. */
  encrypted_private_key: string | null;
  created_at: number;
  last_used_at: number | null;
}

export interface PersonPasskeyRow extends PasskeyColumns {
  person_id: string;
}

export interface LoginPasskeyRow extends PasskeyColumns {
  company_id: string;
  login_id: string;
}

/** A code for a lost phone. */
export interface PersonRecoveryCodeRow {
  person_id: string;
  code_hash: string;
}

/** A code that was mailed to a person who is signed in, for one act. */
export interface PersonCodeRow {
  person_id: string;
  purpose: 'presence' | 'email';
  code_hash: string;
  /** The act, or the new address. */
  subject: string;
  attempts: number;
  expires_at: number;
}

/** A nonce that was used, until it would have expired. It belongs to the region: no row of it outlives minutes. */
export interface UsedNonceRow {
  nonce: string;
  expires_at: number;
}

export const presenceTables = defineTables({
  person_passkeys: {
    key: ['person_id', 'id'],
    belongsTo: { persons: 'person_id' },
    writtenBy: ['people'],
  },
  login_passkeys: {
    key: ['company_id', 'login_id', 'id'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
    readBy: ['companies'],
  },
  person_recovery_codes: {
    key: ['person_id', 'code_hash'],
    belongsTo: { persons: 'person_id' },
    hashed: ['code_hash'],
    writtenBy: ['people'],
  },
  person_codes: {
    key: ['person_id', 'purpose'],
    belongsTo: { persons: 'person_id' },
    hashed: ['code_hash'],
    writtenBy: ['people'],
  },
  used_nonces: { key: ['nonce'] },
});
