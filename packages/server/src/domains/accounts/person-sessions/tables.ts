import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_sessions: PersonSessionRow;
    person_sign_in_tickets: PersonSignInTicketRow;
  }
}

/** A browser in which a person is signed in. */
export interface PersonSessionRow {
  person_id: string;
  id: string;
  token_hash: string;
  /** Of the person when the session was opened: with the next one it ends. */
  epoch: number;
  user_agent: string;
  created_at: number;
  /** To the minute. */
  last_seen_at: number;
  expires_at: number;
}

/** A sign-in of a person whose password was right and whose second factor is awaited. */
export interface PersonSignInTicketRow {
  person_id: string;
  token_hash: string;
  transport: 'token' | 'cookie';
  attempts: number;
  expires_at: number;
}

export const personSessionTables = defineTables({
  person_sessions: {
    key: ['person_id', 'id'],
    belongsTo: { persons: 'person_id' },
    hashed: ['token_hash'],
    writtenBy: ['people'],
  },
  person_sign_in_tickets: {
    key: ['token_hash'],
    belongsTo: { persons: 'person_id' },
    hashed: ['token_hash'],
    writtenBy: ['people'],
  },
});
