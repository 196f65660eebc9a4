import type { Generated } from 'kysely';
import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    share_codes: ShareCodeRow;
  }
}

/** Codes by which keys are looked up: of people and companies, in one namespace. */
export interface ShareCodeRow {
  code: string;
  kind: 'person' | 'company';
  subject_id: string;
  /** Given by an operator: accepted as input, never shown. */
  custom: Generated<Flag>;
}

export const shareCodeTables = defineTables({
  share_codes: {
    key: ['code'],
    belongsTo: { companies: 'subject_id', persons: 'subject_id' },
    // The destination has the code already, by the card.
    move: { frozen: false },
    writtenBy: ['companies', 'regions'],
    readBy: ['agreements', 'approval', 'conversation', 'operator', 'services', 'sharing'],
  },
});
