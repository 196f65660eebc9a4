import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { openShop } from '@symbolon/testkit/actors/scenes';
import { OPERATOR, onPlatform } from '@symbolon/testkit/platform/platform';

const PAGE = 'https://app.example.com';

onPlatform(
  'the small print of HTTP',
  (platform) => {
    const grant = (form: Record<string, string>, headers: Record<string, string> = {}) =>
      platform().call('POST', '/oauth2/token', { body: new URLSearchParams(form), headers });
    const basic = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    });
    const credentials = { grant_type: 'client_credentials', client_id: 'svc_x', client_secret: 'y' };
    const client = async () => {
      const company = await registerCompany(platform());
      const service = await createService(platform(), company);
      return platform().must('POST', `/api/services/${service.id}/client`, { token: company.token });
    };

    test('a client that came with HTTP Basic is challenged when it is refused', async () => {
      const refused = await grant({ grant_type: 'client_credentials' }, basic('svc_x', 'y'));
      assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client']);
      assert.equal(refused.headers.get('www-authenticate'), 'Basic realm="symbolon"');
      assert.equal((await grant(credentials)).headers.get('www-authenticate'), null);
    });

    test('Basic for one client and another in the form is an invalid request', async () => {
      const { client_id, client_secret } = await client();
      const form = { grant_type: 'client_credentials' };
      const other = await grant({ ...form, client_id: 'svc_other' }, basic(client_id, client_secret));
      assert.deepEqual([other.status, other.body.error], [400, 'invalid_request']);
      assert.equal((await grant({ ...form, client_id }, basic(client_id, client_secret))).status, 200);
    });

    test('a grant for registered clients alone tells an unknown client that it is unknown', async () => {
      const { client_id, client_secret } = await client();
      for (const grant_type of ['authorization_code', 'refresh_token']) {
        const unknown = await grant({ ...credentials, grant_type });
        assert.deepEqual([unknown.status, unknown.body.error_key], [401, 'invalid_client']);
        const known = await grant({ grant_type, client_id, client_secret });
        assert.deepEqual([known.status, known.body.error_key], [400, 'unauthorized_client']);
      }
    });

    test('an empty part of an address is the address of nothing', async () => {
      const company = await registerCompany(platform());
      const token = await dataToken(platform(), await createService(platform(), company));
      for (const path of ['/api/keys/', '/api/keys//X', '/api/keys/A/', '/api/company-data/connections/']) {
        const answer = await platform().call('GET', path, { token });
        assert.deepEqual([answer.status, answer.body.error_key], [404, 'request.not_found'], path);
      }
      const lookup = await platform().call('GET', '/api/company-connections/lookup/', company);
      assert.equal(lookup.status, 404);
    });

    test('HEAD is served where GET is, and takes nothing away', async () => {
      const { company, service, token } = await openShop(platform());
      for (const [path, call] of [
        ['/api/health', {}],
        ['/api/account', { token: company.token }],
        ['/api/account', { token: company.token, headers: { accept: 'application/xml' } }],
        ['/docs/', {}],
        ['/api/company-data/whoami', { token }],
        [`/api/keys/${company.code}`, { token }],
      ] as const) {
        const [head, get] = [
          await platform().call('HEAD', path, call),
          await platform().call('GET', path, call),
        ];
        assert.deepEqual([head.status, head.text], [200, ''], path);
        for (const name of ['content-type', 'content-length', 'cache-control', 'vary'])
          assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`);
      }
      assert.equal((await platform().call('HEAD', '/api/account')).status, 401);
      assert.equal((await platform().call('HEAD', '/api/nothing')).status, 404);
      await connect(platform(), await registerPerson(platform()), service);
      for (const [path, caller] of [
        ['/api/company-data/changes', token],
        ['/api/customer/changes', company.token],
      ] as const) {
        const refused = await platform().call('HEAD', path, { token: caller });
        assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET'], path);
      }
      const { changes } = (await platform().call('GET', '/api/company-data/changes', { token })).body;
      assert.equal(changes.length, 1);
      const head = await platform().call('HEAD', '/api/account', { token: company.token });
      assert.equal(head.status, 200);
    });

    test('a negotiated answer says that it depends on Accept', async () => {
      const { token } = await registerCompany(platform());
      assert.equal((await platform().call('GET', '/api/account', { token })).headers.get('vary'), 'Accept');
      const types = await platform().call('GET', '/api/contact-field-types', { token });
      assert.equal(types.headers.get('vary'), null);
    });

    test('pages of any origin may ask for tokens, and no page of another origin more', async () => {
      const headers = { origin: 'https://any.example' };
      const preflight = (path: string, origin = headers.origin) =>
        platform().call('OPTIONS', path, {
          headers: { origin, 'access-control-request-method': 'POST' },
        });
      const allowedBy = (answer: { headers: Headers }) => answer.headers.get('access-control-allow-origin');
      const asked = await preflight('/oauth2/token');
      assert.deepEqual([asked.status, allowedBy(asked)], [204, '*']);
      assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/);
      assert.equal(asked.headers.get('access-control-allow-credentials'), null);
      assert.equal(allowedBy(await grant(credentials, headers)), '*');
      for (const path of ['/oauth2/jwks', '/.well-known/oauth-authorization-server'])
        assert.equal(allowedBy(await platform().call('GET', path, { headers })), '*', path);
      const refused = await preflight('/api/account');
      assert.deepEqual([refused.status, allowedBy(refused)], [405, null]);
      const { token } = await registerCompany(platform());
      const read = (origin: string) => platform().call('GET', '/api/account', { token, headers: { origin } });
      assert.equal(allowedBy(await read('https://any.example')), null);
      const named = await read(PAGE);
      assert.deepEqual([allowedBy(named), named.headers.get('vary')], [PAGE, 'Accept, Origin']);
      assert.equal(named.headers.get('access-control-allow-credentials'), null);
      assert.deepEqual((await preflight('/api/account', PAGE)).status, 204);
    });

    test('every refusal of the token route has an OAuth code, with the sentence beside it', async () => {
      const large = await grant({ ...credentials, filler: 'x'.repeat(20_000) });
      assert.deepEqual(
        [large.status, large.body.error, large.body.error_key],
        [413, 'invalid_request', 'request.too_large'],
      );
      assert.match(large.body.error_description, /large/);
      for (let count = 0; count < 60; count++) await grant(credentials);
      const limited = await grant(credentials);
      assert.deepEqual(
        [limited.status, limited.body.error, limited.body.error_key],
        [429, 'temporarily_unavailable', 'rate_limit.exceeded'],
      );
      assert.match(limited.body.error_description, /Retry-After/);
      const { maintenance, database } = platform().context;
      const set = async (on: boolean) => {
        await database.write((writer) => maintenance.set(writer, 'out_of_order', on, null));
        await maintenance.apply();
      };
      await set(true);
      try {
        const away = await platform().call('POST', '/oauth2/token', {
          body: new URLSearchParams({ ...credentials, grant_type: 'authorization_code' }),
          headers: { 'x-forwarded-for': '203.0.113.50' },
        });
        assert.deepEqual(
          [away.status, away.body.error, away.body.error_key],
          [503, 'temporarily_unavailable', 'platform.out_of_order'],
        );
      } finally {
        await set(false);
      }
    });

    test('unknown query parameters are refused, but for OAuth and discovery', async () => {
      const { token } = await registerCompany(platform());
      for (const path of ['/api/account?x=1', '/api/services?limit=5&oops=1', '/api/health?__proto__=1']) {
        const answer = await platform().call('GET', path, { token });
        assert.deepEqual([answer.status, answer.body.error_key], [400, 'request.invalid'], path);
        assert.match(answer.body.issues[0].message, /not a parameter/);
      }
      assert.equal((await platform().call('GET', '/api/services?limit=5', { token })).status, 200);
      assert.equal((await platform().call('GET', '/api/account?', { token })).status, 200);
      assert.equal((await platform().call('GET', '/oauth2/jwks?x=1')).status, 200);
      assert.equal((await platform().call('GET', '/.well-known/oauth-authorization-server?x=1')).status, 200);
      const authorize = await platform().call('GET', '/oauth2/authorize?x=1&client_id=svc_x');
      assert.equal(authorize.body.error_description, 'The client is unknown.');
    });

    test('a field type is checked without being added', async () => {
      const check = (body: object, query = '?dry_run=true') =>
        platform().call('POST', `/api/admin/field-types${query}`, { token: OPERATOR, body });
      const row = { type: 'badge', parent: 'text', label: 'Badge' };
      const checked = await check(row);
      assert.deepEqual([checked.status, checked.body.type], [200, 'badge']);
      const { field_types } = await platform().must('GET', '/api/admin/field-types', { token: OPERATOR });
      assert.ok(!field_types.some(({ type }: { type: string }) => type === 'badge'));
      assert.equal((await check({ ...row, parent: 'nothing' })).body.error_key, 'admin.field_type_invalid');
      assert.equal((await check(row, '')).status, 201);
      assert.equal((await check(row)).body.issues[0].code, 'type_taken');
    });
  },
  {
    SYMBOLON_CORS_ORIGINS: PAGE,
    SYMBOLON_RATE_TOKEN: '60',
    SYMBOLON_TRUST_PROXY: '1',
  },
);
