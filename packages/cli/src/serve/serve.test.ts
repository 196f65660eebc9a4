import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PortalClient } from '@symbolon/sdk/portal';
import { RunningCommand, symbolonProcess } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { freePort } from '@symbolon/testkit/platform/address';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { createCertificate, noCertificates } from '@symbolon/testkit/servers/certificate';
import { listening } from '@symbolon/testkit/servers/listening';

const QUIET = {
  SYMBOLON_LOG_LEVEL: 'silent',
  SYMBOLON_MANAGEMENT_ADDRESS: 'off',
  SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
};
const ADDRESS = /serves on (http:\/\/127\.0\.0\.1:\d+)/;

async function start(data: string): Promise<{ command: RunningCommand; url: string }> {
  const command = new RunningCommand(['serve', '--port', '0', '--data', data], { env: QUIET });
  const [, url = ''] = await command.line(ADDRESS);
  return { command, url };
}

describe('symbolon serve', { concurrency: true }, () => {
  test('serves, says where, opens no debugger, and stops gracefully at each signal that ends programs', async () => {
    using folder = temporaryFolder();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const) {
      const { command, url } = await start(folder.file('data'));
      command.child.kill('SIGUSR1');
      assert.equal((await fetch(`${url}/api/health`)).status, 200);
      const { code, stderr } = await command.end(signal);
      assert.deepEqual([code, stderr], [0, ''], signal);
    }
    assert.equal(statSync(folder.file('data')).mode & 0o077, 0);
  });

  test('a killed platform starts again with everything it had answered', async () => {
    using folder = temporaryFolder();
    const account = { email: 'owner@example.com', password: 'correct horse battery' };
    const first = await start(folder.path);
    const owner = { baseUrl: first.url, name: 'Acme', ...account };
    const { client: portal } = await PortalClient.register(owner);
    const { service, pem } = await portal.createService({ name: 'Shop', adminEmail: 'shop@example.com' });
    const killed = await first.command.end('SIGKILL');
    assert.equal(killed.code, null);

    const second = await start(folder.path);
    const again = await PortalClient.signIn({ baseUrl: second.url, ...account });
    assert.deepEqual(await again.service(service.id), service);
    assert.equal(await again.privateKeyPem(service.id, account), pem);
    await second.command.end('SIGTERM');
  });

  test('symbolon health asks the management port, and ends with 1 when the platform is not ready or not there', async () => {
    using folder = temporaryFolder();
    const address = `127.0.0.1:${await freePort()}`;
    const health = (...args: string[]) =>
      symbolonProcess(['health', ...args], { env: { SYMBOLON_MANAGEMENT_ADDRESS: address } });
    const away = await health();
    assert.equal(away.code, 1);
    assert.match(
      away.stderr,
      /^error: http:\/\/127\.0\.0\.1:\d+\/readyz does not answer \([^)]+\)\. [^\n]+\n$/,
    );
    const env = { ...QUIET, SYMBOLON_MANAGEMENT_ADDRESS: address };
    const command = new RunningCommand(['serve', '--port', '0', '--data', folder.path], { env });
    const [, url = ''] = await command.line(ADDRESS);
    // On a busy machine the first look at the database may take longer than an answer waits.
    await eventually('it is ready', async () => (await health()).code === 0 || undefined);
    assert.deepEqual(await health(), { code: 0, stdout: 'ready\n', stderr: '' });
    assert.deepEqual(await health('--live'), { code: 0, stdout: 'live\n', stderr: '' });
    assert.deepEqual(await health('--url', url), { code: 0, stdout: 'ok\n', stderr: '' });
    const { checks } = JSON.parse((await health('--json')).stdout);
    assert.deepEqual(checks.database.state, 'ok');
    const second = await symbolonProcess(['serve', '--port', '0', '--data', folder.file('other')], { env });
    assert.equal(second.code, 2);
    assert.match(second.stderr, /^error: SYMBOLON_MANAGEMENT_ADDRESS names [^\n]+ \(EADDRINUSE\)\.\n$/);
    assert.equal((await command.end('SIGTERM')).code, 0);
    assert.equal((await health('--address', 'nowhere')).code, 2);
  });

  test('symbolon config prints what a server would be started with, and no secret', async () => {
    const env = { SYMBOLON_PORT: '9000', DATABASE_URL: 'postgres://me:hidden@db.example/x' };
    const { code, stdout } = await symbolonProcess(['config', '--changed'], { env });
    assert.equal(code, 0);
    assert.match(stdout, /^SYMBOLON_PORT=9000 {2}\(environment\)$/m);
    assert.match(stdout, /^DATABASE_URL=postgres:\/\/\*{4}@db\.example\/x {2}\(environment\)$/m);
    assert.doesNotMatch(stdout, /hidden|default/);
    const wrong = await symbolonProcess(['config'], { env: { SYMBOLON_PORT: 'x' } });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^error: SYMBOLON_PORT takes a whole number [^\n]+\n$/);
  });

  test('a port in use is reported in one line', async () => {
    using folder = temporaryFolder();
    const server = createServer();
    const { port } = await listening(server);
    const { code, stderr } = await symbolonProcess(['serve', '--port', String(port), '--data', folder.path], {
      env: QUIET,
    });
    server.close();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^error: Port ${port} is in use\\. [^\\n]+\\n$`));
  });

  test('a data folder has one process that serves', async () => {
    using folder = temporaryFolder();
    const { command, url } = await start(folder.path);
    const { code, stderr } = await symbolonProcess(['serve', '--port', '0', '--data', folder.path], {
      env: QUIET,
    });
    assert.equal(code, 2);
    assert.match(stderr, /^error: The data folder [^\n]+ is in use by another process\. [^\n]+\n$/);
    assert.equal((await fetch(`${url}/api/health`)).status, 200);
    await command.end('SIGTERM');
    await (await start(folder.path)).command.end('SIGTERM');
  });

  test('a folder whose database is gone is refused, and what a first start left can be started', async () => {
    using folder = temporaryFolder();
    const serve = () => symbolonProcess(['serve', '--port', '0', '--data', folder.path], { env: QUIET });
    await (await start(folder.path)).command.end('SIGTERM');
    for (const name of readdirSync(folder.path).filter((name) => name.startsWith('symbolon.db')))
      renameSync(folder.file(name), folder.file(`elsewhere-${name}`));
    const keyAlone = await serve();
    assert.equal(keyAlone.code, 2);
    assert.match(
      keyAlone.stderr,
      /^error: The data folder [^\n]+ has no symbolon\.db, but it has secret\.key: [^\n]+\n$/,
    );
    rmSync(folder.file('secret.key'));
    writeFileSync(folder.file('symbolon.db.restoring'), '');
    const halfRestored = await serve();
    assert.equal(halfRestored.code, 2);
    assert.match(halfRestored.stderr, /but it has symbolon\.db\.restoring: /);
    rmSync(folder.file('symbolon.db.restoring'));
    writeFileSync(folder.file('symbolon.db'), '');
    await (await start(folder.path)).command.end('SIGTERM');
  });

  test('npm start passes SIGTERM on, and the port is free afterwards', async () => {
    using folder = temporaryFolder();
    const root = fileURLToPath(new URL('../../../..', import.meta.url));
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, ...QUIET, SYMBOLON_PORT: '0', SYMBOLON_DATA_DIR: folder.path },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let url: string | undefined;
    for await (const line of createInterface({ input: npm.stdout })) {
      [, url] = ADDRESS.exec(line) ?? [];
      if (url !== undefined) break;
    }
    assert.ok(url !== undefined);
    const ended = once(npm, 'exit');
    npm.kill('SIGTERM');
    await ended;
    // npm may end before the platform has finished its requests.
    const answers = () =>
      fetch(`${url}/api/health`).then(
        () => true,
        () => false,
      );
    while (await answers()) {}
  });

  test('a setting that cannot be used is named, with exit code 2', async () => {
    const { code, stderr } = await symbolonProcess(['serve'], { env: { SYMBOLON_PORT: '70000' } });
    assert.deepEqual(
      [code, stderr],
      [2, 'error: SYMBOLON_PORT takes a whole number from 0 to 65535, not "70000".\n'],
    );
  });

  test('a database that does not answer is reported without its password', async () => {
    using folder = temporaryFolder();
    const env = {
      ...QUIET,
      DATABASE_URL: 'postgres://symbolon:hunter2@127.0.0.1:1/db',
      SYMBOLON_DATABASE_WAIT_SECONDS: '0',
      SYMBOLON_DATA_DIR: folder.path,
    };
    const { code, stderr } = await symbolonProcess(['serve', '--port', '0'], { env });
    assert.deepEqual(
      [code, stderr],
      [1, 'error: PostgreSQL at 127.0.0.1:1 does not answer. Check DATABASE_URL.\n'],
    );
  });

  test('with files for TLS, SIGHUP ends nothing while it starts', { skip: noCertificates }, async () => {
    using folder = temporaryFolder();
    const { cert, key } = createCertificate('IP:127.0.0.1');
    writeFileSync(folder.file('cert.pem'), cert);
    writeFileSync(folder.file('key.pem'), key);
    // A database that takes connections and says nothing.
    const database = createTcpServer();
    const { port } = await listening(database);
    const env = {
      ...QUIET,
      DATABASE_URL: `postgres://symbolon@127.0.0.1:${port}/db`,
      SYMBOLON_DATA_DIR: folder.path,
      SYMBOLON_TLS_CERT_FILE: folder.file('cert.pem'),
      SYMBOLON_TLS_KEY_FILE: folder.file('key.pem'),
    };
    const command = new RunningCommand(['serve', '--port', '0'], { env });
    await once(database, 'connection');
    command.child.kill('SIGHUP');
    await command.end('SIGKILL');
    database.close();
    // Of two signals, a process ends by the first that ends it.
    assert.equal(command.child.signalCode, 'SIGKILL');
  });

  test('a file that is no database, or no folder, is reported in one line', async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('symbolon.db'), 'x'.repeat(4096));
    const args = ['serve', '--port', '0', '--data'];
    assert.match(
      (await symbolonProcess([...args, folder.path])).stderr,
      /^error: The database in [^\n]+ is not a database: [^\n]+\n$/,
    );
    const blocked = await symbolonProcess([...args, folder.file('symbolon.db')]);
    assert.match(blocked.stderr, /^error: The data folder [^\n]+ cannot be written[^\n]+\n$/);
  });
});
