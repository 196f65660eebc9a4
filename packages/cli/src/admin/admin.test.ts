import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { generateKeyPair } from '@symbolon/crypto';
import { PortalClient } from '@symbolon/sdk/portal';
import { type Ended, RunningCommand, symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/cli/world';
import { refused } from './operator.ts';

const TOKEN = 'operator-token-of-the-tests-0123456789';
const READS = 'operator-token-that-only-reads-0123456789';
const ADDRESS = /serves on (http:\/\/127\.0\.0\.1:\d+)/;

describe('symbolon admin', () => {
  const folder = temporaryFolder();
  const account = { email: 'owner@example.com', password: 'correct horse battery' };
  let server: RunningCommand;
  let url = '';
  let portal: PortalClient;
  before(async () => {
    const env = {
      SYMBOLON_LOG_LEVEL: 'silent',
      SYMBOLON_OPERATOR_TOKEN: TOKEN,
      SYMBOLON_OPERATOR_READ_TOKEN: READS,
      SYMBOLON_DANGEROUSLY_REGISTER_WITHOUT_CODE: 'true',
    };
    server = new RunningCommand(['serve', '--port', '0', '--data', folder.file('data')], { env });
    [, url = ''] = await server.line(ADDRESS);
    portal = (await PortalClient.register({ baseUrl: url, name: 'Acme', ...account })).client;
  });
  after(async () => {
    await server.end('SIGTERM');
    folder[Symbol.dispose]();
  });
  const admin = (...args: string[]): Promise<Ended> =>
    symbolon(['admin', ...args], { env: { SYMBOLON_URL: url, SYMBOLON_OPERATOR_TOKEN: TOKEN } });
  const told = async (...args: string[]) => {
    const { code, stdout, stderr } = await admin(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };

  const listed = async (...args: string[]) => {
    const { code, stdout, stderr } = await admin(...args, '--json');
    assert.equal(code, 0, stderr);
    const rows = stdout.split('\n').filter(Boolean);
    return rows.map((row) => JSON.parse(row));
  };

  test('finds companies and sets levels by code, address or id', async () => {
    const items = await listed('companies', 'acme');
    assert.equal(items.length, 1);
    const [{ company_user_id: id, company_code: code }] = items;
    for (const [name, wanted] of [
      ['pro', code.toLowerCase()],
      ['basic', account.email],
      ['free', id],
    ]) {
      assert.equal((await told('level', wanted, name)).level, name);
    }
    const list = await admin('companies');
    assert.match(list.stdout, new RegExp(`^${code} .* free .* Acme .*owner@example.com`, 'm'));
    assert.ok(!list.stdout.includes('\u001b'), 'what others wrote is made safe');
    const unknown = await admin('level', 'NOBODY', 'pro');
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(
      unknown.stderr,
      /^error: There is no such company\. \(admin\.company_not_found, request [^\n]+\n$/,
    );
    assert.equal((await admin('level', code, 'gold')).code, 2);
    await told('level', code, 'enterprise');
  });

  test('shows and replaces the keys that sign id_tokens', async () => {
    const kids = (keys: { kid: string }[]) => keys.map(({ kid }) => kid);
    const none = await admin('signing-keys', 'list');
    assert.deepEqual([none.code, none.stdout], [0, 'There are no keys yet: no sign-in app needs one.\n']);
    const { publicKey } = await generateKeyPair();
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${portal.session.token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      assert.ok(answer.ok, await answer.clone().text());
      return answer.json();
    };
    await call('/api/account/oauth-apps', {
      name: 'Web shop',
      redirect_uris: ['https://shop.example/cb'],
      public_key: publicKey,
    });
    const published = async () =>
      (await call('/oauth2/jwks')).keys.map(({ kid }: { kid: string }) => kid).sort();
    const first = await listed('signing-keys', 'list');
    assert.deepEqual(kids(first).sort(), await published());
    const { stdout } = await admin('signing-keys', 'list');
    for (const { kid, algorithm } of first)
      assert.match(stdout, new RegExp(`^${kid} +${algorithm} +signs from .* the newest *$`, 'm'));

    const { signing_keys: rotated } = await told('signing-keys', 'rotate');
    assert.equal(kids(rotated).length, 2 * kids(first).length);
    assert.deepEqual(kids(rotated).sort(), await published(), 'old and new ones are published');
    const compromised = await admin('signing-keys', 'rotate', '--compromised');
    assert.equal(compromised.code, 0, compromised.stderr);
    assert.match(
      compromised.stdout,
      /^The new keys sign from now on\. Tokens under the older ones are refused\.$/m,
    );
    const left = await listed('signing-keys', 'list');
    assert.equal(kids(left).length, kids(first).length);
    assert.ok(kids(left).every((kid) => !kids(rotated).includes(kid)));
    assert.deepEqual(kids(left).sort(), await published());

    const forged = await symbolon(['admin', 'signing-keys', 'rotate'], {
      env: { SYMBOLON_URL: url, SYMBOLON_OPERATOR_TOKEN: `${TOKEN}x` },
    });
    assert.deepEqual([forged.code, forged.stdout], [2, ''], forged.stderr);
    assert.deepEqual(kids(await listed('signing-keys', 'list')), kids(left));
  });

  test('adds and removes field types', async () => {
    // As editors of Windows write it.
    const row = JSON.stringify({ type: 'iban', parent: 'text', label: 'IBAN' });
    writeFileSync(folder.file('iban.json'), `\ufeff${row}`);
    assert.equal((await told('field-types', 'add', folder.file('iban.json'))).type, 'iban');
    assert.match((await admin('field-types', 'list')).stdout, /^iban +text +added +IBAN$/m);
    const again = await admin('field-types', 'add', folder.file('iban.json'));
    assert.match(again.stderr, /\/type: There is a type of this name\. \(admin\.field_type_invalid/);
    assert.deepEqual(await told('field-types', 'remove', 'iban'), { removed: 'iban' });
  });

  test('pauses and resumes saving, takes the region out of order and back', async () => {
    assert.equal((await told('pause', '--reason', 'upgrade')).writes_paused.reason, 'upgrade');
    await assert.rejects(
      PortalClient.signIn({ baseUrl: url, ...account, retry: { attempts: 0 } }),
      (error: { errorKey: string; retryAfterMs: number }) =>
        error.errorKey === 'db.writes_paused' && error.retryAfterMs === 30_000,
    );
    assert.equal((await told('resume')).writes_paused, null);
    assert.match((await admin('out-of-order', 'on')).stdout, /^Out of order since /);
    assert.equal((await fetch(`${url}/api/account`)).status, 503);
    assert.match((await admin('out-of-order', 'off')).stdout, /^✓ The region saves and answers\./);
  });

  test('purges, tells numbers, rotates keys, and all of it is on record', async () => {
    assert.deepEqual(await told('purge'), { change_rows: 0 });
    assert.equal((await told('stats')).companies.total, 1);
    const numbers = (await admin('stats')).stdout;
    assert.match(numbers, /^change feed +nothing waits$/m);
    assert.match(
      numbers,
      /^requests +\d+\.\d a second over \d+ s; \d+ of 5xx, \d+ of 429; 99 % within \d+ ms$/m,
    );
    assert.match(numbers, /^certificates +seal until –, TLS until –$/m);
    assert.equal((await told('keys', 'rotate')).current, 2);
    assert.match((await admin('keys', 'list')).stdout, /^1 +former +.*access tokens until .*\n2 +current /m);
    assert.deepEqual(
      (await listed('keys', 'list')).map(({ version, current }) => [version, current]),
      [
        [1, false],
        [2, true],
      ],
    );
    const early = await admin('keys', 'drop', '1');
    assert.match(early.stderr, /something is under it/);
    assert.deepEqual(await told('keys', 'drop', '1', '--force'), { dropped: 1 });
    // The session ended with the version.
    portal = await PortalClient.signIn({ baseUrl: url, ...account });
    const items = await listed('acts', '--limit', '3');
    assert.deepEqual(
      items.map(({ act }: { act: string }) => act),
      ['key.dropped', 'key.changed', 'data.purged'],
    );
  });

  test('says whether the process is well, what jobs wait, and what became of a test mail', async () => {
    const ready = await told('readiness');
    assert.deepEqual([ready.checks.database.needed, ready.process.region], [true, 'local']);
    assert.match((await admin('readiness')).stdout, /^database +(?:ok|unknown) +needed/m);
    assert.deepEqual(await listed('jobs'), []);
    assert.match((await admin('jobs')).stdout, /^No job waits\.$/m);
    assert.deepEqual(await listed('backups', 'list'), []);
    assert.match((await admin('backups', 'list')).stdout, /^There is no schedule: SYMBOLON_BACKUP_TO\.$/m);
    const none = await admin('backups', 'now');
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /There is no schedule of backups.*admin\.backup_unavailable/);
    assert.deepEqual((await told('mail-test', 'ops@example.com')).through, 'outbox');
    assert.match((await admin('mail-test', 'ops@example.com')).stdout, /in the outbox: no mail server/);
    assert.equal((await admin('mail-test', 'nobody')).code, 1);
  });

  test('tells of regions, and moves no company where there is but one', async () => {
    const regions = await listed('regions');
    assert.deepEqual(
      regions.map(({ name, own, status, companies }: Record<string, unknown>) => [
        name,
        own,
        status,
        companies,
      ]),
      [['local', true, 'ok', 1]],
    );
    assert.match((await admin('regions')).stdout, /^local +ok +1 company +http:.* \(this one\)$/m);
    const nowhere = await admin('move-company', account.email, '--to', 'mars', '--wait');
    assert.equal(nowhere.code, 1);
    assert.match(
      nowhere.stderr,
      /^error: There is no such region\. \(moves\.region_unknown, request [^\n]+\n$/,
    );
    assert.match((await admin('move-company', account.email, '--to', 'local')).stderr, /moves\.same_region/);
    assert.equal((await admin('move-company', account.email)).code, 2);
    assert.deepEqual(await listed('moves'), []);
    assert.match((await admin('undo-move', 'nothing')).stderr, /moves\.not_found/);
  });

  test('backs up while the platform serves, and restores where nothing runs', async () => {
    const file = folder.file('symbolon.backup');
    const made = await admin('backup', file);
    assert.deepEqual([made.code, made.stderr], [0, '']);
    assert.match(made.stdout, /^✓ \S+symbolon\.backup: \d+ rows and 0 files, checked\.\n/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal((await admin('backup', file)).code, 2, 'a file that is there is never written over');
    const running = await symbolon(['admin', 'restore', file, '--data', folder.file('data')]);
    assert.deepEqual(
      [running.code, running.stderr],
      [1, 'error: The database is in use: stop the platform first.\n'],
    );

    const copy = folder.file('copy');
    const restored = await symbolonProcess(['admin', 'restore', file, '--data', copy]);
    assert.equal(restored.code, 0, restored.stderr);
    writeFileSync(`${copy}/secret.key`, readFileSync(folder.file('data/secret.key')));
    const second = new RunningCommand(['serve', '--port', '0', '--data', copy], {
      env: { SYMBOLON_LOG_LEVEL: 'silent' },
    });
    const [, base = ''] = await second.line(ADDRESS);
    const again = await PortalClient.signIn({ baseUrl: base, ...account });
    assert.deepEqual(await again.account(), await portal.account());
    await second.end('SIGTERM');

    const full = await symbolon(['admin', 'restore', file, '--data', copy]);
    assert.equal(full.stderr, 'error: The database is not empty: --force replaces what is there.\n');
    const forced = await symbolon(['admin', 'restore', file, '--data', copy, '--force', '--json']);
    assert.match(JSON.parse(forced.stdout).put_aside, /symbolon\.db\.before-restore-/);
    writeFileSync(folder.file('no.backup'), 'nothing of the kind');
    const other = await symbolon([
      'admin',
      'restore',
      folder.file('no.backup'),
      '--data',
      folder.file('new'),
    ]);
    assert.deepEqual([other.code, other.stderr], [1, 'error: This is not a backup of Symbolon.\n']);
  });

  test('says what a front door of its own has not', () => {
    const operator = { url: 'https://api.example.com', token: TOKEN };
    const { message } = refused(operator, 404, JSON.stringify({ error_key: 'request.not_found' }), null);
    assert.match(
      message,
      /^https:\/\/api\.example\.com has no operator's routes\. A front door of its own has none/,
    );
    assert.match(message, /--url/);
  });

  test('finds an address however it is spelled, and takes no address that only begins alike', async () => {
    await PortalClient.register({ ...account, baseUrl: url, name: 'Müller', email: 'jürgen@müller.example' });
    for (const wanted of [
      'JÜRGEN@Müller.Example',
      'ju\u0308rgen@mu\u0308ller.example',
      'jürgen@xn--mller-kva.example',
    ]) {
      assert.equal((await told('level', wanted, 'pro')).name, 'Müller', wanted);
      assert.deepEqual(
        (await listed('companies', wanted)).map(({ name }) => name),
        ['Müller'],
        wanted,
      );
    }
    assert.equal((await admin('level', 'jürgen@müller.exampl', 'free')).code, 1);
    assert.equal((await admin('level', 'owner@example.co', 'free')).code, 1);
  });

  test('looks with the token that only reads, and says that it cannot act', async () => {
    const env = { SYMBOLON_URL: url, SYMBOLON_OPERATOR_READ_TOKEN: READS };
    const ready = await symbolon(['admin', 'readiness'], { env });
    assert.match(ready.stdout, /This operator token only reads\.\n$/);
    for (const args of [['purge'], ['backup', folder.file('unread')]]) {
      const refused = await symbolon(['admin', ...args], { env });
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /^error: This operator token only reads[^\n]+\n$/);
    }
  });

  test('shows the processes of the installation, and says that their versions differ', async () => {
    const own = (await admin('stats')).stdout;
    assert.match(
      own,
      /^\* \S+ +\S+ +[a-z_]+ +\S+Z +\d+ MiB +\d+ ms +[\d.]+ +\d+ +front-door, region, worker, forwarder$/m,
    );
    assert.ok(!own.includes('upgrade'), own);
    const all = await told('stats');
    const [first] = all.processes;
    const other = { ...first, this: false, instance: 'b\u001b[2J', version: '9.9.9', state: 'draining' };
    const older = { ...other, version: '0.0.1', gone: true, memory_bytes: null, event_loop_p99_ms: null };
    const several = createServer((_, answer) =>
      answer
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ...all, processes: [first, other, older] })),
    ).listen(0, '127.0.0.1');
    await once(several, 'listening');
    try {
      const { stdout } = await admin(
        'stats',
        '--url',
        `http://127.0.0.1:${(several.address() as AddressInfo).port}`,
      );
      assert.match(stdout, /^ {2}b\[2J .* 9\.9\.9 +draining /m);
      assert.match(stdout, /^ {2}b\[2J .* 0\.0\.1 +gone +\S+Z +– +– /m);
      assert.match(stdout, new RegExp(`^The processes run ${first.version} and 9\\.9\\.9: `, 'm'));
    } finally {
      several.close();
    }
  });

  test('says in one line what is wrong', async () => {
    const none = await symbolonProcess(['admin', 'stats'], { env: { SYMBOLON_URL: url } });
    assert.deepEqual([none.code, none.stdout], [2, '']);
    assert.match(none.stderr, /^error: Give the operator token in SYMBOLON_OPERATOR_TOKEN[^\n]*\n$/);
    const wrong = await symbolon(['admin', 'stats'], {
      env: { SYMBOLON_URL: url, SYMBOLON_OPERATOR_TOKEN: `${TOKEN}x` },
    });
    assert.deepEqual([wrong.code, wrong.stderr.includes(TOKEN)], [2, false]);
    assert.match(wrong.stderr, /does not know this operator token/);
    const away = await symbolon(['admin', 'stats', '--url', 'http://127.0.0.1:1'], {
      env: { SYMBOLON_OPERATOR_TOKEN: TOKEN },
    });
    assert.match(away.stderr, /^error: http:\/\/127\.0\.0\.1:1 does not answer \([^)]+\)\. [^\n]+\n$/);
    const backup = await symbolon(['admin', 'backup', folder.file('x'), '--url', 'http://127.0.0.1:1'], {
      env: { SYMBOLON_OPERATOR_TOKEN: TOKEN },
    });
    assert.equal(backup.code, 1);
    const help = await symbolon(['admin', '--help']);
    assert.match(help.stdout, /Examples:\n {2}\$ symbolon admin/);
  });
});
