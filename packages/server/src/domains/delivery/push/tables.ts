import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    push_keys: PushKeyRow;
    push_subscriptions: PushSubscriptionRow;
  }
}

/** The key pair with which this region names itself to push services (RFC 8292). There is one, `vapid`. */
export interface PushKeyRow {
  id: string;
  /** An uncompressed point on P-256, base64url; browsers subscribe for it. */
  public_key: string;
  /** 32 bytes, base64url, under the server's key-encryption key. */
  private_key: string;
  created_at: number;
}

/** Where a push service takes messages for a browser of a person. */
export interface PushSubscriptionRow {
  id: string;
  person_id: string;
  /** SHA-256 of the endpoint, which cannot be guessed. */
  endpoint_hash: string;
  /** JSON of `Subscription`, under the server's key-encryption key: who knows it can send to the browser. */
  subscription: string;
  /** The person's epoch when it was made: it ends with everything that ends all sessions. */
  epoch: number;
  /** The session that made it, with which it is deleted; null: made with an access token. */
  session_id: string | null;
  /** The browser, in the words of its User-Agent. */
  name: string;
  created_at: number;
}

export const pushTables = defineTables({
  push_keys: { key: ['id'], encrypted: ['private_key'] },
  push_subscriptions: { key: ['id'], belongsTo: { persons: 'person_id' }, encrypted: ['subscription'] },
});
