import assert from 'node:assert/strict';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { PluginSpec } from '@symbolon/protocol';
import { PluginFields, pluginAnswer } from '@symbolon/sdk/device';
import { createPlugin, fastifyPlugin, nodePlugin, pluginKey } from '@symbolon/sdk/plugin';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { listening } from '@symbolon/testkit/servers/listening';
import { LOOPBACK_PLUGINS } from '@symbolon/testkit/servers/plugin-server';
import { fastify } from 'fastify';
import { plugin as example } from '../../examples/plugin/server.ts';

const CITIES = ['Aachen', 'Aalen', 'Bremen'];
const fields = [
  {
    key: 'city',
    label: 'City',
    blocks: [{ key: 'name', kind: 'search_select', label: 'Name', required: true }],
    outputs: [
      { key: 'letters', type: 'number', label: 'Letters' },
      { key: 'mayor', type: 'text', label: 'Mayor' },
    ],
    onOptions: ({ query }: { query: string }) =>
      CITIES.filter((city) => city.startsWith(query)).map((city) => ({ id: city, label: city })),
    onOutputs: ({ picks }: { picks: Readonly<Record<string, unknown>> }) =>
      CITIES.includes(String(picks.name)) ? { letters: String(picks.name).length, more: 'no' } : undefined,
  },
] as const;

onPlatform(
  'a plugin by the SDK',
  (platform) => {
    const folder = temporaryFolder({ after });

    const made = async (file = 'key.pem') =>
      createPlugin({
        name: 'Cities',
        key: await pluginKey(folder.file(file)),
        token: 'secret',
        fields: [...fields].map((field) => ({
          ...field,
          blocks: [...field.blocks],
          outputs: [...field.outputs],
        })),
      });
    /** Adds a plugin to a new company; gives fields that it answers. */
    const added = async (base_url: string, field_type = 'city') => {
      const company = await registerCompany(platform());
      const { plugin, pass, forwarder_url } = await platform().must('POST', '/api/account/plugins', {
        token: company.token,
        body: { base_url, token: 'secret' },
      });
      const response = await fetch(`${forwarder_url}/registry`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ pass }),
      });
      assert.equal(response.status, 200, await response.text());
      const { pluginSpecs, database } = platform().context;
      const row = await pluginSpecs.snapshot(database.reader, company.id, plugin.id, field_type);
      assert.ok(row);
      const spec: PluginSpec = {
        plugin_id: plugin.id,
        field_type,
        snapshot: row.snapshot,
        inputs: {},
      };
      return new PluginFields(() => pluginSpecs.pass(company.id, { [field_type]: spec }, undefined));
    };

    test('offers options, computes outputs, and makes the answer that is sealed', async () => {
      const server = createServer(nodePlugin(await made(), '/cities')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const device = await added(`http://127.0.0.1:${(server.address() as AddressInfo).port}/cities`);
        const offered = await device.options('city', 'name', 'Aa');
        assert.deepEqual(offered, {
          options: [
            { id: 'Aachen', label: 'Aachen' },
            { id: 'Aalen', label: 'Aalen' },
          ],
          more: false,
        });
        const computed = await device.outputs('city', { picks: { name: 'Aachen' } });
        assert.deepEqual(computed, { outputs: { letters: 6, mayor: null } });
        assert.ok('outputs' in computed);
        const answer = pluginAnswer(
          await device.spec('city'),
          { name: { id: 'Aachen', label: 'Aachen' } },
          computed.outputs,
        );
        assert.deepEqual(JSON.parse(answer), {
          plugin: 'Cities',
          type: 'city',
          blocks: [{ key: 'name', kind: 'search_select', label: 'Name', id: 'Aachen', value: 'Aachen' }],
          outputs: [
            { key: 'letters', type: 'number', label: 'Letters', value: 6 },
            { key: 'mayor', type: 'text', label: 'Mayor', value: null },
          ],
        });
        assert.deepEqual(await device.outputs('city', { picks: { name: 'Rome' } }), { picksInvalid: true });
        await assert.rejects(device.outputs('village'), { errorKey: 'sdk.plugin_unknown' });
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    test('a changed key is taken from a fresh pass', async () => {
      let plugin = await made();
      const server = createServer((request, response) => void nodePlugin(plugin)(request, response));
      const { port } = await listening(server);
      try {
        const device = await added(`http://127.0.0.1:${port}`);
        plugin = await made('other.pem');
        const computed = await device.outputs('city', { picks: { name: 'Aalen' } });
        assert.deepEqual(computed, { outputs: { letters: 5, mayor: null } });
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    test('stands in a Fastify application, and refuses who does not have the token', async () => {
      const app = fastify();
      await app.register(fastifyPlugin(await made()), { prefix: '/cities' });
      const base = `${await app.listen({ host: '127.0.0.1', port: 0 })}/cities`;
      try {
        const device = await added(base);
        assert.deepEqual(await device.options('city', 'name', 'B'), {
          options: [{ id: 'Bremen', label: 'Bremen' }],
          more: false,
        });
        assert.equal((await fetch(`${base}/manifest`)).status, 401);
        const authorization = 'Bearer secret';
        const long = await fetch(`${base}/call`, {
          method: 'POST',
          headers: { authorization },
          body: 'x'.repeat(2 ** 18),
        });
        assert.equal(long.status, 413);
      } finally {
        await app.close();
      }
    });

    test('the example answers', async () => {
      const parking = createPlugin({
        ...example,
        key: await pluginKey(folder.file('key.pem')),
        token: 'secret',
      });
      const server = createServer(nodePlugin(parking)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const device = await added(base, 'space');
        const offered = await device.options('space', 'space', 'yard');
        assert.deepEqual(offered, { options: [{ id: 'b7', label: 'B7, in the yard' }], more: false });
        const filled = { picks: { space: 'b7' }, values: { months: 2 } };
        assert.deepEqual(await device.outputs('space', filled), { outputs: { price: 110 } });
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    test('the key is made once, for its owner alone', async () => {
      const path = folder.file('fresh.pem');
      const [first, second] = await Promise.all([pluginKey(path), pluginKey(path)]);
      assert.ok(Buffer.from(first).equals(Buffer.from(second)));
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    });
  },
  LOOPBACK_PLUGINS,
);
