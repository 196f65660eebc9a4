import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createDataClient,
  createService,
  dataToken,
  registerCompany,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine, onPlatform } from '@symbolon/testkit/platform/platform';

const form = (members: Record<string, string>) => ({ body: new URLSearchParams(members) });

onPlatform('the token route', (platform) => {
  const registered = async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    const client = await createDataClient(platform(), service);
    return { company, service, id: client.clientId as string, secret: client.clientSecret as string };
  };

  test('gives a bearer token for an hour and the base to use', async () => {
    const { id, secret } = await registered();
    const answer = await platform().call('POST', '/oauth2/token', {
      ...form({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
      headers: { accept: 'application/xml' },
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(Object.keys(answer.body), ['token_type', 'expires_in', 'access_token', 'api_url']);
    assert.equal(answer.body.token_type, 'Bearer');
    assert.equal(answer.body.expires_in, 3600);
    assert.equal(answer.body.api_url, platform().url);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  test('has no clients of a company below the level that data clients need', async () => {
    const company = await registerCompany(platform());
    const service = await createService(platform(), company);
    await platform().context.database.write((writer) =>
      writer.updateTable('companies').set({ level: 'free' }).where('id', '=', company.id).execute(),
    );
    const answer = await platform().call('POST', `/api/services/${service.id}/client`, {
      token: company.token,
    });
    assert.deepEqual([answer.status, answer.body.error_key], [403, 'services.level_required']);
  });

  test('ends with the level that data clients need, and says so to who has the secret', async () => {
    const { id, secret, company } = await registered();
    const ask = (client_secret: string) =>
      platform().call(
        'POST',
        '/oauth2/token',
        form({ grant_type: 'client_credentials', client_id: id, client_secret }),
      );
    const token = (await ask(secret)).body.access_token;
    const setLevel = (level: 'free' | 'pro') =>
      platform().context.database.write((writer) =>
        writer.updateTable('companies').set({ level }).where('id', '=', company.id).execute(),
      );
    await setLevel('free');
    const used = await platform().call('GET', '/api/company-data/whoami', { token });
    assert.deepEqual([used.status, used.body.error_key], [403, 'services.level_required']);
    const refused = await ask(secret);
    assert.deepEqual([refused.status, refused.body.error_key], [400, 'unauthorized_client']);
    assert.equal((await ask('wrong')).body.error_key, 'invalid_client');
    await setLevel('pro');
    assert.equal((await platform().call('GET', '/api/company-data/whoami', { token })).status, 200);
  });

  test('takes credentials by HTTP Basic too, but not by both ways at once', async () => {
    const { id, secret } = await registered();
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const basic = { ...form({ grant_type: 'client_credentials' }), headers: { authorization } };
    assert.equal((await platform().call('POST', '/oauth2/token', basic)).status, 200);
    const wrong = { authorization: `Basic ${Buffer.from(`${id}:wrong`).toString('base64')}` };
    const refused = await platform().call('POST', '/oauth2/token', { ...basic, headers: wrong });
    assert.deepEqual([refused.status, refused.body.error_key], [401, 'invalid_client']);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Basic realm=/);
    const both = {
      ...form({ grant_type: 'client_credentials', client_secret: secret }),
      headers: { authorization },
    };
    assert.equal((await platform().call('POST', '/oauth2/token', both)).body.error, 'invalid_request');
    const empty = form({ grant_type: 'client_credentials', client_id: '', client_secret: '', scope: '' });
    const left = await platform().call('POST', '/oauth2/token', { ...empty, headers: { authorization } });
    assert.equal(left.status, 200, 'a parameter without a value counts as left out (RFC 6749 3.2)');
  });

  test('refuses U+0000 in forms, in HTTP Basic and in what is percent-decoded later', async () => {
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    for (const call of [
      form({ grant_type: 'client_credentials', client_id: 'a\0b', client_secret: 'x' }),
      form({ grant_type: 'authorization_code', client_id: 'app_\0', code: 'x' }),
      { ...form({ grant_type: 'client_credentials' }), headers: basic('a\0b:x') },
      { ...form({ grant_type: 'client_credentials' }), headers: basic('a%00b:x') },
    ]) {
      const { status, body } = await platform().call('POST', '/oauth2/token', call);
      assert.deepEqual([status, body.error], [400, 'invalid_request']);
    }
    const result = await platform().call('POST', '/oauth2/result', form({ client_id: 'app_\0', state: 'x' }));
    assert.equal(result.status, 400, result.text);
    const query = '?client_id=app_%00&response_type=code';
    const asked = await platform().call('POST', '/api/consent/requests', { body: { query } });
    assert.equal(asked.status, 400, asked.text);
  });

  test('answers an unknown client and a wrong secret alike', async () => {
    const { id } = await registered();
    const [unknown, wrong] = await Promise.all(
      ['svc_nobody', id].map((client_id) =>
        platform().call(
          'POST',
          '/oauth2/token',
          form({ grant_type: 'client_credentials', client_id, client_secret: 'x' }),
        ),
      ),
    );
    assert.equal(unknown?.status, 401);
    assert.deepEqual(unknown?.body, wrong?.body);
    assert.deepEqual(Object.keys(unknown?.body), ['error', 'error_key', 'error_description', 'docs']);
    assert.equal(unknown?.body.error, 'invalid_client');
    assert.equal(unknown?.body.error_key, 'invalid_client');
  });

  for (const [title, members, status, error] of [
    ['a missing grant type', {}, 400, 'invalid_request'],
    ['a missing client', { grant_type: 'client_credentials' }, 400, 'invalid_request'],
    ['a missing secret', { grant_type: 'client_credentials', client_id: 'svc_x' }, 400, 'invalid_request'],
    [
      'another grant',
      { grant_type: 'password', client_id: 'svc_x', client_secret: 'x' },
      400,
      'unsupported_grant_type',
    ],
    [
      'a missing code',
      { grant_type: 'authorization_code', client_id: 'app_x', client_secret: 'x' },
      400,
      'invalid_request',
    ],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const answer = await platform().call('POST', '/oauth2/token', form(members));
      assert.equal(answer.status, status);
      assert.equal(answer.body.error, error);
      assert.equal(answer.body.error_key, error);
    });
  }

  test('refuses the code and refresh grants for registered clients', async () => {
    const { id, secret } = await registered();
    for (const grant_type of ['authorization_code', 'refresh_token']) {
      const answer = await platform().call(
        'POST',
        '/oauth2/token',
        form({ grant_type, client_id: id, client_secret: secret, code: 'x' }),
      );
      assert.equal(answer.status, 400);
      assert.equal(answer.body.error_key, 'unauthorized_client');
      const unknown = await platform().call(
        'POST',
        '/oauth2/token',
        form({ grant_type, client_id: `${id}x`, client_secret: secret, code: 'x' }),
      );
      assert.deepEqual([unknown.status, unknown.body.error_key], [401, 'invalid_client']);
    }
    const authorize = await platform().call('GET', `/oauth2/authorize?client_id=${id}&response_type=code`);
    assert.equal(authorize.status, 400);
    assert.equal(authorize.body.error_key, 'unauthorized_client');
    for (const [query, wrong] of [
      ['', /client_id is missing/],
      ['?client_id=svc_nobody', /client is unknown/],
      ['?client_id=', /client_id is missing/],
      ['?client_id=&client_id=svc_nobody', /client is unknown/],
    ] as const) {
      const { status, body } = await platform().call('GET', `/oauth2/authorize${query}`);
      assert.deepEqual([status, body.error_key], [400, 'invalid_request'], query);
      assert.match(body.error_description, wrong);
    }
  });

  test('refuses repeated parameters and other content types in its own shape', async () => {
    const repeated = await platform().call('POST', '/oauth2/token', {
      body: 'grant_type=client_credentials&grant_type=client_credentials&client_id=a&client_secret=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    proves('error:invalid_request');
    assert.equal(repeated.body.error, 'invalid_request');
    const { id, secret } = await registered();
    const empty = await platform().call('POST', '/oauth2/token', {
      body: `grant_type=&client_id=&${form({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).body}&scope=&scope=`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    assert.equal(empty.status, 200, empty.text);
    const json = await platform().call('POST', '/oauth2/token', {
      body: { grant_type: 'client_credentials' },
    });
    assert.equal(json.status, 400);
    assert.equal(json.body.error_key, 'invalid_request');
  });

  test('takes a form with a charset and with parameters it does not know', async () => {
    const { id, secret } = await registered();
    const answer = await platform().call('POST', '/oauth2/token', {
      body: `grant_type=client_credentials&client_id=${id}&client_secret=${secret}&unknown=1`,
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    });
    assert.equal(answer.status, 200);
  });

  test('refuses an empty form, one that makes no sense, one that is too large, and other methods', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (body?: string) =>
      platform().call('POST', '/oauth2/token', { headers, ...(body === undefined ? {} : { body }) });
    assert.equal((await post()).body.error_key, 'invalid_request');
    assert.equal((await post('a=%ff%fe&=&&')).body.error_key, 'invalid_request');
    const large = await post(`a=${'x'.repeat(20_000)}`);
    assert.deepEqual([large.status, large.body.error_key], [413, 'request.too_large']);
    assert.equal((await platform().call('GET', '/oauth2/token')).status, 405);
  });

  test('a regenerated secret ends the old one and every token minted under it', async () => {
    const { company, service, id, secret } = await registered();
    const before = await tokenFor(platform(), id, secret);
    const renewed = await platform().must('POST', `/api/services/${service.id}/client/regenerate-secret`, {
      token: company.token,
    });
    const stale = await platform().call('GET', '/api/contact-field-types', { token: before });
    assert.equal(stale.status, 401);
    assert.equal(stale.body.error_key, 'auth.invalid');
    assert.match(stale.headers.get('www-authenticate') ?? '', /^Bearer /);
    const old = form({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    assert.equal((await platform().call('POST', '/oauth2/token', old)).status, 401);
    proves('route:POST /api/services/{id}/client/regenerate-secret');
    assert.ok(await tokenFor(platform(), id, renewed.client_secret));
  });

  test('an hour later a token has expired', async () => {
    const company = await registerCompany(platform());
    const token = await dataToken(platform(), await createService(platform(), company));
    platform().clock.advance(3_600_000);
    const answer = await platform().call('GET', '/api/company-data/whoami', { token });
    assert.equal(answer.status, 401);
    proves('error:auth.expired', 'limit:accessTokenSeconds');
    assert.equal(answer.body.error_key, 'auth.expired');
  });

  test('a missing, a malformed, an unknown and an expired token are told apart in words', async () => {
    const token = await dataToken(
      platform(),
      await createService(platform(), await registerCompany(platform())),
    );
    platform().clock.advance(3_600_000);
    const said = async (authorization?: string) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const { status, body } = await platform().call('GET', '/api/company-data/whoami', { headers });
      return [status, body.error_key, body.error, body.docs];
    };
    const invalid = [401, 'auth.invalid'];
    const docs = `${platform().url}/errors#auth.invalid`;
    const malformed =
      'What the header Authorization has is not an access token. Send it after the word Bearer, as it was issued.';
    assert.deepEqual(await said(), [
      ...invalid,
      'The call has no access token. Send one in the header Authorization, after the word Bearer.',
      docs,
    ]);
    for (const header of ['Bearer', token, 'Basic YTpi', 'Bearer nonsense'])
      assert.deepEqual(await said(header), [...invalid, malformed, docs], header);
    assert.deepEqual(await said('Bearer YQ.YQ.YQ'), [
      ...invalid,
      'The access token is not valid: it has ended, or was issued by another platform. Request a fresh one.',
      docs,
    ]);
    assert.deepEqual(await said(`Bearer ${token}`), [
      401,
      'auth.expired',
      'The access token has expired. Request a fresh one.',
      `${platform().url}/errors#auth.expired`,
    ]);
  });

  test('a token with one changed character is refused', async () => {
    const company = await registerCompany(platform());
    const token = await dataToken(platform(), await createService(platform(), company));
    for (const index of [5, 60, token.length - 5]) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
      const answer = await platform().call('GET', '/api/contact-field-types', { token: changed });
      assert.equal(answer.body.error_key, 'auth.invalid');
    }
  });
});

onEachEngine(
  'the token route under its limit',
  (platform) => {
    test('counts by source address and says how long to wait', async () => {
      const call = () =>
        platform().call(
          'POST',
          '/oauth2/token',
          form({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' }),
        );
      assert.deepEqual([(await call()).status, (await call()).status], [401, 401]);
      const over = await call();
      assert.equal(over.status, 429);
      proves('error:rate_limit.exceeded');
      assert.equal(over.body.error_key, 'rate_limit.exceeded');
      assert.match(over.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    });
  },
  { SYMBOLON_RATE_TOKEN: '2' },
);
