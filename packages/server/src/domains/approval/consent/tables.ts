import type { ConsentMode } from '@symbolon/protocol';
import type { StoredPlace } from '../../../core/secrets.ts';
import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    consent_requests: ConsentRequestRow;
    claim_choices: ClaimChoiceRow;
    sign_in_log: SignInLogRow;
  }
}

/** A request at the consent page, and for a detached one what became of it. */
export interface ConsentRequestRow {
  company_id: string;
  id: string;
  client_id: string;
  /** The base URL at which the person opened it: the `iss` that the app receives. */
  issuer: string;
  /** JSON of `ConsentParameters`; of a detached request without the state. */
  parameters: string;
  /** JSON of the claims that the person is asked for. */
  claims: string;
  /** Of the key to which claims are sealed. */
  public_key_sha256: string | null;
  /** Of a detached request: it is found by it. */
  state_hash: string | null;
  /** Who answers it: the first who signs in at it. */
  person_id: string | null;
  status: 'open' | 'approved' | 'refused';
  /** Of an approved detached request: JSON of the answer, under the server's key-encryption key. */
  result: string | null;
  /** Wrong entries of the digits that the other screen shows. */
  wrong_digits: number;
  /** Whether the result was handed over. */
  delivered: Flag;
  /** The process that is sending the result, and until when others respect that. */
  claim_owner: string | null;
  claimed_until: number | null;
  created_at: number;
  expires_at: number;
}

/** Where the result of a request is stored. */
export const placeOfResult = ({
  company_id,
  id,
}: Pick<ConsentRequestRow, 'company_id' | 'id'>): StoredPlace => ({
  table: 'consent_requests',
  column: 'result',
  id: [company_id, id],
});

/** With which fields a person answered an app's claims the last time. */
export interface ClaimChoiceRow {
  company_id: string;
  client_id: string;
  person_id: string;
  /** JSON: ids of fields by the claim's name. */
  fields: string;
}

/** What a person answered an app. */
export interface SignInLogRow {
  company_id: string;
  id: string;
  person_id: string;
  client_id: string;
  mode: ConsentMode;
  outcome: 'approved' | 'refused' | 'not_me' | 'revoked';
  /** JSON array of the names of claims. */
  claims: string;
  two_factor: Flag;
  detached: Flag;
  at: number;
  expires_at: number;
}

export const consentTables = defineTables({
  consent_requests: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id', persons: 'person_id' },
    move: { emptied: ['claim_owner', 'claimed_until'] },
    encrypted: ['result'],
    hashed: ['state_hash'],
  },
  claim_choices: {
    key: ['company_id', 'client_id', 'person_id'],
    belongsTo: { companies: 'company_id', oauth_apps: 'client_id', persons: 'person_id' },
    manyOf: ['oauth_apps'],
    move: {},
  },
  sign_in_log: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id', oauth_apps: 'client_id', persons: 'person_id' },
    manyOf: ['oauth_apps'],
    move: {},
  },
});
