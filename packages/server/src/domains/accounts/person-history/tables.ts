import type { PersonEventKind } from '@symbolon/protocol';
import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_history: PersonHistoryRow;
    person_recovery: PersonRecoveryRow;
  }
}

/** A sign-in of a person, or a change of what the person signs in with. */
export interface PersonHistoryRow {
  person_id: string;
  /** In the order of time. */
  id: string;
  kind: PersonEventKind;
  user_agent: string;
  at: number;
}

/** The recovery code of a person. Without a row it is the one of the registration, and was never shown to be kept. */
export interface PersonRecoveryRow {
  person_id: string;
  made_at: number;
  /** When the person last typed it and opened the private key with it. */
  confirmed_at: number | null;
}

export const personHistoryTables = defineTables({
  person_history: { key: ['person_id', 'id'], belongsTo: { persons: 'person_id' } },
  person_recovery: { key: ['person_id'], belongsTo: { persons: 'person_id' } },
});
