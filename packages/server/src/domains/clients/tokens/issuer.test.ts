import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { onPlatform } from '@symbolon/testkit/platform/platform';

onPlatform('a platform of this machine', (platform) => {
  test('has one issuer, by whatever name it is called', async () => {
    const { hostname, port } = new URL(platform().url);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'elsewhere.example']) {
      const path = '/.well-known/openid-configuration';
      const [answer] = (await once(get({ hostname, port, path, headers: { host } }), 'response')) as [
        IncomingMessage,
      ];
      const { issuer } = (await json(answer)) as { issuer: string };
      assert.equal(issuer, platform().url, host);
    }
  });
});
