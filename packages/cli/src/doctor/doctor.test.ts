import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';
import { engines } from '@symbolon/testkit/platform/engines';
import { openPlace } from '@symbolon/testkit/platform/places';
import { listening } from '@symbolon/testkit/servers/listening';

describe('symbolon doctor', { concurrency: true }, () => {
  const folder = temporaryFolder();
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(async () => {
    await world.clear();
    folder[Symbol.dispose]();
  });

  async function examine(args: readonly string[], env: Record<string, string> = {}) {
    const { code, stdout, stderr } = await symbolon(['doctor', '--json', ...args], {
      env: { SYMBOLON_DATA_DIR: folder.file('none'), ...env },
    });
    const { ok, checks } = JSON.parse(stdout || stderr);
    assert.equal(code, ok ? 0 : 1);
    type Finding = { status: string; detail: string; todo?: string };
    const byName: Record<string, Finding> = Object.fromEntries(
      checks.map((check: { name: string }) => [check.name, check]),
    );
    return (name: string) => byName[name] as Finding;
  }

  test('finds nothing wrong where nothing is wrong', async () => {
    const args = ['doctor', '--server', '--config', world.credentials.config_file];
    const { code, stdout } = await symbolonProcess(args, { env: { SYMBOLON_DATA_DIR: world.folder } });
    assert.equal(code, 0, stdout);
    assert.equal(stdout.match(/^✓/gm)?.length, 11, stdout);
    assert.match(stdout, /All is well\.\n$/);
  });

  test('needs no client to look at the machine', async () => {
    const check = await examine([]);
    assert.equal(check('Node.js').status, 'ok');
    assert.equal(check('database').status, 'ok');
    assert.equal(check('credentials'), undefined);
  });

  test('refuses a data folder that a start refuses', async () => {
    using left = temporaryFolder();
    writeFileSync(left.file('secret.key'), 'a secret', { mode: 0o600 });
    const check = await examine([], { SYMBOLON_DATA_DIR: left.path });
    assert.equal(check('data folder').status, 'failed');
    assert.match(check('data folder').detail, /a platform was here, and its database is gone/);
  });

  test('tries the certificate of the seal', async () => {
    const none = await examine([]);
    assert.deepEqual(none('seal'), {
      name: 'seal',
      status: 'skipped',
      detail: 'no certificate is configured',
    });
    const missing = await examine([], { SYMBOLON_SEAL_CERTIFICATE: folder.file('none.p12') });
    assert.equal(missing('seal').status, 'failed');
    assert.match(missing('seal').detail, /^SYMBOLON_SEAL_CERTIFICATE names .* cannot be read \(ENOENT\)/);
  });

  test('shows a client no checks of a server, and says what it needs without naming itself', async () => {
    const file = folder.file('incomplete.json');
    writeFileSync(file, JSON.stringify({ base_url: world.url }), { mode: 0o600 });
    const check = await examine(['--config', file]);
    assert.equal(check('database'), undefined);
    assert.equal(check('configuration').detail, 'Missing: client_id, client_secret.');
    assert.match(check('configuration').todo ?? '', /^It takes base_url/);
  });

  test('finds an address without http:// and a key that is JSON', async () => {
    const file = folder.file('address.json');
    const config = {
      base_url: 'localhost:8181',
      client_id: 'svc_x',
      client_secret: 'y',
      private_key_file: file,
    };
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    const check = await examine(['--config', file]);
    assert.match(check('reachable').detail, /^localhost:8181 is not an address that begins with http/);
    assert.equal(check('reachable').todo, 'Give one such as http://localhost:8181.');
    assert.match(check('private key').detail, /is not a PEM\. It is JSON: symbolon keys pem makes a PEM/);
    const { stderr } = await symbolon(['connections', '--config', file]);
    assert.match(stderr, /The private key is not a PEM\. It is JSON|not an absolute http/);
  });

  test('tells a wrong secret from a platform that is not there', async () => {
    const { client_id: SYMBOLON_CLIENT_ID, private_key_file: SYMBOLON_PRIVATE_KEY_FILE } = world.credentials;
    const env = {
      SYMBOLON_URL: world.url,
      SYMBOLON_CLIENT_ID,
      SYMBOLON_CLIENT_SECRET: 'wrong',
      SYMBOLON_PRIVATE_KEY_FILE,
    };
    const wrong = await examine([], env);
    assert.equal(wrong('reachable').status, 'ok');
    assert.equal(wrong('credentials').status, 'failed');
    assert.match(wrong('credentials').todo ?? '', /portal/);
    assert.equal(wrong('private key').status, 'failed');

    const away = await examine(['--config', world.credentials.config_file, '--url', 'http://127.0.0.1:1']);
    assert.match(away('reachable').detail, /does not answer \(ECONNREFUSED|bad port/);
    assert.equal(away('credentials').status, 'skipped');
  });

  test('finds a key of another service, by fingerprint and by a value that stays shut', async () => {
    await symbolon(['keys', 'generate', '--out', folder.file('other')]);
    const { client_id: id, client_secret: secret, company_code, service_code } = world.credentials;
    const file = folder.file('other/client.json');
    const config = {
      base_url: world.url,
      client_id: id,
      client_secret: secret,
      private_key_file: 'decrypted.pem',
    };
    await symbolon([
      ...['keys', 'open', folder.file('other/service-key.pem'), '--out', folder.file('other/decrypted.pem')],
      ...['--passphrase-file', folder.file('other/passphrase.txt')],
    ]);
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    const shut = await examine(['--config', file]);
    assert.equal(shut('private key').status, 'ok');
    assert.match(shut('key matches').detail, /does not open the values/);
    const compared = await examine(['--config', file, '--service', `${company_code}/${service_code}`]);
    assert.match(compared('key matches').detail, /has another key/);
    // As an editor may have left it.
    writeFileSync(file, `\ufeff${JSON.stringify({ ...config, company_code, service_code })}`);
    assert.match((await examine(['--config', file]))('key matches').detail, /has another key/);
  });

  test('finds files that others can read', async () => {
    const data = folder.file('open');
    mkdirSync(data);
    chmodSync(data, 0o755);
    const file = folder.file('open.json');
    writeFileSync(file, JSON.stringify({ base_url: world.url, client_id: 'svc_x', client_secret: 'y' }));
    chmodSync(file, 0o644);
    const check = await examine(['--server', '--config', file], { SYMBOLON_DATA_DIR: data });
    assert.equal(check('data folder').todo, `chmod 700 ${data}`);
    assert.equal(check('configuration').todo, `chmod 600 ${file}`);
  });

  test('finds clocks that are apart', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('date', new Date(Date.now() - 120_000).toUTCString());
      response.setHeader('content-type', 'application/json');
      response.end('{"status":"ok"}');
    });
    const { port } = await listening(server);
    const check = await examine(['--url', `http://127.0.0.1:${port}`]);
    server.close();
    assert.match(check('clock').detail, /1(19|20|21) s ahead of the platform's/);
  });

  test('asks PostgreSQL, and never shows its password', async () => {
    const DATABASE_URL = 'postgres://symbolon:hunter2@127.0.0.1:1/db';
    const { code, stdout } = await symbolon(['doctor'], {
      env: { DATABASE_URL, SYMBOLON_DATA_DIR: folder.file('none') },
    });
    assert.equal(code, 1);
    assert.match(stdout, /✗ database +PostgreSQL at 127\.0\.0\.1:1 does not answer/);
    assert.doesNotMatch(stdout, /hunter2/);
    const { SYMBOLON_TEST_DATABASE_URL: real } = process.env;
    if (real === undefined) return;
    assert.match((await examine([], { DATABASE_URL: real }))('database').detail, /^PostgreSQL \d/);
  });

  test('knows how old the newest proven backup is, and only reads', async () => {
    await using place = await openPlace('sqlite');
    const env = {
      SYMBOLON_DATA_DIR: place.dataDir,
      SYMBOLON_BACKUP_TO: folder.file('backups'),
      SYMBOLON_BACKUP_RECIPIENTS: 'none',
    };
    const files = readdirSync(place.dataDir);
    const never = await examine(['--server'], env);
    assert.equal(never('backups').status, 'failed');
    assert.equal(never('backups').detail, 'none was made; none was ever restored on trial');
    assert.deepEqual(readdirSync(place.dataDir), files);
    const note = (name: string, at: number) => {
      const database = new DatabaseSync(`${place.dataDir}/symbolon.db`);
      const insert = database.prepare(
        'insert or replace into region_settings (name, value, updated_at) values (?, ?, 0)',
      );
      insert.run(name, String(at));
      database.close();
    };
    const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
    note('backup.made_at', hoursAgo(2));
    note('backup.proved_at', hoursAgo(50));
    const late = await examine(['--server'], env);
    assert.equal(
      late('backups').detail,
      'the newest is 2 h old; the newest that was restored on trial is 50 h old',
    );
    note('backup.proved_at', hoursAgo(2));
    assert.equal((await examine(['--server'], env))('backups').status, 'ok');
  });

  const noPostgres = !engines.includes('postgres') && 'it needs a PostgreSQL';
  test('finds programs that cannot back up the database', { skip: noPostgres }, async () => {
    await using place = await openPlace('postgres');
    const { environment } = place;
    for (const name of ['pg_dump', 'pg_restore', 'psql'])
      writeFileSync(folder.file(name), '#!/bin/sh\necho "pg_dump (PostgreSQL) 9.6.24"\n', { mode: 0o755 });
    const SYMBOLON_BACKUP_TO = folder.file('backups');
    const schedule = { SYMBOLON_BACKUP_TO, SYMBOLON_BACKUP_RECIPIENTS: 'none' };
    const env = { ...environment, ...schedule, PATH: `${folder.path}:${process.env.PATH}` };
    const { stdout } = await symbolonProcess(['doctor', '--server'], { env });
    assert.match(stdout, /✗ backups +pg_dump 9 refuses PostgreSQL \d+\. Install client programs of version/);
  });

  test('names a setting that cannot be used', async () => {
    const check = await examine([], { SYMBOLON_PORT: 'x' });
    assert.match(check('server settings').detail, /SYMBOLON_PORT/);
    assert.equal(check('database').status, 'skipped');
  });
});
