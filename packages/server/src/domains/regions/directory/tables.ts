import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    directory_owners: DirectoryOwnerRow;
    directory_names: DirectoryNameRow;
    peer_calls: PeerCallRow;
    answered_calls: AnsweredCallsRow;
  }
}

/** At the front door: the home region of a company or person. */
export interface DirectoryOwnerRow {
  kind: 'company' | 'person';
  id: string;
  region: string;
  updated_at: number;
}

/** At the front door: a name that exists once in all regions, and its owner. */
export interface DirectoryNameRow {
  kind: 'share_code' | 'portal_email' | 'person_email';
  name: string;
  owner_kind: DirectoryOwnerRow['kind'];
  owner_id: string;
  /** Whether the owner's region has stored the name; a claim that stays unconfirmed is checked and may be released. */
  confirmed: Flag;
  claimed_at: number;
}

/** PostgreSQL alone: a call of another region that was answered. */
interface PeerCallRow {
  id: string;
  expires_at: number;
}

/** SQLite alone: until when calls of a region may have been answered, by its clock. */
interface AnsweredCallsRow {
  peer: string;
  until: number;
}

export const directoryTables = defineTables({
  directory_owners: {
    key: ['kind', 'id'],
  },
  directory_names: {
    key: ['kind', 'name'],
  },
  peer_calls: {
    key: ['id'],
    onlyOn: 'postgres',
  },
  answered_calls: {
    key: ['peer'],
    onlyOn: 'sqlite',
  },
});
