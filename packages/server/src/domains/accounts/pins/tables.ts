import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    person_pins: PersonPinsRow;
    login_pins: LoginPinsRow;
  }
}

/** A list of confirmed keys, which only the devices of its account open. */
export interface PinsColumns {
  /** Grows with every list. */
  counter: number;
  iv: string;
  data: string;
}

export interface PersonPinsRow extends PinsColumns {
  person_id: string;
}

export interface LoginPinsRow extends PinsColumns {
  company_id: string;
  login_id: string;
}

export const pinTables = defineTables({
  person_pins: { key: ['person_id'], belongsTo: { persons: 'person_id' } },
  login_pins: {
    key: ['company_id', 'login_id'],
    belongsTo: { companies: 'company_id', portal_logins: 'login_id' },
    move: {},
  },
});
