import { defineTables } from '../../db/table-registry.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    field_types: FieldTypeTableRow;
  }
}

/** A field type that an operator added. */
export interface FieldTypeTableRow {
  type: string;
  /** JSON of the registry row. */
  row: string;
  created_at: number;
}

export const registryTables = defineTables({
  field_types: {
    key: ['type'],
  },
});
