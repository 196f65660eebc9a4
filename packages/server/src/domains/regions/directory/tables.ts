import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    directory_owners: DirectoryOwnerRow;
    directory_names: DirectoryNameRow;
  }
}

/** At the front door: where somebody is at home. */
export interface DirectoryOwnerRow {
  kind: 'company' | 'person';
  id: string;
  region: string;
  updated_at: number;
}

/** At the front door: what exists once in all regions, and whose it is. */
export interface DirectoryNameRow {
  kind: 'share_code' | 'portal_email' | 'person_email';
  name: string;
  owner_kind: DirectoryOwnerRow['kind'];
  owner_id: string;
  /** Whether the owner's region has written it; a claim that was never used is given back. */
  confirmed: Flag;
  claimed_at: number;
}

export const directoryTables = defineTables({
  directory_owners: {
    key: ['kind', 'id'],
  },
  directory_names: {
    key: ['kind', 'name'],
  },
});
