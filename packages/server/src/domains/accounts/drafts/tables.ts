import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_drafts: PersonDraftRow;
    login_drafts: LoginDraftRow;
  }
}

/** A text that was begun and not sent yet. */
export interface DraftColumns {
  /** What it is a draft of, as the device names it. */
  name: string;
  /** Sealed on the device: of a person to the person's own key, of a login to the key of the service that it writes for. */
  value: string;
  updated_at: number;
  expires_at: number;
}

export interface PersonDraftRow extends DraftColumns {
  person_id: string;
}

export interface LoginDraftRow extends DraftColumns {
  company_id: string;
  login_id: string;
}

export const draftTables = defineTables({
  person_drafts: { key: ['person_id', 'name'], belongsTo: { persons: 'person_id' } },
  login_drafts: {
    key: ['company_id', 'login_id', 'name'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: { page: VALUES_PAGE },
  },
});
