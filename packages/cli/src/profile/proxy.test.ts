import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { symbolonProcess } from '@symbolon/testkit/cli/command';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';
import { createCertificate, noCertificates } from '@symbolon/testkit/servers/certificate';
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

  test("trust the company's own authority once they are told of it", { skip: noCertificates }, async () => {
    const certificate = createCertificate('DNS:localhost');
    const server = createTlsServer(certificate, (asked, answer) => {
      const { method, headers, url } = asked;
      const forwarded = { ...headers, host: new URL(world.url).host };
      const onward = request(`${world.url}${url}`, { method, headers: forwarded }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    });
    const { port } = await listening(server);
    const whoami = ['whoami', '--config', clientAt(`https://localhost:${port}`)];
    try {
      const refused = await symbolonProcess(whoami);
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /NODE_EXTRA_CA_CERTS/);
      const authority = folder.file('company.pem');
      writeFileSync(authority, certificate.cert);
      const { code, stderr } = await symbolonProcess(whoami, { env: { NODE_EXTRA_CA_CERTS: authority } });
      assert.deepEqual([code, stderr], [0, '']);
    } finally {
      server.close();
      server.closeAllConnections();
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
