import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { addDelegate } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const PATH = '/api/account/plugins';

onPlatform('plugins of a company', (platform) => {
  const call = (company: TestCompany, method: string, path = '', body?: unknown) =>
    platform().call(method, `${PATH}${path}`, { token: company.token, body });
  const base = (name: string) => `https://${name}.example.com/plugin`;

  test('a plugin is added with its token masked, listed, and deleted', async () => {
    const company = await registerCompany(platform());
    const added = await call(company, 'POST', '', { base_url: `${base('a')}/`, token: 'token-of-plugin' });
    assert.equal(added.status, 201, added.text);
    const { plugin, pass, forwarder_url } = added.body;
    proves('route:POST /api/account/plugins');
    assert.equal(plugin.base_url, base('a'));
    assert.equal(plugin.token, '••••ugin');
    assert.deepEqual(
      [plugin.name, plugin.public_key, plugin.last_refresh, plugin.last_error],
      [null, null, null, null],
    );
    assert.deepEqual([plugin.field_types, plugin.in_use], [[], []]);
    assert.match(pass, /^\d+\.[\w-]+$/);
    assert.equal(forwarder_url, `${platform().url}/forwarder`);
    const listed = await call(company, 'GET');
    assert.deepEqual(listed.body.plugins, [plugin]);
    assert.deepEqual(
      listed.body.builtin.map(({ key, enabled }: { key: string; enabled: boolean }) => [key, enabled]),
      [
        ['calculator', false],
        ['address_lookup', false],
      ],
    );
    assert.equal((await call(company, 'DELETE', `/${plugin.id}`)).status, 204);
    assert.deepEqual(await refusalOf(call(company, 'DELETE', `/${plugin.id}`)), [404, 'plugins.not_found']);
    proves('error:plugins.not_found');
  });

  test('the token is stored under a key of the server, and a pass hides it', async () => {
    const company = await registerCompany(platform());
    const { plugin, pass } = (await call(company, 'POST', '', { base_url: base('a'), token: 'open-sesame' }))
      .body;
    const { token } = await platform()
      .context.database.reader.selectFrom('plugins')
      .select('token')
      .where('id', '=', plugin.id)
      .executeTakeFirstOrThrow();
    assert.ok(token !== null && !token.includes('open-sesame'));
    assert.ok(!Buffer.from(pass.split('.')[1], 'base64url').includes('open-sesame'));
  });

  test('an empty token keeps what is stored, null clears it', async () => {
    const company = await registerCompany(platform());
    const { plugin } = (await call(company, 'POST', '', { base_url: base('a'), token: 'first-token' })).body;
    const put = async (token: unknown) => (await call(company, 'PUT', `/${plugin.id}`, { token })).body;
    proves('route:PUT /api/account/plugins/{id}');
    assert.equal((await put('')).token, '••••oken');
    assert.equal((await put('second one')).error_key, 'plugins.body_invalid');
    assert.equal((await put('second-one')).token, '••••-one');
    assert.equal((await put(null)).token, null);
    assert.deepEqual(await refusalOf(call(company, 'PUT', '/nothing', { token: null })), [
      404,
      'plugins.not_found',
    ]);
  });

  test('an address that can never be a plugin is refused with the reason', async () => {
    const company = await registerCompany(platform());
    const refusals: [string, RegExp][] = [
      ['http://plugin.example.com', /https/],
      ['https://plugin.example.com:8443', /443/],
      ['https://user:secret@plugin.example.com', /user name/],
      ['https://plugin.example.com/?a=b', /query/],
      ['https://plugin.example.com/?', /query/],
      ['https://plugin.example.com/#a', /fragment/],
      ['https://localhost', /local network/],
      ['https://10.0.0.1', /public/],
      ['https://169.254.169.254', /public/],
      ['https://[::1]', /public/],
      ['https://[::ffff:10.0.0.1]', /public/],
      ['https://plugin', /full domain name/],
      ['plugin.example.com', /https/],
    ];
    for (const [base_url, reason] of refusals) {
      const answer = await call(company, 'POST', '', { base_url });
      assert.deepEqual([answer.status, answer.body.error_key], [400, 'plugins.url_invalid'], base_url);
      assert.match(answer.body.error, reason);
    }
    assert.deepEqual((await call(company, 'GET')).body.plugins, []);
    proves('error:plugins.url_invalid');
  });

  test('a request without an address, or with a token of other characters, is refused', async () => {
    const company = await registerCompany(platform());
    const bodies = [
      {},
      { token: 'abc' },
      { base_url: 7 },
      { base_url: base('a'), token: 'with space' },
      { base_url: base('a'), token: 'ü' },
      { base_url: base('a'), token: '' },
      { base_url: base('a'), token: 'x'.repeat(limits.pluginTokenMost + 1) },
    ];
    for (const body of bodies)
      assert.deepEqual(await refusalOf(call(company, 'POST', '', body)), [400, 'plugins.body_invalid']);
    const longest = { base_url: base('a'), token: 'x'.repeat(limits.pluginTokenMost) };
    assert.equal((await call(company, 'POST', '', longest)).status, 201);
    proves('error:plugins.body_invalid', 'limit:pluginTokenMost');
  });

  test('an address is that of one plugin, however it is spelt', async () => {
    const company = await registerCompany(platform());
    assert.equal((await call(company, 'POST', '', { base_url: base('a') })).status, 201);
    for (const base_url of [base('a'), `${base('A')}/`, 'HTTPS://a.example.com:443/plugin'])
      assert.deepEqual(await refusalOf(call(company, 'POST', '', { base_url })), [409, 'plugins.duplicate']);
    const other = await registerCompany(platform());
    assert.equal((await call(other, 'POST', '', { base_url: base('a') })).status, 201);
    proves('error:plugins.duplicate');
  });

  test('a company has so many plugins', async () => {
    const company = await registerCompany(platform());
    for (let index = 0; index < limits.pluginsMost; index++)
      await platform().must('POST', PATH, { token: company.token, body: { base_url: base(`p${index}`) } });
    assert.deepEqual(await refusalOf(call(company, 'POST', '', { base_url: base('one-more') })), [
      409,
      'plugins.limit_reached',
    ]);
    proves('error:plugins.limit_reached', 'limit:pluginsMost');
  });

  test('a plugin of the platform is switched on once, described, and takes no token', async () => {
    const company = await registerCompany(platform());
    for (const token of ['abc', '', 5])
      assert.deepEqual(await refusalOf(call(company, 'POST', '/builtin/calculator', { token })), [
        400,
        'plugins.builtin_token_locked',
      ]);
    assert.equal((await call(company, 'POST', '/builtin/address_lookup', { token: null })).status, 201);
    const enabled = await call(company, 'POST', '/builtin/calculator');
    assert.equal(enabled.status, 201, enabled.text);
    const { plugin } = enabled.body;
    proves('route:POST /api/account/plugins/builtin/{key}');
    assert.deepEqual([plugin.builtin_key, plugin.base_url, plugin.token], ['calculator', null, null]);
    assert.equal(plugin.field_types[0].key, 'formula');
    assert.ok(plugin.public_key);
    const [calculator] = (await call(company, 'GET')).body.builtin;
    assert.equal(calculator.enabled, true);
    assert.deepEqual(await refusalOf(call(company, 'POST', '/builtin/calculator')), [
      409,
      'plugins.duplicate',
    ]);
    assert.deepEqual(await refusalOf(call(company, 'POST', '/builtin/nothing')), [
      404,
      'plugins.builtin_unknown',
    ]);
    assert.deepEqual(await refusalOf(call(company, 'PUT', `/${plugin.id}`, { token: 'abc' })), [
      400,
      'plugins.builtin_token_locked',
    ]);
    proves('error:plugins.builtin_unknown', 'error:plugins.builtin_token_locked');
  });

  test("another company's plugin is not found, and a viewer changes nothing", async () => {
    const company = await registerCompany(platform());
    const { plugin } = (await call(company, 'POST', '', { base_url: base('a') })).body;
    const other = await registerCompany(platform());
    for (const [method, path, body] of [
      ['DELETE', `/${plugin.id}`, undefined],
      ['PUT', `/${plugin.id}`, { token: null }],
      ['POST', `/${plugin.id}/registry-pass`, undefined],
    ] as const)
      assert.deepEqual(await refusalOf(call(other, method, path, body)), [404, 'plugins.not_found']);
    const viewer = await addDelegate(platform(), company, 'viewer');
    const as = (method: string, body?: unknown) =>
      platform().call(method, PATH, { token: viewer.token, body });
    assert.equal((await as('GET')).status, 200);
    assert.equal((await as('POST', { base_url: base('b') })).body.error_key, 'auth.role_forbidden');
  });

  test('the audit log says who did what, without tokens', async () => {
    const company = await registerCompany(platform());
    const { plugin } = (await call(company, 'POST', '', { base_url: base('a'), token: 'secret-token' })).body;
    await call(company, 'PUT', `/${plugin.id}`, { token: 'other-token' });
    await call(company, 'PUT', `/${plugin.id}`, { token: null });
    await call(company, 'DELETE', `/${plugin.id}`);
    const log = await platform().call('GET', '/api/account/audit-log', { token: company.token });
    const acts = log.body.items.map((entry: { action: string }) => entry.action);
    assert.deepEqual(
      acts.filter((action: string) => action.startsWith('plugin.')),
      ['plugin.deleted', 'plugin.token_cleared', 'plugin.token_replaced', 'plugin.added'],
    );
    assert.ok(!log.text.includes('-token"'));
  });
});
