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
      const named = await symbolonProcess(['whoami', '--config', file], { env: { HTTPS_PROXY: url } });
      assert.equal(named.code, 1);
      assert.match(named.stderr, /HTTPS_PROXY names is used only when NODE_USE_ENV_PROXY=1 is set\.\n$/);
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
    const url = `https://localhost:${port}`;
    const { client_id, client_secret } = JSON.parse(readFileSync(world.credentials.config_file, 'utf8'));
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const answer = await fetch(`${world.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    const env = { SYMBOLON_TOKEN: access_token, SYMBOLON_URL: url };
    try {
      const refused = await symbolonProcess(['whoami'], { env });
      assert.notEqual(refused.code, 0);
      assert.match(refused.stderr, /NODE_EXTRA_CA_CERTS/);
      const authority = folder.file('company.pem');
      writeFileSync(authority, certificate.cert);
      const trusting = { NODE_EXTRA_CA_CERTS: authority };
      const { code, stderr } = await symbolonProcess(['whoami'], { env: { ...env, ...trusting } });
      assert.deepEqual([code, stderr], [0, '']);
      // This platform does not know that it is reached over TLS: it names its address as a plain one.
      for (const command of [['whoami'], ['api', 'GET', '/api/company-data/whoami']]) {
        const plain = await symbolonProcess([...command, '--config', clientAt(url)], { env: trusting });
        assert.equal(plain.code, 1, plain.stderr);
        assert.match(plain.stderr, /No token is sent there: it is not https\. [^\n]*SYMBOLON_PUBLIC_URL/);
      }
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
      'https://jo:lantern@api.example.com',
      'https://api.example.com?key=lantern',
      'https://api.example.com/#lantern',
    ]) {
      for (const command of [
        ['whoami', '--config', clientAt(url)],
        ['login', '--url', url, '--email', 'jo@example.com'],
        ['admin', 'stats', '--url', url],
      ]) {
        const env = { SYMBOLON_PASSWORD: 'p', SYMBOLON_OPERATOR_TOKEN: 't' };
        const { code, stderr } = await symbolonProcess(command, { env });
        assert.equal(code, 2, stderr);
        assert.match(stderr, /^error: [^\n]*whole URL[^\n]*https:\/\/api\.example\.com[^\n]*\n$/, url);
        assert.doesNotMatch(stderr, /lantern/);
      }
    }
  });
});
