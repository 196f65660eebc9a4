import { generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import { sealTextSync } from '@symbolon/crypto/node';
import { systemRegistry } from '@symbolon/field-types';
import { DataClient } from '../data/data-client.ts';
import type { DataClientOptions } from '../data/options.ts';
import { fakeClock } from './fake-clock.ts';
import { FakePlatform, type FakeRoute } from './fake-platform.ts';

const TIME = '2026-01-31T09:00:00.000Z';

export const serviceKey: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
});

/** A value sealed for the test service, as the wire carries it. */
export function sealed(plaintext: string, more: object = {}): { value: string; live: boolean } {
  const value = JSON.stringify(sealTextSync(plaintext, serviceKey.publicKey));
  return { value, live: true, updatedAt: TIME, updated_at: TIME, ...more } as {
    value: string;
    live: boolean;
  };
}

export function attested(plaintext: string, salt = 'ab'.repeat(16)): object {
  return { verified_salt: salt, verified_hash: hash('sha256', salt + plaintext), verified_at: TIME };
}

export function connectionRow(id: string, values: Record<string, object> = {}): object {
  return {
    connection_id: id,
    id,
    user_id: `person-${id}`,
    display_name: `Person ${id}`,
    connected_at: TIME,
    customer_type: 'person',
    share_code: null,
    values,
    values_private: {},
    pending_consent: [],
  };
}

/** A platform with a service whose request rows have the types given, and a data client for it. */
export async function fakeService(
  types: Record<string, string>,
  routes: Record<string, FakeRoute> = {},
  options: Partial<DataClientOptions> = {},
) {
  const clock = fakeClock();
  let tokens = 0;
  const platform: FakePlatform = await FakePlatform.start({
    'POST /oauth2/token': () => ({
      body: { token_type: 'Bearer', expires_in: 3600, access_token: `t${++tokens}`, api_url: platform.url },
    }),
    'GET /api/company-data/request-fields': () => ({
      body: {
        request_fields: Object.entries(types).map(([slug, type]) => ({ id: slug, slug, label: slug, type })),
      },
    }),
    'GET /api/contact-field-types': () => ({ body: systemRegistry.rows }),
    ...routes,
  });
  const pkcs8 = serviceKey.privateKey.export({ type: 'pkcs8', format: 'der' });
  const client = new DataClient({
    url: platform.url,
    clientId: 'svc_1',
    clientSecret: 'secret',
    privateKey: { pkcs8 },
    threads: 1,
    runtime: clock.runtime,
    ...options,
  });
  return {
    platform,
    client,
    clock,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await platform[Symbol.asyncDispose]();
    },
  };
}
