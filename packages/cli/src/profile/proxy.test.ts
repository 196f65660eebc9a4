import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { symbolonProcess } from '@symbolon/testkit/cli/command';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';
import { listening } from '@symbolon/testkit/servers/listening';

describe('commands in the network of a company', () => {
  const folder = temporaryFolder();
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    await world.clear();
    folder[Symbol.dispose]();
  });

  function clientAt(url: string): string {
    const file = folder.file('client.json');
    const own = JSON.parse(readFileSync(world.credentials.config_file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...own, base_url: url }));
    return file;
  }

  test("go out through the company's proxy, which alone knows the platform's name", async () => {
    const asked: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      const { hostname, port } = new URL(world.url);
      const onward = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const { url } = await listening(proxy);
    try {
      const env = { HTTP_PROXY: url, NODE_USE_ENV_PROXY: '1' };
      const file = clientAt('http://platform.example');
      const { code, stderr } = await symbolonProcess(['whoami', '--config', file], { env });
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(asked[0], 'platform.example:80');
    } finally {
      proxy.close();
      proxy.closeAllConnections();
    }
  });

  test('say what an address of the platform lacks', async () => {
    for (const url of [
      'localhost:31100',
      'https://api.example.com ',
      'api.example.com',
      'ftp://example.com',
    ]) {
      const { code, stderr } = await symbolonProcess(['whoami', '--config', clientAt(url)]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^error: [^\n]*whole URL[^\n]*https:\/\/api\.example\.com[^\n]*\n$/, url);
    }
  });
});
