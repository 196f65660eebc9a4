import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { test } from 'node:test';
import { fingerprint, generateKeyPair, importPrivateKey, openText, type Wrapper } from '@symbolon/crypto';
import type { CreateServiceRequest } from '@symbolon/protocol';
import { AuthenticationError, ConfigurationError, ForbiddenError, RegionError } from '../http/errors.ts';
import { PortalClient } from '../portal/portal-client.ts';
import { FakePlatform, refusal } from '../testing/fake-platform.ts';
import { AccountClient } from './account-client.ts';

const credentials = { clientId: 'acct_1', clientSecret: 'secret' };

/** A front door that gives tokens t1, t2 … for a region. */
async function fakePlatform(region?: FakePlatform) {
  let issued = 0;
  const platform: FakePlatform = await FakePlatform.start({
    'POST /oauth2/token': () => ({
      body: {
        token_type: 'Bearer',
        expires_in: 3600,
        access_token: `t${++issued}`,
        api_url: (region ?? platform).url,
      },
    }),
  });
  return platform;
}

test('creating a service follows the key recipe, and sends the passphrase only sealed to the confirmed recovery key', async () => {
  const recovery = await generateKeyPair();
  await using platform = await fakePlatform();
  platform.route('GET /api/account/recovery-key', () => ({
    body: { public_key: recovery.publicKey },
  }));
  let sent: CreateServiceRequest | undefined;
  platform.route('POST /api/services', ({ json }) => {
    sent = json();
    return { status: 201, body: { id: 'svc' } };
  });
  const input = { name: 'Shop', adminEmail: 'ops@acme.example' };
  const unconfirmed = new AccountClient({ url: platform.url, ...credentials });
  await assert.rejects(unconfirmed.createService(input), { errorKey: 'sdk.recovery_key_unconfirmed' });
  const options = { url: platform.url, ...credentials };
  const stale = new AccountClient({ ...options, recoveryKeyFingerprint: '0'.repeat(64) });
  await assert.rejects(stale.replaceServiceKey('svc'), { errorKey: 'sdk.recovery_key_changed' });
  assert.equal(platform.count('/api/services'), 0);
  const recoveryKeyFingerprint = await fingerprint(recovery.publicKey);
  const client = new AccountClient({ ...options, recoveryKeyFingerprint });
  const { service, passphrase, pem } = await client.createService(input);
  assert.equal(service.id, 'svc');
  assert.ok(createPrivateKey({ key: pem, passphrase }));
  const copy = sent?.passphrase_recovery_copy as unknown as Wrapper;
  assert.equal(await openText(copy, await importPrivateKey(recovery.privateKey)), passphrase);
  for (const { text } of platform.requests) assert.ok(!text.includes(passphrase));
});

test('an account client uses one token for many calls and replaces a rejected one exactly once', async () => {
  await using platform = await fakePlatform();
  platform.route('GET /api/account', ({ token }) =>
    token === 't1' ? refusal(401, 'auth.invalid') : { body: { name: 'Acme' } },
  );
  platform.route('GET /api/account/oauth-apps', () => refusal(401, 'auth.invalid'));
  const client = new AccountClient({ url: platform.url, ...credentials });
  assert.equal((await client.account()).name, 'Acme');
  await client.account();
  assert.equal(platform.count('/oauth2/token'), 2);
  await assert.rejects(client.oauthApps(), AuthenticationError);
  assert.equal(platform.count('/api/account/oauth-apps'), 2);
});

test('an account client calls the home region and follows it once after a move', async () => {
  await using next = await FakePlatform.start({ 'GET /api/account': () => ({ body: { name: 'Acme' } }) });
  await using region = await FakePlatform.start({});
  region.route('GET /api/account', () =>
    refusal(421, 'region.rebase_required', { details: { api_url: next.url } }),
  );
  region.route('GET /api/account/oauth-apps', () =>
    refusal(421, 'region.rebase_required', { details: { api_url: region.url } }),
  );
  await using platform = await fakePlatform(region);
  const client = new AccountClient({ url: platform.url, ...credentials });
  await assert.rejects(client.oauthApps(), RegionError);
  assert.equal(region.count('/api/account/oauth-apps'), 2);
  assert.equal((await client.account()).name, 'Acme');
  await client.account();
  assert.equal(region.count('/api/account'), 1);
  assert.equal(platform.count('/oauth2/token'), 1);
});

test('an account client gets a ForbiddenError for an address outside its capabilities', async () => {
  await using platform = await fakePlatform();
  platform.route('GET /api/services', () => refusal(403, 'auth.client_endpoint_forbidden'));
  const client = new AccountClient({ url: platform.url, ...credentials });
  await assert.rejects(client.services(), (error) => {
    assert.ok(error instanceof ForbiddenError);
    return error.errorKey === 'auth.client_endpoint_forbidden';
  });
});

