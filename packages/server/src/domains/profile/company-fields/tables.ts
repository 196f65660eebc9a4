import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    contact_fields: ContactFieldRow;
    contact_data: ContactDataRow;
  }
}

/** A custom field of a company's catalogue. */
export interface ContactFieldRow {
  company_id: string;
  id: string;
  type: string;
  slug: string;
  label: string;
  usertype: 'person' | 'company' | 'any';
  created_at: number;
}

/** A value of a company's own profile, in plaintext by design (wire 2.3). */
export interface ContactDataRow {
  company_id: string;
  id: string;
  /** The catalogue field it fills: the id of a custom field, or the type of a system field. */
  field_id: string;
  type: string;
  slug: string;
  label: string;
  value: string;
  created_at: number;
  updated_at: number;
}

export const companyFieldTables = defineTables({
  contact_fields: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: {},
    readBy: ['regions', 'registry'],
  },
  contact_data: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: { page: VALUES_PAGE },
    readBy: ['regions', 'registry'],
  },
});
