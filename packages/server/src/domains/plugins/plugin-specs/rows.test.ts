import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RequestFieldInput } from '@symbolon/protocol';
import {
  connect,
  createService,
  dataToken,
  publish,
  registerCompany,
  registerPerson,
  type TestCompany,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { LOOPBACK_PLUGINS, PluginCaller, TestPlugin } from '@symbolon/testkit/servers/plugin-server';
import { Passes } from '../passes/passes.ts';

onPlatform(
  'request rows that plugins answer',
  (platform) => {
    let server: TestPlugin;
    before(async () => {
      server = await TestPlugin.start();
    });
    after(() => server.stop());

    const described = async (company: TestCompany): Promise<string> => {
      const { plugin, pass } = await platform().must('POST', '/api/account/plugins', {
        token: company.token,
        body: { base_url: server.base },
      });
      await platform().must('POST', '/forwarder/registry', { body: { pass } });
      return plugin.id;
    };
    const withPlugin = async () => {
      const company = await registerCompany(platform());
      const plugin_id = await described(company);
      return { company, plugin_id, service: await createService(platform(), company) };
    };
    const rowOf = (plugin_id: string, more: Partial<RequestFieldInput> = {}): RequestFieldInput => ({
      slug: 'home',
      label: 'Home',
      type: 'plugin',
      plugin: { plugin_id, field_type: 'street' },
      ...more,
    });

    test('a row takes what the plugin said of its field type, and companies and people read it', async () => {
      const { company, plugin_id, service } = await withPlugin();
      await publish(platform(), company, service.id, [rowOf(plugin_id)]);
      const [type] = server.manifest.field_types ?? [];
      const told = {
        plugin_name: 'Streets',
        field_type: 'street',
        snapshot: {
          plugin_name: 'Streets',
          host: new URL(server.base).host,
          label: type?.label,
          blocks: type?.blocks,
          inputs: [],
          outputs: type?.outputs,
        },
      };
      const path = `/api/services/${service.id}/request-fields`;
      const config = await platform().call('GET', path, { token: company.token });
      const [row] = config.body.request_fields;
      assert.deepEqual([row.type, row.one_time, row.audience], ['plugin', true, 'person']);
      assert.deepEqual(row.plugin, { plugin_id, ...told });
      const token = await dataToken(platform(), service);
      const read = await platform().call('GET', '/api/company-data/request-fields', { token });
      proves('route:GET /api/company-data/request-fields');
      assert.deepEqual(read.body.request_fields[0].plugin, told);
      // What was read can be published again.
      const { id: _, ...again } = row;
      const body = { config_token: config.body.config_token, request_fields: [again] };
      const published = await platform().call('PUT', path, { token: company.token, body });
      assert.equal(published.status, 200, published.text);
      assert.equal(published.body.request_fields[0].id, row.id);
    });

    test('a person gets a pass, asks the plugin, and answers once', async () => {
      const { company, plugin_id, service } = await withPlugin();
      const rows = await publish(platform(), company, service.id, [rowOf(plugin_id)]);
      const person = await registerPerson(platform());
      const codes = { company_code: company.code, service_code: service.code };
      const pass = await platform().call('POST', '/api/person/plugin-pass', {
        token: person.token,
        body: codes,
      });
      assert.equal(pass.status, 200, pass.text);
      assert.equal(pass.body.specs.home.plugin_id, plugin_id);
      assert.deepEqual(pass.body.specs.home.inputs, {});
      const { clock, ids, secrets } = platform().context;
      const passes = new Passes({ clock, ids, keys: secrets.keys });
      const { caller: counted } = passes.open('call', pass.body.pass) ?? {};
      assert.equal(counted, passes.callerOf(company.id, person.id), 'calls of the person are counted');
      server.react = () => ({ outputs: { zip: '10115' } });
      const caller = await PluginCaller.create();
      const [passed] = pass.body.plugins;
      const request = { op: 'outputs', field_type: 'street', picks: { city: 'b' } } as const;
      const reply = await platform().must('POST', '/forwarder/call', {
        body: await caller.bodyOf(pass.body, passed, request),
      });
      const { outputs } = await caller.open(reply.reply);
      const answer = JSON.stringify({ plugin: 'Streets', type: 'street', blocks: [], outputs });
      const connection = await connect(platform(), person, { ...service, rows }, { home: { once: answer } });
      const token = await dataToken(platform(), service);
      const read = await platform().must('GET', `/api/company-data/connections/${connection}`, { token });
      assert.equal(await service.open(read.values.home.value), answer);
      assert.equal(read.values.home.live, false);
    });

    test('staff try each field type of a plugin, and no other company does', async () => {
      const { company, plugin_id } = await withPlugin();
      const path = `/api/account/plugins/${plugin_id}/trial-pass`;
      const pass = await platform().must('POST', path, { token: company.token });
      proves('route:POST /api/account/plugins/{id}/trial-pass');
      const [type] = server.manifest.field_types ?? [];
      const { host } = new URL(server.base);
      const { key: _, ...described } = type ?? assert.fail();
      assert.deepEqual(pass.specs, {
        street: {
          ...{ plugin_id, field_type: 'street', inputs: {} },
          snapshot: { plugin_name: 'Streets', host, ...described },
        },
      });
      server.react = () => ({ outputs: { zip: '10115' } });
      const caller = await PluginCaller.create();
      const request = { op: 'outputs', field_type: 'street', picks: { city: 'b' } } as const;
      const body = await caller.bodyOf(pass, pass.plugins[0], request);
      const { reply } = await platform().must('POST', '/forwarder/call', { body });
      assert.deepEqual(await caller.open(reply), { outputs: { zip: '10115' } });
      const { token } = await registerCompany(platform());
      assert.deepEqual(await refusalOf(platform().call('POST', path, { token })), [404, 'plugins.not_found']);
    });

    test('a row that no plugin can answer is refused with the reason', async () => {
      const { manifest } = server;
      const { field_types = [] } = manifest;
      const inputs = [{ key: 'zone', type: 'text', label: 'Zone', required: true }];
      const needing = field_types.map((type) => ({ ...type, key: 'needing', inputs }));
      server.manifest = { ...manifest, field_types: [...field_types, ...needing] as never };
      const { company, plugin_id, service } = await withPlugin();
      server.manifest = manifest;
      const other = await withPlugin();
      const path = `/api/services/${service.id}/request-fields`;
      const { config_token } = await platform().must('GET', path, { token: company.token });
      const refusals: [RequestFieldInput, RegExp][] = [
        [{ slug: 'home', label: 'Home', type: 'plugin' }, /needs a plugin/],
        [{ slug: 'home', label: 'Home', type: 'plugin', plugin: null }, /needs a plugin/],
        [rowOf('nothing'), /has not described/],
        [rowOf(other.plugin_id), /has not described/],
        [rowOf(plugin_id, { plugin: { plugin_id, field_type: 'needing' } }), /required input/],
        [rowOf(plugin_id, { plugin: { plugin_id, field_type: 'village' } }), /has not described/],
        [rowOf(plugin_id, { one_time: false }), /one_time/],
        [rowOf(plugin_id, { audience: 'both' }), /audience/],
        [rowOf(plugin_id, { verified: true }), /verified/],
        [rowOf(plugin_id, { type: 'text' }), /another type/],
      ];
      for (const [row, reason] of refusals) {
        const body = { config_token, request_fields: [row] };
        const answer = await platform().call('PUT', path, { token: company.token, body });
        assert.deepEqual(
          [answer.status, answer.body.error_key],
          [400, 'services.request_field_plugin_invalid'],
          answer.text,
        );
        assert.match(answer.body.error, reason);
      }
      proves('error:services.request_field_plugin_invalid');
    });

    test('a plugin that a row uses stays until the row is gone', async () => {
      const { company, plugin_id, service } = await withPlugin();
      const rows = await publish(platform(), company, service.id, [rowOf(plugin_id)]);
      const remove = () =>
        platform().call('DELETE', `/api/account/plugins/${plugin_id}`, { token: company.token });
      const refused = await remove();
      assert.deepEqual([refused.status, refused.body.error_key], [409, 'plugins.in_use']);
      const use = { kind: 'request_field', id: rows.home, name: 'home', service_id: service.id };
      assert.deepEqual(refused.body.in_use, [use]);
      const listed = await platform().call('GET', '/api/account/plugins', { token: company.token });
      proves('route:GET /api/account/plugins');
      assert.deepEqual(listed.body.plugins[0].in_use, [use]);
      await publish(platform(), company, service.id, []);
      proves('route:DELETE /api/account/plugins/{id}');
      assert.equal((await remove()).status, 204);
      proves('error:plugins.in_use');
    });

    test('a publish and a deletion at the same time leave no row without its plugin', async () => {
      const { company, plugin_id, service } = await withPlugin();
      const path = `/api/services/${service.id}/request-fields`;
      const { config_token } = await platform().must('GET', path, { token: company.token });
      const body = { config_token, request_fields: [rowOf(plugin_id)] };
      const [published, deleted] = await Promise.all([
        platform().call('PUT', path, { token: company.token, body }),
        platform().call('DELETE', `/api/account/plugins/${plugin_id}`, { token: company.token }),
      ]);
      assert.notEqual(published.status === 200, deleted.status === 204);
    });

    test('a pass names a service', async () => {
      const person = await registerPerson(platform());
      const ask = (body: object) =>
        platform().call('POST', '/api/person/plugin-pass', { token: person.token, body });
      const { company } = await withPlugin();
      assert.equal(
        (await ask({ company_code: company.code })).body.error_key,
        'plugins.pass_request_invalid',
      );
      const unknown = await ask({ company_code: company.code, service_code: 'NOTHING' });
      assert.deepEqual([unknown.status, unknown.body.error_key], [404, 'profile.not_found']);
      proves('error:plugins.pass_request_invalid');
    });
  },
  LOOPBACK_PLUGINS,
);
