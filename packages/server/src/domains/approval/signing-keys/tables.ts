import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    signing_keys: SigningKeyRow;
  }
}

/** A key pair that signs id_tokens of this region. */
export interface SigningKeyRow {
  /** The `kid`: the thumbprint of the public key (RFC 7638). */
  id: string;
  algorithm: 'RS256' | 'EdDSA';
  /** Of its algorithm, from 1 on: two processes that make one at the same time make the same generation. */
  generation: number;
  /** JSON of a JWK (RFC 7517). */
  public_jwk: string;
  /** PKCS#8 DER, under the server's key-encryption key. */
  private_key: string;
  created_at: number;
  /** It is published before it signs, so that clients know it by then. */
  signs_from: number;
  /** Null while no newer key is to sign; then when the last token under it has expired. */
  published_until: number | null;
}

export const signingKeyTables = defineTables({
  signing_keys: { key: ['id'], encrypted: ['private_key'] },
});