test('an account client addresses sign-in apps by their client id', async () => {
  await using platform = await fakePlatform();
  const bodies: unknown[] = [];
  for (const route of [
    'POST /api/account/oauth-apps',
    'PUT /api/account/oauth-apps/app_1',
    'POST /api/account/oauth-apps/app_1/regenerate-secret',
    'GET /api/account/oauth-apps/app_1',
    'DELETE /api/account/oauth-apps/app_1',
  ]) {
    platform.route(route, ({ text }) => {
      bodies.push([route, text]);
      return { body: { client_id: 'app_1' } };
    });
  }
  const client = new AccountClient({ url: platform.url, ...credentials });
  const redirect_uris = ['https://a.example/'];
  await client.createOAuthApp({ name: 'A', redirect_uris, claims_delivery: 'plaintext' });
  await client.updateOAuthApp('app_1', { redirect_uris });
  await client.regenerateOAuthAppSecret('app_1');
  await client.oauthApp('app_1');
  await client.deleteOAuthApp('app_1');
  assert.deepEqual(bodies, [
    [
      'POST /api/account/oauth-apps',
      JSON.stringify({ name: 'A', redirect_uris, claims_delivery: 'plaintext' }),
    ],
    ['PUT /api/account/oauth-apps/app_1', JSON.stringify({ redirect_uris })],
    ['POST /api/account/oauth-apps/app_1/regenerate-secret', ''],
    ['GET /api/account/oauth-apps/app_1', ''],
    ['DELETE /api/account/oauth-apps/app_1', ''],
  ]);
});

test('a portal client lists when clients were last used', async () => {
  await using platform = await FakePlatform.start({});
  const items = [{ client_id: 'svc_1', kind: 'data_client', last_used_at: null }];
  platform.route('GET /api/account/client-uses', () => ({ body: { items } }));
  const portal = PortalClient.resume({ baseUrl: platform.url, token: 's', expiresAt: 'x' });
  assert.deepEqual(await portal.clientUses(), items);
});

test('a portal client creates, lists, changes and deletes account clients', async () => {
  await using platform = await FakePlatform.start({});
  const asked: string[] = [];
  for (const route of [
    'POST /api/account/clients',
    'GET /api/account/clients',
    'PUT /api/account/clients/acct_1/capabilities',
    'POST /api/account/clients/acct_1/regenerate-secret',
    'DELETE /api/account/clients/acct_1',
  ]) {
    platform.route(route, ({ text }) => {
      asked.push(`${route} ${text}`.trim());
      return { body: { clients: [{ client_id: 'acct_1' }] } };
    });
  }
  const portal = PortalClient.resume({ baseUrl: platform.url, token: 's', expiresAt: 'x' });
  await portal.createAccountClient({ name: 'Robot', capabilities: ['service_management'], purpose: 'ci' });
  assert.deepEqual(await portal.accountClients(), [{ client_id: 'acct_1' }]);
  await portal.grantCapabilities('acct_1', []);
  await portal.regenerateAccountClientSecret('acct_1');
  await portal.deleteAccountClient('acct_1');
  assert.deepEqual(asked, [
    'POST /api/account/clients {"name":"Robot","capabilities":["service_management"],"purpose":"ci"}',
    'GET /api/account/clients',
    'PUT /api/account/clients/acct_1/capabilities {"capabilities":[]}',
    'POST /api/account/clients/acct_1/regenerate-secret',
    'DELETE /api/account/clients/acct_1',
  ]);
});

test('the environment configures an account client, and the error names the variables that are missing', () => {
  const env = {
    SYMBOLON_URL: 'https://symbolon.example',
    SYMBOLON_ACCOUNT_CLIENT_ID: 'acct_1',
    SYMBOLON_ACCOUNT_CLIENT_SECRET: 's',
  };
  assert.ok(AccountClient.fromEnvironment(env));
  assert.throws(
    () =>
      AccountClient.fromEnvironment({ ...env, SYMBOLON_URL: '', SYMBOLON_ACCOUNT_CLIENT_SECRET: undefined }),
    (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.deepEqual(error.details.missing, ['SYMBOLON_URL', 'SYMBOLON_ACCOUNT_CLIENT_SECRET']);
      return true;
    },
  );
  assert.throws(() => new AccountClient({ url: 'symbolon.example', ...credentials }), ConfigurationError);
  const fingerprinted = { ...env, SYMBOLON_RECOVERY_KEY_FINGERPRINT: 'abc' };
  assert.throws(() => AccountClient.fromEnvironment(fingerprinted), ConfigurationError);
});
