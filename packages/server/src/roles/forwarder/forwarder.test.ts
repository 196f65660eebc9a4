import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limits, type PluginSpec } from '@symbolon/protocol';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { LOOPBACK_PLUGINS, PluginCaller, TestPlugin } from '@symbolon/testkit/servers/plugin-server';

const PATH = '/api/account/plugins';

onPlatform(
  'the forwarder',
  (platform) => {
    let plugin: TestPlugin;
    let caller: PluginCaller;
    before(async () => {
      [plugin, caller] = await Promise.all([TestPlugin.start(), PluginCaller.create()]);
    });
    after(() => plugin.stop());

    const post = (path: string, body: unknown) => platform().call('POST', `/forwarder/${path}`, { body });
    const add = async (company: TestCompany, base_url = plugin.base) =>
      platform().must('POST', PATH, { token: company.token, body: { base_url, token: 'the-token' } });
    const listed = async (company: TestCompany) =>
      (await platform().must('GET', PATH, { token: company.token })).plugins;
    /** A described plugin of a new company, and a pass for it. */
    const described = async (base_url?: string) => {
      const company = await registerCompany(platform());
      const { plugin: row, pass } = await add(company, base_url);
      const registry = await post('registry', { pass });
      assert.equal(registry.status, 200, registry.text);
      return { company, id: row.id, ...(await passFor(company, row.id)) };
    };
    const passFor = async (company: TestCompany, id: string) => {
      const spec = { plugin_id: id, field_type: 'street', inputs: {} } as unknown as PluginSpec;
      const pass = await platform().context.pluginSpecs.pass(company.id, { street: spec }, undefined);
      return { pass, passed: pass.plugins[0] as { id: string; public_key: string } };
    };
    const search = { op: 'options', field_type: 'street', block: 'city', query: 'Ber' } as const;

    test('a registry pass has a plugin describe itself, and the description is stored', async () => {
      const company = await registerCompany(platform());
      const added = await add(company);
      const answer = await post('registry', { pass: added.pass });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.name, 'Streets');
      assert.equal(plugin.headers.at(-1)?.authorization, 'Bearer the-token');
      const [row] = await listed(company);
      assert.equal(row.name, 'Streets');
      assert.equal(row.public_key, plugin.publicKey);
      assert.deepEqual(row.field_types, plugin.manifest.field_types);
      assert.ok(row.last_refresh);
      proves('route:POST /forwarder/registry');
    });

    test('a call goes to the plugin sealed, and its sealed reply comes back', async () => {
      const { pass, passed } = await described();
      plugin.react = (request) =>
        request.op === 'options'
          ? { options: [{ id: 'b', label: `${request.query}lin` }], more: false }
          : { outputs: { zip: '10115' } };
      const answer = await post('call', await caller.bodyOf(pass, passed, search));
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(await caller.open(answer.body.reply), {
        options: [{ id: 'b', label: 'Berlin' }],
        more: false,
      });
      const outputs = await caller.bodyOf(pass, passed, {
        op: 'outputs',
        field_type: 'street',
        picks: { city: 'b' },
      });
      const computed = await post('call', outputs);
      assert.deepEqual(await caller.open(computed.body.reply), { outputs: { zip: '10115' } });
      proves('route:POST /forwarder/call');
    });

    test('a pass opens one thing, for its plugins, and for ten minutes', async () => {
      const { company, id, pass, passed } = await described();
      const other = await described();
      const body = await caller.bodyOf(pass, passed, search);
      const registry = await platform().must('POST', `${PATH}/${id}/registry-pass`, { token: company.token });
      const bad = [
        post('registry', { pass: pass.pass }),
        post('call', { ...body, pass: registry.pass }),
        post('call', { ...body, plugin_id: other.id }),
        post('call', { ...body, pass: `${pass.pass.slice(0, -1)}${pass.pass.endsWith('A') ? 'B' : 'A'}` }),
        post('call', { ...body, pass: 'nothing' }),
        post('call', { ...body, pass: `9${pass.pass}` }),
      ];
      for (const answer of await Promise.all(bad))
        assert.deepEqual([answer.status, answer.body.error_key], [401, 'plugin.pass_invalid']);
      // The longest is still looked at.
      const longest = 'x'.repeat(limits.pluginPassCharacters);
      for (const [path, sent] of [
        ['registry', {}],
        ['call', body],
      ] as const) {
        const looked = await post(path, { ...sent, pass: longest });
        assert.deepEqual([looked.status, looked.body.error_key], [401, 'plugin.pass_invalid']);
        const longer = await post(path, { ...sent, pass: `${longest}x` });
        assert.deepEqual([longer.status, longer.body.error_key], [400, 'request.invalid']);
      }
      platform().clock.advance(limits.pluginPassMs - 1);
      assert.equal((await post('call', body)).status, 200);
      platform().clock.advance(1);
      assert.equal((await post('call', body)).body.error_key, 'plugin.pass_invalid');
      proves('error:plugin.pass_invalid', 'limit:pluginPassMs', 'limit:pluginPassCharacters');
    });

    test('a plugin with another key is asked again, and the new key reaches the caller and the API', async () => {
      const mine = await TestPlugin.start();
      try {
        const { company, id, pass, passed } = await described(mine.base);
        await mine.changeKey();
        const answer = await post('call', await caller.bodyOf(pass, passed, search));
        assert.deepEqual([answer.status, answer.body.error_key], [409, 'plugin.key_changed']);
        assert.equal(answer.body.public_key, mine.publicKey);
        const fresh = await passFor(company, id);
        assert.equal(fresh.passed.public_key, mine.publicKey);
        const again = await post('call', await caller.bodyOf(fresh.pass, fresh.passed, search));
        assert.equal(again.status, 200);
      } finally {
        await mine.stop();
      }
      proves('error:plugin.key_changed');
    });

    test('what a plugin must not answer is not passed on', async () => {
      await using mine = await TestPlugin.start();
      const bad: { status: number; body?: unknown }[] = [
        { status: 200, body: { reply: 'not sealed' } },
        { status: 200, body: { reply: { html: '<script>' } } },
        { status: 200 },
        { status: 302 },
      ];
      const { pass, passed } = await described(mine.base);
      const body = await caller.bodyOf(pass, passed, search);
      for (const reaction of bad) {
        mine.react = () => reaction;
        const answer = await post('call', body);
        assert.deepEqual([answer.status, answer.body.error_key], [502, 'plugin.not_responding']);
      }
      mine.react = () => ({ status: 200, body: { reply: 'x'.repeat(limits.pluginAnswerBytes) } });
      assert.equal((await post('call', body)).body.error_key, 'plugin.not_responding');
      proves('limit:pluginAnswerBytes', 'error:plugin.not_responding');
    });

    test('a plugin that fails again and again is left alone for a while, then tried once', async () => {
      await using mine = await TestPlugin.start();
      const { pass, passed } = await described(mine.base);
      const body = await caller.bodyOf(pass, passed, search);
      mine.react = () => ({ status: 500 });
      for (let index = 0; index < 5; index++) assert.equal((await post('call', body)).status, 502);
      const before = mine.requests.length;
      const refused = await post('call', body);
      assert.deepEqual([refused.status, refused.body.error_key], [503, 'plugin.unavailable']);
      assert.equal(refused.headers.get('retry-after'), '10');
      assert.equal(mine.requests.length, before);
      platform().clock.advance(10_000);
      mine.react = () => ({ options: [], more: false });
      assert.equal((await post('call', body)).status, 200);
      assert.equal((await post('call', body)).status, 200);
      proves('error:plugin.unavailable');
    });

    test('a plugin that has too much to do says so', async () => {
      await using mine = await TestPlugin.start();
      const { pass, passed } = await described(mine.base);
      mine.react = () => ({ status: 503 });
      const answer = await post('call', await caller.bodyOf(pass, passed, search));
      assert.deepEqual([answer.status, answer.body.error_key], [503, 'plugin.busy']);
      proves('error:plugin.busy');
    });

    test('an invalid manifest is refused with its reason, and what was stored stays', async () => {
      await using mine = await TestPlugin.start();
      const { company, id } = await described(mine.base);
      const good = mine.manifest;
      const refresh = async (manifest: typeof good) => {
        mine.manifest = manifest;
        const { pass } = await platform().must('POST', `${PATH}/${id}/registry-pass`, {
          token: company.token,
        });
        return post('registry', { pass });
      };
      const [type] = good.field_types as never[] as { blocks: object[]; outputs: object[] }[];
      const withTypes = (count: number) => ({
        ...good,
        field_types: Array.from({ length: count }, (_, n) => ({ key: `type_${n}`, label: 'Type' })),
      });
      const wrong = [
        withTypes(limits.pluginFieldTypesMost + 1),
        { ...good, name: '' },
        { ...good, public_key: 'AAAA' },
        { ...good, field_types: [] },
        { ...good, field_types: [type, type] },
        { ...good, field_types: [{ ...type, key: 'Street' }] },
        { ...good, field_types: [{ ...type, outputs: [{ key: 'id', type: 'text', label: 'Id' }] }] },
        { ...good, field_types: [{ ...type, outputs: [{ key: 'city', type: 'text', label: 'City' }] }] },
      ];
      for (const manifest of wrong) {
        const answer = await refresh(manifest as never);
        assert.deepEqual([answer.status, answer.body.error_key], [502, 'plugin.not_responding']);
        const [row] = await listed(company);
        assert.equal(row.last_error, answer.body.error);
        assert.deepEqual(row.field_types, good.field_types);
        // Good in between, so that the plugin is not left alone.
        assert.equal((await refresh(good)).status, 200);
        assert.equal((await listed(company))[0].last_error, null);
      }
      assert.equal((await refresh(withTypes(limits.pluginFieldTypesMost) as never)).status, 200);
      assert.equal((await listed(company))[0].field_types.length, limits.pluginFieldTypesMost);
      proves('limit:pluginFieldTypesMost');
      const extra = { ...good, more: true, field_types: [{ key: 'plain', label: 'Plain', hint: 'x' }] };
      assert.equal((await refresh(extra as never)).status, 200);
      assert.deepEqual((await listed(company))[0].field_types, [
        { key: 'plain', label: 'Plain', blocks: [], inputs: [], outputs: [] },
      ]);
    });

    test('a pass has so many calls a minute', async () => {
      const { pass, passed } = await described();
      const body = await caller.bodyOf(pass, passed, search);
      const calls = await Promise.all(
        Array.from({ length: limits.pluginPassCallsPerMinute + 1 }, () => post('call', body)),
      );
      const refused = calls.filter(({ status }) => status !== 200);
      assert.deepEqual(
        refused.map(({ status, body: { error_key } }) => [status, error_key]),
        [[429, 'plugin.rate_limited']],
      );
      assert.ok(refused[0]?.headers.get('retry-after'));
      const fresh = await described();
      assert.equal((await post('call', await caller.bodyOf(fresh.pass, fresh.passed, search))).status, 200);
      proves('error:plugin.rate_limited', 'limit:pluginPassCallsPerMinute');
    });

    test('a customer has so many calls a minute with all passes of a company; others go on', async () => {
      const { company, id } = await described();
      const spec = { plugin_id: id, field_type: 'street', inputs: {} } as unknown as PluginSpec;
      const callsOf = async (customerId: string | undefined, count: number) => {
        const { pluginSpecs } = platform().context;
        const pass = await pluginSpecs.pass(company.id, { street: spec }, undefined, customerId);
        // Counted before it is looked at.
        const body = { pass: pass.pass, plugin_id: id, request: 'nothing sealed' };
        return Promise.all(
          Array.from({ length: count }, async () => (await post('call', body)).body.error_key),
        );
      };
      const { pluginCallerCallsPerMinute: most, pluginPassCallsPerMinute: ofPass } = limits;
      for (let sent = 0; sent < most; sent += ofPass)
        assert.ok((await callsOf('one', ofPass)).every((key) => key === 'request.invalid'));
      assert.deepEqual(await callsOf('one', 1), ['plugin.rate_limited']);
      assert.deepEqual(await callsOf('other', 1), ['request.invalid']);
      assert.deepEqual(await callsOf(undefined, 1), ['request.invalid']);
      proves('limit:pluginCallerCallsPerMinute');
    });

    test('a request is no longer than it may be', async () => {
      const { pass, passed } = await described();
      const long = { ...search, query: 'x'.repeat(limits.pluginRequestBytes) };
      const answer = await post('call', await caller.bodyOf(pass, passed, long));
      assert.deepEqual([answer.status, answer.body.error_key], [413, 'request.too_large']);
      const open = await post('call', {
        ...(await caller.bodyOf(pass, passed, search)),
        request: 'readable',
      });
      assert.deepEqual([open.status, open.body.error_key], [400, 'request.invalid']);
      proves('limit:pluginRequestBytes');
    });

    test('pages of any origin may call, without cookies', async () => {
      for (const path of ['registry', 'call']) {
        const answer = await platform().call('OPTIONS', `/forwarder/${path}`, {
          headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
        });
        assert.equal(answer.status, 204);
        assert.equal(answer.headers.get('access-control-allow-origin'), '*');
        assert.equal(answer.headers.get('access-control-allow-credentials'), null);
      }
    });

    test('a report that the platform did not make is refused', async () => {
      const { pass } = await described();
      for (const report of ['nothing', pass.pass]) {
        const answer = await post('reports', { report });
        assert.deepEqual([answer.status, answer.body.error_key], [401, 'plugin.pass_invalid']);
      }
    });

    test('the calculator answers in the forwarder', async () => {
      const company = await registerCompany(platform());
      const { plugin: row } = await platform().must('POST', `${PATH}/builtin/calculator`, {
        token: company.token,
      });
      const { pass, passed } = await passFor(company, row.id);
      const ask = async (formula: string, inputs: Record<string, number> = {}) => {
        const request = { op: 'outputs', field_type: 'formula', values: { formula }, inputs } as const;
        const answer = await post('call', await caller.bodyOf(pass, passed, request));
        assert.equal(answer.status, 200, answer.text);
        return (await caller.open(answer.body.reply)).outputs.result;
      };
      assert.equal(await ask('(a + 12,5) * 3', { a: 1.5 }), 42);
      assert.equal(await ask('round(7 / 2; 1) − -2'), 6);
      assert.equal(await ask('process.exit()'), null);
      const foreign = { id: row.id, public_key: plugin.publicKey };
      const changed = await post(
        'call',
        await caller.bodyOf(pass, foreign, { op: 'outputs', field_type: 'formula' }),
      );
      assert.equal(changed.body.error_key, 'plugin.key_changed');
      assert.equal(changed.body.public_key, row.public_key);
    });

    test('a plugin of the platform reads a search up to its most characters', async () => {
      const company = await registerCompany(platform());
      const { plugin: row } = await platform().must('POST', `${PATH}/builtin/address_lookup`, {
        token: company.token,
      });
      const { pass, passed } = await passFor(company, row.id);
      const ask = async (query: string) => {
        const request = { op: 'options', field_type: 'place', block: 'place', query } as const;
        return post('call', await caller.bodyOf(pass, passed, request));
      };
      const longest = 'zermatt'.padEnd(limits.pluginQueryMost);
      const answer = await ask(longest);
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await caller.open(answer.body.reply)).options.length, 1);
      const longer = await ask(`${longest} `);
      assert.deepEqual([longer.status, longer.body.error_key], [502, 'plugin.not_responding']);
      proves('limit:pluginQueryMost');
    });
  },
  LOOPBACK_PLUGINS,
);

