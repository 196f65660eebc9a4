import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createServiceKey, generateKeyPair } from '@symbolon/crypto';
import { limits } from '@symbolon/protocol';
import {
  createAccountClient,
  createService,
  dataToken,
  openSealed,
  registerCompany,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';

const PATH = '/api/account/oauth-apps';
const { publicKey } = await generateKeyPair();
const pair = await createServiceKey();
const wrapped = pair.encryptedPrivateKey;
const rsa4096 = (await generateLarge()).toString('base64');
const redirect_uris = ['https://app.example/cb'];
const app = { name: 'Web shop', redirect_uris, public_key: publicKey };

const create = (platform: TestPlatform, company: TestCompany, body: unknown) =>
  platform.call('POST', PATH, { token: company.token, body });

onPlatform('sign-in apps', (platform) => {
  test('are confidential and get their claims encrypted unless they say otherwise', async () => {
    const company = await registerCompany(platform());
    const answer = await create(platform(), company, { ...app, name: ' Web shop ' });
    proves('route:POST /api/account/oauth-apps');
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { client_id, client_secret, ...rest } = answer.body;
    assert.match(client_id, /^app_[\w-]{34}$/);
    assert.match(client_secret, /^[\w-]{43}$/);
    const at = '2026-01-31T09:30:00.000Z';
    const der = Buffer.from(publicKey, 'base64');
    assert.deepEqual(rest, {
      name: 'Web shop',
      app_type: 'confidential',
      confidential: true,
      redirect_uris,
      service_id: null,
      require_2fa: false,
      detached: true,
      claims_delivery: 'encrypted',
      claim_config: [],
      id_token_signed_response_alg: 'RS256',
      public_key: publicKey,
      public_key_sha256: createHash('sha256').update(der).digest('hex'),
      grant_types: ['authorization_code'],
      created_at: at,
      updated_at: at,
      secret_created_at: at,
    });
    const { token } = company;
    assert.deepEqual(await platform().must('GET', `${PATH}/${client_id}`, { token }), { client_id, ...rest });
    assert.deepEqual(await platform().must('GET', PATH, { token }), { oauth_apps: [{ client_id, ...rest }] });
    const { reader } = platform().context.database;
    proves('route:GET /api/account/oauth-apps/{id}');
    for (const table of ['oauth_apps', 'recovery_copies', 'audit_log'] as const) {
      const rows = await reader.selectFrom(table).selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(client_secret), table);
    }
  });

  test('leave a copy of their secret that the recovery key opens', async () => {
    const company = await registerCompany(platform());
    const { token } = company;
    const { client_id, client_secret } = (await create(platform(), company, app)).body;
    const copies = async () => {
      const { items } = await platform().must('GET', '/api/account/recovery-copies', { token });
      return Promise.all(
        items.map(async (copy: { client_id: string; service_id: null; sealed: object }) => [
          copy.client_id,
          copy.service_id,
          await openSealed(JSON.stringify(copy.sealed)),
        ]),
      );
    };
    assert.deepEqual(await copies(), [[client_id, null, client_secret]]);
    platform().clock.advance(1000);
    const path = `${PATH}/${client_id}/regenerate-secret`;
    const renewed = await platform().call('POST', path, { token });
    proves('route:POST /api/account/oauth-apps/{id}/regenerate-secret');
    assert.equal(renewed.headers.get('cache-control'), 'no-store');
    assert.notEqual(renewed.body.client_secret, client_secret);
    assert.ok(renewed.body.secret_created_at > renewed.body.created_at);
    assert.deepEqual(await copies(), [[client_id, null, renewed.body.client_secret]]);
    await platform().must('DELETE', `${PATH}/${client_id}`, { token });
    assert.deepEqual(await copies(), []);
  });

  test('that are public have no secret, and none can be made for them', async () => {
    const company = await registerCompany(platform());
    const { token } = company;
    const answer = await create(platform(), company, { ...app, app_type: 'public' });
    assert.deepEqual(
      [answer.status, answer.body.app_type, answer.body.client_secret, answer.body.secret_created_at],
      [201, 'public', null, null],
    );
    const path = `${PATH}/${answer.body.client_id}/regenerate-secret`;
    const refused = await platform().call('POST', path, { token });
    proves('error:oauth_apps.secret_unsupported');
    assert.deepEqual([refused.status, refused.body.error_key], [409, 'oauth_apps.secret_unsupported']);
    assert.deepEqual((await platform().must('GET', '/api/account/recovery-copies', { token })).items, []);
  });

  test('take plaintext claims, and a key at any time', async () => {
    const company = await registerCompany(platform());
    const body = { name: 'Plain', redirect_uris, claims_delivery: 'plaintext' };
    const plain = await create(platform(), company, body);
    assert.deepEqual(
      [plain.status, plain.body.claims_delivery, plain.body.public_key, plain.body.public_key_sha256],
      [201, 'plaintext', null, null],
    );
    const path = `${PATH}/${plain.body.client_id}`;
    const change = (more: object) =>
      platform().call('PUT', path, { token: company.token, body: { redirect_uris, ...more } });
    proves('route:PUT /api/account/oauth-apps/{id}');
    assert.equal((await change({ claims_delivery: 'encrypted' })).body.public_key, null);
    assert.deepEqual((await change({ public_key: publicKey })).body.public_key, publicKey);
    const wrong = await change({ public_key: 'AAAA' });
    proves('error:oauth_apps.public_key_invalid');
    assert.deepEqual([wrong.status, wrong.body.error_key], [400, 'oauth_apps.public_key_invalid']);
    const back = await change({ public_key: null });
    assert.deepEqual([back.body.claims_delivery, back.body.public_key], ['encrypted', null]);
  });

  for (const [title, change, error] of [
    ['a missing name', { name: undefined }, 'oauth_apps.name_invalid'],
    ['a blank name', { name: '  ' }, 'oauth_apps.name_invalid'],
    ['no redirect URIs', { redirect_uris: undefined }, 'oauth_apps.redirect_uri_invalid'],
    ['an empty list of redirect URIs', { redirect_uris: [] }, 'oauth_apps.redirect_uri_invalid'],
    [
      'one redirect URI twice',
      { redirect_uris: ['https://a.example/', 'https://a.example/'] },
      'oauth_apps.redirect_uri_invalid',
    ],
    ['more than 20 redirect URIs', { redirect_uris: uris(21) }, 'oauth_apps.redirect_uri_invalid'],
    [
      'plain http',
      { redirect_uris: ['https://a.example/', 'http://a.example/'] },
      'oauth_apps.redirect_uri_invalid',
    ],
    ['a fragment', { redirect_uris: ['https://a.example/#x'] }, 'oauth_apps.redirect_uri_invalid'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'oauth_apps.redirect_uri_invalid'],
    ['two answers about the secret', { app_type: 'public', confidential: true }, 'request.invalid'],
    [
      'a private key alone',
      { public_key: undefined, encrypted_private_key: wrapped },
      'oauth_apps.encrypted_private_key_invalid',
    ],
    [
      'an invalid private key',
      { encrypted_private_key: { ...wrapped, iter: 1 } },
      'oauth_apps.encrypted_private_key_invalid',
    ],
    [
      'an invalid PEM',
      { encrypted_private_key: wrapped, private_key_pem: 'PEM' },
      'oauth_apps.private_key_pem_invalid',
    ],
    ['a PEM alone', { private_key_pem: 'PEM' }, 'oauth_apps.private_key_pem_invalid'],
    [
      'a PEM without any key',
      { public_key: undefined, private_key_pem: 'PEM' },
      'oauth_apps.private_key_pem_invalid',
    ],
    ['an unknown service', { service_id: 'nothing' }, 'oauth_apps.service_invalid'],
    ['a plugin', { claim_config: [{ name: 'email', plugin: {} }] }, 'oauth_apps.claim_config_plugin_invalid'],
    [
      'its type',
      { claim_config: [{ name: 'email', type: 'plugin' }] },
      'oauth_apps.claim_config_plugin_invalid',
    ],
    [
      'a claim twice',
      { claim_config: [{ name: 'name' }, { name: 'name' }] },
      'oauth_apps.claim_config_invalid',
    ],
    [
      'a verified name',
      { claim_config: [{ name: 'name', verified: true }] },
      'oauth_apps.claim_config_invalid',
    ],
    [
      'an age of what is not verified',
      { claim_config: [{ name: 'email', verified_max_age_days: 3 }] },
      'oauth_apps.claim_config_invalid',
    ],
    ['a claim of no scope', { claim_config: [{ name: 'phone' }] }, 'request.invalid'],
    ['another algorithm', { id_token_signed_response_alg: 'none' }, 'request.invalid'],
    ['an invalid key', { public_key: 'AAAA' }, 'oauth_apps.public_key_invalid'],
    ['a key that is no text', { public_key: 7 }, 'oauth_apps.public_key_invalid'],
    ['a key of another size', { public_key: rsa4096 }, 'oauth_apps.public_key_invalid'],
    ['another delivery', { claims_delivery: 'sealed' }, 'request.invalid'],
    ['another type', { app_type: 'native' }, 'request.invalid'],
    ['an unknown member', { scopes: [] }, 'request.invalid'],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const company = await registerCompany(platform());
      const answer = await create(platform(), company, { ...app, ...change });
      proves(`error:${error}`);
      assert.deepEqual([answer.status, answer.body.error_key], [400, error], answer.text);
      assert.deepEqual((await platform().must('GET', PATH, { token: company.token })).oauth_apps, []);
    });
  }

  test('have a redirect-URI set that is replaced as a whole, kept to the letter and audited', async () => {
    const company = await registerCompany(platform());
    const client = await createAccountClient(platform(), company, ['oauth_apps']);
    const { body: made } = await create(platform(), company, app);
    platform().clock.advance(5000);
    const most = uris(20);
    const path = `${PATH}/${made.client_id}`;
    const changed = await platform().must('PUT', path, {
      token: client.token,
      body: { redirect_uris: most },
    });
    const { client_secret, ...before } = made;
    assert.deepEqual(changed, { ...before, redirect_uris: most, updated_at: changed.updated_at });
    assert.ok(changed.updated_at > before.updated_at);
    const letters = ['HTTPS://App.Example', 'https://app.example/%7e?a=b&a=c'];
    await platform().must('PUT', path, {
      token: company.token,
      body: { redirect_uris: letters, name: 'Renamed' },
    });
    const read = await platform().must('GET', path, { token: company.token });
    assert.deepEqual([read.redirect_uris, read.name], [letters, 'Renamed']);
    const refused = await platform().call('PUT', path, {
      token: company.token,
      body: { redirect_uris: [...letters, 'http://app.example/'] },
    });
    assert.deepEqual(refused.body.issues, [
      { path: '/redirect_uris/2', message: 'must use https: http is for loopback addresses alone' },
    ]);
    const rows = await platform()
      .context.database.reader.selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', company.id)
      .where('target', '=', made.client_id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map((row) => [row.actor_kind, row.action]),
      [
        ['portal', 'oauth_app.created'],
        ['account_client', 'oauth_app.updated'],
        ['portal', 'oauth_app.updated'],
      ],
    );
    assert.equal(rows[1]?.actor_id, client.id);
    const { before: was, after: is } = JSON.parse(rows[1]?.details ?? '');
    assert.deepEqual([was.redirect_uris, is.redirect_uris], [redirect_uris, most]);
    assert.ok(!JSON.stringify(rows).includes(client_secret));
  });

  test('belong to a service, want claims and a second factor, and sign with the chosen algorithm', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const settings = {
      service_id: service.id,
      require_2fa: true,
      claim_config: [{ name: 'email', required: true, verified: true, verified_max_age_days: 30 }],
      id_token_signed_response_alg: 'EdDSA',
    };
    const made = await create(platform(), company, { ...app, ...settings, confidential: false });
    const { client_id, ...rest } = made.body;
    assert.deepEqual(
      [made.status, rest.app_type, rest.confidential, { ...rest, ...settings }],
      [201, 'public', false, rest],
    );
    const path = `${PATH}/${client_id}`;
    const change = (more: object) =>
      platform().must('PUT', path, { token: company.token, body: { redirect_uris, ...more } });
    assert.deepEqual(
      { ...(await change({})), ...settings, updated_at: 0 },
      { ...(await change({})), updated_at: 0 },
    );
    const plain = {
      service_id: null,
      require_2fa: false,
      claim_config: [],
      id_token_signed_response_alg: 'RS256',
    };
    const changed = await change(plain);
    assert.deepEqual({ ...changed, ...plain }, changed);
    await change(settings);
    await platform().must('DELETE', `/api/services/${service.id}`, { token: company.token });
    const read = await platform().must('GET', path, { token: company.token });
    assert.deepEqual([read.service_id, read.require_2fa], [null, true]);
  });

  test('cannot belong to the service of another company', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), await registerCompany(platform()));
    const refused = await create(platform(), company, { ...app, service_id: service.id });
    proves('error:oauth_apps.service_invalid');
    assert.deepEqual([refused.status, refused.body.error_key], [400, 'oauth_apps.service_invalid']);
  });

  test('get a key pair, of which only a present person or their own client reads the private half', async () => {
    const company = await registerCompany(platform());
    const client = await createAccountClient(platform(), company, ['oauth_apps']);
    const { client_id } = await platform().must('POST', PATH, {
      token: company.token,
      body: { name: 'Shop', redirect_uris },
    });
    const read = (token: string, headers = {}) =>
      platform().call('GET', `${PATH}/${client_id}/private-key`, { token, headers });
    const none = await read(client.token);
    proves('error:oauth_apps.private_key_missing', 'route:GET /api/account/oauth-apps/{id}/private-key');
    assert.deepEqual([none.status, none.body.error_key], [404, 'oauth_apps.private_key_missing']);
    const key = { public_key: pair.publicKey, encrypted_private_key: wrapped };
    const path = `${PATH}/${client_id}/key`;
    const replaced = await platform().call('PUT', path, { token: company.token, body: key });
    proves('route:PUT /api/account/oauth-apps/{id}/key');
    assert.deepEqual([replaced.status, replaced.body.public_key], [200, pair.publicKey], replaced.text);
    assert.ok(!replaced.text.includes(wrapped.data));
    const opened = await read(client.token);
    assert.deepEqual(opened.body, {
      client_id,
      ...key,
      public_key_sha256: replaced.body.public_key_sha256,
      private_key_pem: null,
    });
    assert.equal((await read(company.token)).body.error_key, 'auth.proof_required');
    const wrong = await platform().call('PUT', path, {
      token: company.token,
      body: { ...key, encrypted_private_key: { ...wrapped, salt: 'AAAA' } },
    });
    assert.equal(wrong.body.error_key, 'oauth_apps.encrypted_private_key_invalid');
  });

  test('are the whole business of an account client that was granted them', async () => {
    const company = await registerCompany(platform());
    const { token } = await createAccountClient(platform(), company, ['oauth_apps']);
    const made = await platform().must('POST', PATH, { token, body: app });
    const path = `${PATH}/${made.client_id}`;
    await platform().must('PUT', path, { token, body: { redirect_uris } });
    await platform().must('POST', `${path}/regenerate-secret`, { token });
    const { items } = await platform().must('GET', '/api/account/recovery-copies', { token });
    assert.ok(items.some((copy: { client_id: string }) => copy.client_id === made.client_id));
    proves('route:GET /api/account/oauth-apps');
    assert.equal((await platform().must('GET', PATH, { token })).oauth_apps.length, 1);
    proves('route:DELETE /api/account/oauth-apps/{id}');
    assert.equal((await platform().call('DELETE', path, { token })).status, 204);
    proves('error:oauth_apps.not_found');
    assert.equal((await platform().call('GET', path, { token })).body.error_key, 'oauth_apps.not_found');
  });

  test('sign-in apps of another company are not found', async () => {
    const company = await registerCompany(platform());
    const stranger = await registerCompany(platform());
    const { token } = await createAccountClient(platform(), stranger, ['oauth_apps']);
    const { body: made } = await create(platform(), company, app);
    for (const caller of [token, stranger.token]) {
      for (const id of [made.client_id, 'app_nobody']) {
        for (const [method, path, body] of [
          ['GET', `${PATH}/${id}`, undefined],
          ['PUT', `${PATH}/${id}`, { redirect_uris: ['https://evil.example/'] }],
          ['POST', `${PATH}/${id}/regenerate-secret`, undefined],
          ['DELETE', `${PATH}/${id}`, undefined],
        ] as const) {
          const answer = await platform().call(method, path, { token: caller, body });
          assert.deepEqual([answer.status, answer.body.error_key], [404, 'oauth_apps.not_found']);
        }
      }
      assert.deepEqual((await platform().must('GET', PATH, { token: caller })).oauth_apps, []);
    }
    const { client_secret, ...kept } = made;
    const path = `${PATH}/${made.client_id}`;
    assert.deepEqual(await platform().must('GET', path, { token: company.token }), kept);
  });

  test('a company cannot have more sign-in apps than the limit', async () => {
    const company = await registerCompany(platform());
    const { body: made } = await create(platform(), company, app);
    const { database } = platform().context;
    const row = await database.reader
      .selectFrom('oauth_apps')
      .selectAll()
      .where('client_id', '=', made.client_id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: limits.oauthAppsMost - 2 }, (_, index) => ({
      ...row,
      client_id: `${made.client_id}_${index}`,
    }));
    await database.write((writer) => writer.insertInto('oauth_apps').values(rows).execute());
    const answers = await Promise.all([create(platform(), company, app), create(platform(), company, app)]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409]);
    const over = answers.find((answer) => answer.status === 409);
    proves('error:oauth_apps.limit_reached', 'limit:oauthAppsMost');
    assert.equal(over?.body.error_key, 'oauth_apps.limit_reached');
  });

  test('get no token by their own credentials, nor for an unapproved code', async () => {
    const company = await registerCompany(platform());
    const { body: made } = await create(platform(), company, app);
    const ask = (grant_type: string) =>
      platform().call('POST', '/oauth2/token', {
        body: new URLSearchParams({
          grant_type,
          client_id: made.client_id,
          client_secret: made.client_secret,
          code: 'x',
        }),
      });
    proves('error:unsupported_grant_type');
    for (const [grant, error] of [
      ['authorization_code', 'invalid_grant'],
      ['refresh_token', 'unsupported_grant_type'],
      ['client_credentials', 'unauthorized_client'],
    ] as const) {
      const answer = await ask(grant);
      assert.deepEqual([answer.status, answer.body.error, answer.body.error_key], [400, error, error]);
    }
    const path = `/oauth2/authorize?response_type=code&client_id=${made.client_id}`;
    const authorize = await fetch(`${platform().url}${path}`, { redirect: 'manual' });
    proves('route:GET /oauth2/authorize');
    assert.deepEqual(
      [authorize.status, authorize.headers.get('location'), authorize.headers.get('cache-control')],
      [302, `/auth?response_type=code&client_id=${made.client_id}`, 'no-store'],
    );
    // A query may hold question marks (RFC 3986 3.4).
    const returning = `${path}&redirect_uri=https://shop.example/cb?shop=1&state=s?t&code_challenge=c`;
    const whole = await fetch(`${platform().url}${returning}`, { redirect: 'manual' });
    assert.equal(whole.headers.get('location'), returning.replace('/oauth2/authorize', '/auth'));
    const posted = await fetch(`${platform().url}/oauth2/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ client_id: made.client_id, scope: 'openid email' }),
    });
    proves('route:POST /oauth2/authorize');
    assert.deepEqual(
      [posted.status, posted.headers.get('location')],
      [302, `/auth?client_id=${made.client_id}&scope=openid+email`],
    );
  });

  test('data clients cannot reach sign-in apps', async () => {
    const company = await registerCompany(platform());
    const token = await dataToken(platform(), await createService(platform(), company));
    const answer = await platform().call('GET', PATH, { token });
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.client_endpoint_forbidden']);
  });
});

onPlatform('codes and sign-ins of account clients', (platform) => {
  test('are refused: no code, no refreshing, no consent', async () => {
    const company = await registerCompany(platform());
    const { id, secret } = await createAccountClient(platform(), company, ['oauth_apps']);
    for (const grant_type of ['authorization_code', 'refresh_token']) {
      const answer = await platform().call('POST', '/oauth2/token', {
        body: new URLSearchParams({ grant_type, client_id: id, client_secret: secret, code: 'x' }),
      });
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'unauthorized_client']);
    }
    const answer = await platform().call('GET', `/oauth2/authorize?client_id=${id}&response_type=code`);
    assert.deepEqual([answer.status, answer.body.error_key], [400, 'unauthorized_client']);
  });
});

function uris(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `https://app.example/cb/${index}`);
}

async function generateLarge(): Promise<Buffer> {
  const pair = await crypto.subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: 4096, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  );
  return Buffer.from(await crypto.subtle.exportKey('spki', pair.publicKey));
}
