import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import type { CreateServiceRequest, PortalRegisterRequest } from '@symbolon/protocol';
import { AuthenticationError, ConfigurationError, ConflictError, DecryptionError } from '../http/errors.ts';
import { FakePlatform, refusal } from '../testing/fake-platform.ts';
import { PortalClient } from './portal-client.ts';

const PASSWORD = 'correct horse battery';

async function fakePortal() {
  let company: PortalRegisterRequest | undefined;
  const services: CreateServiceRequest[] = [];
  const platform = await FakePlatform.start({
    'POST /api/portal/register': ({ json }) => {
      company = json();
      return { status: 201, body: { token: 's1', expires_at: 'x', company: {} } };
    },
    'POST /api/portal/sign-out': () => ({ status: 204 }),
    'GET /api/account/recovery-key': () => ({ body: company?.recovery_key }),
    'POST /api/services': ({ json }) => {
      services.push(json());
      return { status: 201, body: { id: 'svc' } };
    },
    'GET /api/account/recovery-copies': () => ({
      body: {
        items: services.map(({ passphrase_recovery_copy: sealed }) => ({
          id: 'r',
          kind: 'service_passphrase',
          service_id: 'svc',
          client_id: null,
          sealed,
          created_at: 'x',
        })),
      },
    }),
  });
  const client = await PortalClient.register({
    baseUrl: platform.url,
    name: 'Acme',
    email: 'owner@acme.example',
    password: PASSWORD,
  });
  return { platform, client, services, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

test('an owner moves the company to another region and reads the progress', async () => {
  await using portal = await fakePortal();
  const move = { id: 'm', from: 'eu', to: 'us', status: 'under_way', started_at: 'x', ended_at: null };
  portal.platform.route('POST /api/profile/migrate-region', () => ({ status: 202, body: move }));
  portal.platform.route('GET /api/profile/migrate-region', () => ({ body: null }));
  assert.deepEqual(await portal.client.migrateRegion('us', { password: PASSWORD, code: '123456' }), move);
  const sent = JSON.parse(portal.platform.requests.at(-1)?.text ?? '');
  assert.deepEqual(sent, { password: PASSWORD, code: '123456', region: 'us' });
  assert.equal(await portal.client.regionMigration(), null);
});

test('the portal client creates the keys of a service itself, and never sends the passphrase that opens the PEM', async () => {
  await using portal = await fakePortal();
  const { service, passphrase, pem } = await portal.client.createService({
    name: 'Shop',
    adminEmail: 'a@acme.example',
  });
  assert.equal(service.id, 'svc');
  const key = createPrivateKey({ key: pem, passphrase });
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  const [sent] = portal.services;
  assert.equal(sent?.public_key, spki);
  assert.equal(sent?.private_key_pem, pem);
  assert.equal(sent?.encrypted_private_key.iter, 100_000);
  for (const { text } of portal.platform.requests) assert.ok(!text.includes(passphrase));
});

test('recovery copies open with the account password and nothing else', async () => {
  await using portal = await fakePortal();
  const { passphrase } = await portal.client.createService({ name: 'Shop', adminEmail: 'a@acme.example' });
  const [copy] = await portal.client.recoverSecrets(PASSWORD);
  assert.deepEqual([copy?.kind, copy?.serviceId, copy?.secret], ['service_passphrase', 'svc', passphrase]);
  await assert.rejects(portal.client.recoverSecrets('wrong password'), (error) => {
    assert.ok(error instanceof DecryptionError);
    return error.errorKey === 'sdk.password_wrong';
  });
});

test('publishing uses the current configuration token unless one is given', async () => {
  await using portal = await fakePortal();
  const path = '/api/services/svc/request-fields';
  portal.platform.route(`GET ${path}`, () => ({
    body: { config_token: 'now', version: 1, request_fields: [] },
  }));
  portal.platform.route(`PUT ${path}`, ({ json }) => {
    const { config_token } = json<{ config_token: string }>();
    return config_token === 'now' ? { body: {} } : refusal(409, 'services.config_conflict');
  });
  await portal.client.publishRequestFields('svc', [{ slug: 'mail', label: 'Mail', type: 'email' }]);
  await assert.rejects(portal.client.publishRequestFields('svc', [], 'stale'), ConflictError);
});

test('a portal client sends nothing after it signs out', async () => {
  await using portal = await fakePortal();
  await portal.client.signOut();
  const { length } = portal.platform.requests;
  await assert.rejects(portal.client.account(), AuthenticationError);
  assert.equal(portal.platform.requests.length, length);
});

test('the portal client refuses an invalid address before it derives keys', async () => {
  const access = { baseUrl: 'symbolon.example', email: 'a@b.example', password: PASSWORD };
  await assert.rejects(PortalClient.signIn(access), ConfigurationError);
});
