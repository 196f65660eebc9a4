import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { createServiceKey, decryptPrivateKey, sealValue } from '@symbolon/crypto';
import {
  connect,
  createAccountClient,
  registerCompany,
  registerPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const key = await createServiceKey();

onPlatform('the service family by an account client', (platform) => {
  const automation = async () => {
    const company = await registerCompany(platform());
    const client = await createAccountClient(platform(), company, ['service_management']);
    const must = (method: string, path: string, body?: unknown) =>
      platform().must(method, path, { token: client.token, body });
    return { company, client, must };
  };
  const recipe = {
    name: 'Shop',
    admin_email: 'ops@example.com',
    public_key: key.publicKey,
    encrypted_private_key: key.encryptedPrivateKey,
  };

  test('goes from creating a service by the recipe to deleting it', async () => {
    const { company, must } = await automation();
    // Wire 2.2 alone: no PEM, no copy of the passphrase.
    const service = await must('POST', '/api/services', recipe);
    assert.equal(service.company_code, company.code);
    const path = `/api/services/${service.id}`;
    proves('route:POST /api/services');
    assert.deepEqual((await must('GET', '/api/services')).items, [service]);
    assert.deepEqual(await must('GET', path), service);
    assert.equal((await must('PUT', path, { name: 'Store' })).name, 'Store');
    assert.equal((await must('PUT', `${path}/share-code`, { share_code: 'STORE1' })).share_code, 'STORE1');
    const email = await must('PUT', `${path}/admin-email`, { admin_email: 'new@example.com' });
    assert.equal(email.admin_email, 'new@example.com');
    assert.equal((await must('PUT', `${path}/audience`, { audience: 'person' })).audience, 'person');
    assert.equal((await must('PUT', `${path}/require-2fa`, { require_2fa: true })).require_2fa, true);
    assert.equal((await must('PUT', `${path}/require-2fa`, { require_2fa: false })).require_2fa, false);
    const digits = await must('PUT', `${path}/number-matching`, { number_matching: true });
    assert.equal(digits.number_matching, true);

    const { config_token } = await must('GET', `${path}/request-fields`);
    const row = { slug: 'email', label: 'E-mail', type: 'email' };
    const published = await must('PUT', `${path}/request-fields`, { config_token, request_fields: [row] });
    assert.equal(published.request_fields[0].slug, 'email');
    const shown = await must('GET', `${path}/share-fields`);
    const share = { slug: 'phone', label: 'Phone', type: 'phone', value: '+4940555000' };
    await must('PUT', `${path}/share-fields`, { config_token: shown.config_token, share_fields: [share] });

    const stored = await must('GET', `${path}/private-key`);
    const pkcs8 = await decryptPrivateKey(stored.encrypted_private_key, key.passphrase);
    const opened = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(opened).export({ type: 'spki', format: 'der' });
    assert.equal(spki.toString('base64'), service.public_key);

    const registered = await must('POST', `${path}/client`);
    assert.equal((await must('GET', `${path}/client`)).client_id, registered.client_id);
    const { client_secret } = await must('POST', `${path}/client/regenerate-secret`);
    const data = await tokenFor(platform(), registered.client_id, client_secret);
    const whoami = await platform().must('GET', '/api/company-data/whoami', { token: data });
    proves('route:GET /api/company-data/whoami');
    const ids = { company_user_id: company.id, service_id: service.id };
    assert.deepEqual(whoami, ids);
    const named = await platform().must('GET', '/api/company-data/whoami?names=true', { token: data });
    const shownService = await must('GET', path);
    assert.deepEqual(named, { ...ids, company_name: 'Acme', service_name: shownService.name });
    const { items } = await must('GET', '/api/account/recovery-copies');
    assert.deepEqual(
      items.map((copy: { service_id: string | null }) => copy.service_id),
      [null, service.id],
    );
    await must('GET', '/api/account/recovery-key');

    const { id } = await must('POST', `${path}/webhooks`, { url: 'https://hooks.example/in' });
    proves('route:GET /api/services/{id}/webhooks', 'route:POST /api/services/{id}/webhooks');
    assert.equal((await must('GET', `${path}/webhooks`)).webhooks.length, 1);
    proves('route:GET /api/services/{id}/webhooks/{webhookId}');
    assert.equal((await must('GET', `${path}/webhooks/${id}`)).id, id);
    const changed = await must('PUT', `${path}/webhooks/${id}`, { url: 'https://hooks.example/2' });
    proves('route:PUT /api/services/{id}/webhooks/{webhookId}');
    assert.equal(changed.url, 'https://hooks.example/2');
    await must('DELETE', `${path}/webhooks/${id}`);

    await must('DELETE', `${path}/client`);
    await must('DELETE', path);
    proves('route:GET /api/services/{id}/private-key');
    assert.deepEqual((await must('GET', '/api/services')).items, []);
  });

  test('keeps the PEM and the passphrase for the recovery key when they are sent', async () => {
    const { company, client, must } = await automation();
    const view = await must('GET', '/api/account/recovery-key');
    const service = await must('POST', '/api/services', {
      ...recipe,
      private_key_pem: key.privateKeyPem,
      passphrase_recovery_copy: await sealValue(key.passphrase, view.public_key),
    });
    const path = `/api/services/${service.id}/private-key.pem`;
    const pem = await platform().call('GET', path, { token: client.token });
    assert.equal(pem.text, key.privateKeyPem);
    assert.ok(createPrivateKey({ key: pem.text, passphrase: key.passphrase }));
    const { items } = await platform().must('GET', '/api/account/recovery-copies', { token: company.token });
    assert.ok(items.some((copy: { kind: string }) => copy.kind === 'service_passphrase'));
  });

  test('refuses a service without a valid admin e-mail', async () => {
    const { client } = await automation();
    proves('error:services.admin_email_invalid');
    for (const admin_email of [undefined, '', 'nobody']) {
      const body = { ...recipe, admin_email };
      const answer = await platform().call('POST', '/api/services', { token: client.token, body });
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'services.admin_email_invalid']);
    }
  });

  test('ends the connections of a service only on request', async () => {
    const { company, client, must } = await automation();
    const service = await must('POST', '/api/services', recipe);
    const person = await registerPerson(platform());
    const shop = { code: service.share_code, company, rows: {} };
    await connect(platform(), person, shop);
    const path = `/api/services/${service.id}`;
    const answer = await platform().call('DELETE', path, { token: client.token });
    assert.deepEqual([answer.status, answer.body.error_key], [409, 'services.has_connections']);
    await must('DELETE', `${path}?confirm=true`);
  });

  test('shows nothing of another company', async () => {
    const { client, must } = await automation();
    const { id } = await must('POST', '/api/services', recipe);
    const hook = await must('POST', `/api/services/${id}/webhooks`, { url: 'https://hooks.example/in' });
    await must('POST', `/api/services/${id}/client`);
    const stranger = await automation();
    assert.deepEqual((await stranger.must('GET', '/api/services')).items, []);
    assert.ok(!JSON.stringify(await stranger.must('GET', '/api/account/recovery-copies')).includes(id));
    const path = `/api/services/${id}`;
    const { config_token } = await must('GET', `${path}/request-fields`);
    const shares = await must('GET', `${path}/share-fields`);
    const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', path],
      ['PUT', path, { name: 'Mine' }],
      ['DELETE', path],
      ['PUT', `${path}/share-code`, { share_code: 'MINE' }],
      ['PUT', `${path}/admin-email`, { admin_email: 'evil@example.com' }],
      ['PUT', `${path}/audience`, { audience: 'company' }],
      ['PUT', `${path}/require-2fa`, { require_2fa: true }],
      ['PUT', `${path}/number-matching`, { number_matching: true }],
      ['GET', `${path}/request-fields`],
      ['PUT', `${path}/request-fields`, { config_token, request_fields: [] }],
      ['GET', `${path}/share-fields`],
      ['PUT', `${path}/share-fields`, { config_token: shares.config_token, share_fields: [] }],
      ['GET', `${path}/private-key`],
      ['GET', `${path}/private-key.pem`],
      ['POST', `${path}/client`],
      ['GET', `${path}/client`],
      ['POST', `${path}/client/regenerate-secret`],
      ['DELETE', `${path}/client`],
      ['POST', `${path}/webhooks`, { url: 'https://evil.example/in' }],
      ['GET', `${path}/webhooks`],
      ['GET', `${path}/webhooks/${hook.id}`],
      ['PUT', `${path}/webhooks/${hook.id}`, { url: 'https://evil.example/in' }],
      ['DELETE', `${path}/webhooks/${hook.id}`],
      ['POST', `${path}/webhooks/${hook.id}/test`],
    ];
    const before = await must('GET', path);
    for (const [method, address, body] of calls) {
      const { token } = stranger.client;
      const answer = await platform().call(method, address, { token, body });
      assert.equal(answer.status, 404, `${method} ${address}: ${answer.text}`);
      assert.match(answer.body.error_key, /not_found$/);
    }
    assert.deepEqual(await must('GET', path), before);
    assert.equal((await platform().call('GET', path, { token: client.token })).status, 200);
  });

  test('is closed to a client that was not granted it', async () => {
    const company = await registerCompany(platform());
    const { token } = await createAccountClient(platform(), company, ['oauth_apps', 'customer_connections']);
    for (const [method, path] of [
      ['GET', '/api/services'],
      ['POST', '/api/services'],
      ['DELETE', '/api/services/x'],
      ['POST', '/api/services/x/client'],
    ] as const) {
      const answer = await platform().call(method, path, { token });
      assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
    }
  });
});
