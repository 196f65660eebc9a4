import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { PersonClient } from '@symbolon/sdk/person';
import { temporaryFolder } from '@symbolon/testkit/cli/world';

const ROOT = join(import.meta.dirname, '..');
const PDFJS: { version: string } = createRequire(import.meta.url)('pdfjs-dist/package.json');

test('npm run dev serves pages and platform at one address, starts the platform again, and leaves nothing behind', async () => {
  using folder = temporaryFolder();
  const temporary = folder.file('temporary');
  mkdirSync(temporary);
  const npm = spawn('npm', ['run', 'dev', '--', '--fresh'], {
    cwd: ROOT,
    env: {
      ...process.env,
      TMPDIR: temporary,
      SYMBOLON_PORT: '0',
      SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends its Ctrl-C to a group.
    detached: true,
  });
  const closed = once(npm, 'close');
  const complained = text(npm.stderr);
  const lines: string[] = [];
  let url: string | undefined;
  const output = createInterface({ input: npm.stdout }).on('line', (line) => lines.push(line));
  // The watcher stays when the platform ends, and would be waited for without end.
  const failed = new Promise<never>((_, reject) => {
    output.on('line', (line) => {
      if (/Failed running/.test(line)) reject(new Error(lines.join('\n')));
    });
  });
  failed.catch(() => undefined);
  while (url === undefined && npm.exitCode === null) {
    await Promise.race([once(output, 'line'), closed]);
    url = /serves on (http:\/\/localhost:\d+)/.exec(lines.at(-1) ?? '')?.[1];
  }
  assert.ok(url !== undefined, lines.join('\n'));
  const get = async (path: string, accept = 'text/html') => {
    const response = await fetch(url + path, { headers: { accept } });
    return {
      type: response.headers.get('content-type'),
      status: response.status,
      body: await response.text(),
    };
  };

  for (const path of ['/', '/register', '/me/documents/1', '/portal']) {
    const { body } = await get(path);
    assert.match(body, /src="\/@vite\/client"/, path);
    assert.match(body, /<meta name="symbolon-registration" content="one-step"/, path);
  }
  assert.match((await get('/', '*/*')).body, /href="\/openapi\.json"/);
  assert.equal((await get('/src/main.ts')).type, 'text/javascript');
  assert.match((await get('/service-worker.js')).body, /addEventListener\(["']push/);
  const font = await get(`/assets/pdfjs-${PDFJS.version}/FoxitSerif.pfb`);
  assert.deepEqual([font.status, font.type], [200, 'application/octet-stream']);
  for (const path of ['/nothing', '/assets/nothing.js', '/api/nothing']) {
    assert.match((await get(path)).body, /request\.not_found/, path);
  }
  assert.equal(JSON.parse((await get('/openapi.json')).body).openapi, '3.1.0');
  assert.match((await get('/docs/site.css')).type ?? '', /^text\/css/);
  assert.equal(JSON.parse((await get('/.well-known/openid-configuration')).body).issuer, url);
  assert.match((await get('/forwarder/registry')).body, /request\.method_not_allowed/);

  const anna = { baseUrl: url, email: 'anna@example.com', displayName: 'Anna', password: 'lantern river 27' };
  const { client } = await PersonClient.register(anna);
  const events = client.events();
  const next = async () => (await Promise.race([events.next(), failed])).value?.kind;
  assert.equal(await next(), 'connected');
  const now = new Date();
  utimesSync(join(ROOT, 'packages/server/src/serve.ts'), now, now);
  // The platform ends its streams when it stops, and the next one opens with the one that follows.
  assert.equal(await next(), 'connected');
  await events.return();

  process.kill(-(npm.pid ?? 0), 'SIGINT');
  // Everything that had the output has ended.
  await closed;
  assert.equal(lines.filter((line) => /serves on/.test(line)).length, 2);
  assert.equal(lines.filter((line) => /SIGTERM: finishing/.test(line)).length, 2);
  assert.equal(await complained, '');
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name.startsWith('symbolon-dev-')),
    [],
  );
  await assert.rejects(fetch(url));
});
