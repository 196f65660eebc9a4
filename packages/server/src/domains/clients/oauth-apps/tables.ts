import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    oauth_apps: OAuthAppRow;
    deleted_oauth_apps: DeletedOAuthAppRow;
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
  /** The service of `connect` and `2fa_enroll`; it may be gone. */
  service_id: string | null;
  require_2fa: Flag;
  /** Whether its sign-ins may be approved on another screen. */
  detached: Flag;
  id_token_alg: 'RS256' | 'EdDSA';
  /** JSON array: what the app wants of the standard claims. */
  claim_config: string;
  /** SPKI, base64. */
  public_key: string | null;
  public_key_sha256: string | null;
  /** JSON of wire 2.2; null where the company keeps the private half itself. */
  encrypted_private_key: string | null;
  private_key_pem: string | null;
  /** Null for a public app. */
  secret_hash: string | null;
  secret_created_at: number | null;
  created_at: number;
  updated_at: number;
}

/** An app that is gone, until the rows of other tables that belong to it are. */
export interface DeletedOAuthAppRow {
  company_id: string;
  client_id: string;
  deleted_at: number;
}

export const oauthAppTables = defineTables({
  oauth_apps: {
    key: ['company_id', 'client_id'],
    hashed: ['secret_hash'],
    belongsTo: { companies: 'company_id' },
    move: {},
    readBy: ['approval'],
  },
  deleted_oauth_apps: {
    key: ['company_id', 'client_id'],
    belongsTo: { companies: 'company_id' },
    move: {},
  },
});
