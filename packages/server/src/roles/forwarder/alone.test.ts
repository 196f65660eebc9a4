import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { PluginSpec } from '@symbolon/protocol';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { FakeClock, startPlatform, UNLIMITED } from '@symbolon/testkit/platform/platform';
import { LOOPBACK_PLUGINS, PluginCaller, TestPlugin } from '@symbolon/testkit/servers/plugin-server';
import { readConfig } from '../../core/config.ts';
import { serve } from '../../serve.ts';

const SYMBOLON_SECRET = Buffer.alloc(32, 5).toString('base64');

describe('a forwarder in a process of its own', () => {
  const folder = temporaryFolder();
  let plugin: TestPlugin;
  before(async () => {
    plugin = await TestPlugin.start();
  });
  after(async () => {
    await plugin.stop();
    folder[Symbol.dispose]();
  });

  const start = (environment: Readonly<Record<string, string>>) =>
    serve(
      readConfig({
        ...UNLIMITED,
        ...LOOPBACK_PLUGINS,
        SYMBOLON_ROLES: 'forwarder',
        SYMBOLON_DATA_DIR: folder.file('data'),
        SYMBOLON_PORT: '0',
        SYMBOLON_LOG_LEVEL: 'error',
        ...environment,
      }),
    );

  test('opens passes of the region, reports to it, and stores nothing', async () => {
    const forwarder = await start({ SYMBOLON_SECRET });
    // The forwarder has the time of this machine.
    const clock = new FakeClock();
    clock.advance(Date.now() - clock.now());
    await using platform = await startPlatform(
      'sqlite',
      {
        ...LOOPBACK_PLUGINS,
        SYMBOLON_SECRET,
        SYMBOLON_ROLES: 'front-door,region,worker',
        SYMBOLON_FORWARDER_URL: forwarder.url,
      },
      clock,
    );
    try {
      const company = await registerCompany(platform);
      const added = await platform.must('POST', '/api/account/plugins', {
        token: company.token,
        body: { base_url: plugin.base },
      });
      assert.equal(added.forwarder_url, forwarder.url);
      const post = (path: string, body: unknown) =>
        fetch(`${forwarder.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: 'https://page.example' },
          body: JSON.stringify(body),
        });
      assert.equal((await post('/registry', { pass: added.pass })).status, 200);
      const listed = await platform.must('GET', '/api/account/plugins', { token: company.token });
      assert.equal(listed.plugins[0].name, 'Streets');
      const spec = { plugin_id: added.plugin.id, field_type: 'street', inputs: {} } as unknown as PluginSpec;
      const pass = await platform.context.pluginSpecs.pass(company.id, { street: spec }, undefined);
      const caller = await PluginCaller.create();
      const [passed] = pass.plugins as { id: string; public_key: string }[];
      assert.ok(passed);
      plugin.react = () => ({ outputs: { zip: '10115' } });
      const called = await post(
        '/call',
        await caller.bodyOf(pass, passed, { op: 'outputs', field_type: 'street' }),
      );
      assert.equal(called.headers.get('access-control-allow-origin'), '*');
      const { reply } = (await called.json()) as { reply: unknown };
      assert.deepEqual(await caller.open(reply), { outputs: { zip: '10115' } });
      assert.equal((await fetch(`${forwarder.url}/api/health`)).status, 200);
      assert.equal((await fetch(`${forwarder.url}/api/account/plugins`)).status, 404);
      assert.equal((await platform.call('POST', '/forwarder/call', { body: {} })).status, 404);
      assert.ok(!existsSync(folder.file('data')));
    } finally {
      await forwarder.stop();
    }
  });

  test('needs the secret of the platform', async () => {
    await assert.rejects(start({}), /SYMBOLON_SECRET/);
  });
});
