import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_drafts: PersonDraftRow;
  }
}

/** What a person has begun to write and not sent yet. */
export interface PersonDraftRow {
  person_id: string;
  /** What it is a draft of, as the device names it. */
  name: string;
  /** Sealed to the person's own key. */
  value: string;
  updated_at: number;
  expires_at: number;
}

export const draftTables = defineTables({
  person_drafts: { key: ['person_id', 'name'], belongsTo: { persons: 'person_id' } },
});
