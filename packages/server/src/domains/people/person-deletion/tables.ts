import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_deletions: PersonDeletionRow;
  }
}

/** A person who deleted the account. Every region has a row of its own, until nothing of the person is left there. */
export interface PersonDeletionRow {
  person_id: string;
  /** The address, until its name is released; null in regions where the person was not at home. */
  email: string | null;
  /** When this region learned of it. */
  deleted_at: number;
  /** When a worker looks at it next. */
  run_at: number;
}

export const personDeletionTables = defineTables({
  person_deletions: { key: ['person_id'], belongsTo: { persons: 'person_id' } },
});