onPlatform(
  'the forwarder under its limit',
  (platform) => {
    let plugin: TestPlugin;
    before(async () => {
      plugin = await TestPlugin.start();
    });
    after(() => plugin.stop());

    test('the plugins of one company have so many calls a minute, with whatever passes', async () => {
      const added = async () => {
        const { token } = await registerCompany(platform());
        const { plugin: row } = await platform().must('POST', PATH, {
          token,
          body: { base_url: plugin.base },
        });
        return { token, path: `${PATH}/${row.id}/registry-pass` };
      };
      const ask = async ({ token, path }: Awaited<ReturnType<typeof added>>) => {
        const { pass } = await platform().must('POST', path, { token });
        return platform().call('POST', '/forwarder/registry', { body: { pass } });
      };
      const [one, other] = [await added(), await added()];
      proves('route:POST /api/account/plugins/{id}/registry-pass');
      for (let count = 0; count < 3; count++) assert.equal((await ask(one)).status, 200);
      const refused = await ask(one);
      assert.deepEqual([refused.status, refused.body.error_key], [429, 'plugin.rate_limited']);
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal((await ask(other)).status, 200);
      proves('rate:plugins');
    });
  },
  { ...LOOPBACK_PLUGINS, SYMBOLON_RATE_PLUGINS: '3' },
);
