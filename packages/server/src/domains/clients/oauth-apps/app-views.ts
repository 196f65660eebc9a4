import type { ClaimConfig, OAuthApp } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { OAuthAppRow } from './tables.ts';

export function toApp(row: OAuthAppRow): OAuthApp {
  return {
    client_id: row.client_id,
    name: row.name,
    app_type: row.app_type,
    confidential: row.app_type === 'confidential',
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    service_id: row.service_id,
    require_2fa: row.require_2fa === 1,
    detached: row.detached === 1,
    claims_delivery: row.claims_delivery,
    claim_config: JSON.parse(row.claim_config) as ClaimConfig,
    id_token_signed_response_alg: row.id_token_alg,
    public_key: row.public_key,
    public_key_sha256: row.public_key_sha256,
    grant_types: ['authorization_code'],
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    secret_created_at: row.secret_created_at === null ? null : isoTime(row.secret_created_at),
  };
}

/** What the audit log says about an app. */
export function toAuditDetails(row: OAuthAppRow): Readonly<Record<string, unknown>> {
  return {
    name: row.name,
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    service_id: row.service_id,
    require_2fa: row.require_2fa === 1,
    detached: row.detached === 1,
    claims_delivery: row.claims_delivery,
    claim_config: JSON.parse(row.claim_config) as ClaimConfig,
    id_token_signed_response_alg: row.id_token_alg,
    public_key_sha256: row.public_key_sha256,
  };
}
