import { createServiceKey, generateKeyPair, type KeyPair } from '@symbolon/crypto';
import type { RequestFieldInput } from '@symbolon/protocol';
import { portalAccount } from '@symbolon/testkit/actors/accounts';
import type { Platform } from './platform.ts';

/** A company's service with its data client, made through the API. */
export interface BenchService {
  readonly companyId: string;
  readonly companyCode: string;
  readonly id: string;
  /** Share code. */
  readonly code: string;
  readonly keys: KeyPair;
  /** Session of the company's portal. */
  readonly portal: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Request rows in their order. */
  readonly rows: readonly { id: string; slug: string }[];
}

/** Five rows of everyday types. */
export const FIVE_ROWS: readonly RequestFieldInput[] = (
  [
    ['email', 'email'],
    ['given_name', 'text'],
    ['family_name', 'text'],
    ['city', 'text'],
    ['note', 'text'],
  ] as const
).map(([slug, type]) => ({ slug, label: slug, type }) as RequestFieldInput);

export async function createService(
  platform: Platform,
  requestFields: readonly RequestFieldInput[] = FIVE_ROWS,
): Promise<BenchService> {
  const keys = await generateKeyPair();
  const { token, company } = await platform.call<{
    token: string;
    company: { company_user_id: string; company_code: string };
  }>('POST', '/api/portal/register', {
    json: {
      email: `bench-${crypto.randomUUID()}@example.com`,
      account: portalAccount(keys.publicKey, 'Bench'),
    },
  });
  const service = await platform.call<{ id: string; share_code: string }>('POST', '/api/services', {
    token,
    json: {
      name: 'Bench',
      admin_email: 'admin@example.com',
      public_key: keys.publicKey,
      encrypted_private_key: (await createServiceKey()).encryptedPrivateKey,
    },
  });
  const fieldsPath = `/api/services/${service.id}/request-fields`;
  const { config_token } = await platform.call<{ config_token: string }>('GET', fieldsPath, { token });
  const published = await platform.call<{ request_fields: { id: string; slug: string }[] }>(
    'PUT',
    fieldsPath,
    {
      token,
      json: { config_token, request_fields: requestFields },
    },
  );
  const client = await platform.call<{ client_id: string; client_secret: string }>(
    'POST',
    `/api/services/${service.id}/client`,
    { token },
  );
  return {
    companyId: company.company_user_id,
    companyCode: company.company_code,
    id: service.id,
    code: service.share_code,
    keys,
    portal: token,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    rows: published.request_fields,
  };
}

/** The form of the token route. */
export function tokenForm(service: Pick<BenchService, 'clientId' | 'clientSecret'>): Record<string, string> {
  return {
    grant_type: 'client_credentials',
    client_id: service.clientId,
    client_secret: service.clientSecret,
  };
}

export async function dataToken(platform: Platform, service: BenchService): Promise<string> {
  const form = tokenForm(service);
  const { access_token } = await platform.call<{ access_token: string }>('POST', '/oauth2/token', { form });
  return access_token;
}
