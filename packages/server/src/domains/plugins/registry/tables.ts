import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    plugins: PluginRow;
  }
}

/** A plugin of a company (wire 14.1): at an address of the company, or one of the platform. */
export interface PluginRow {
  company_id: string;
  id: string;
  builtin_key: string | null;
  base_url: string | null;
  name: string | null;
  /** Under the server's key-encryption key. */
  token: string | null;
  /** PKCS#8 of a plugin of the platform, under the server's key-encryption key. */
  private_key: string | null;
  /** SPKI, base64. */
  public_key: string | null;
  /** JSON array. */
  field_types: string;
  described_at: number | null;
  last_error: string | null;
  created_at: number;
  updated_at: number;
}

export const pluginTables = defineTables({
  plugins: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    encrypted: ['token', 'private_key'],
    // A row describes up to 50 field types.
    move: { page: 20 },
  },
});
