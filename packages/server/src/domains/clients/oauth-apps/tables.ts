import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    oauth_apps: OAuthAppRow;
  }
}

/** A sign-in app. */
export interface OAuthAppRow {
  company_id: string;
  client_id: string;
  name: string;
  app_type: 'confidential' | 'public';
  /** JSON array, matched exactly. */
  redirect_uris: string;
  claims_delivery: 'encrypted' | 'plaintext';
  /** SPKI, base64. */
  public_key: string | null;
  public_key_sha256: string | null;
  /** Null for a public app. */
  secret_hash: string | null;
  secret_created_at: number | null;
  created_at: number;
  updated_at: number;
}

export const oauthAppTables = defineTables({
  oauth_apps: {
    key: ['company_id', 'client_id'],
    hashed: ['secret_hash'],
    belongsTo: { companies: 'company_id' },
    move: {},
  },
});
