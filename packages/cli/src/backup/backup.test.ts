import assert from 'node:assert/strict';
import { createWriteStream, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, before, describe, test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { symbolon } from '@symbolon/testkit/cli/command';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { OPERATOR, type RunningPlatform, startPlatform } from '@symbolon/testkit/platform/platform';
import { encrypted } from '../../../server/src/domains/operator/backup/age.ts';

describe('symbolon backup', () => {
  const folder = temporaryFolder({ after });
  let key: string;
  let sealed: string;
  let platform: RunningPlatform;
  let recipient: string;
  before(async () => {
    key = folder.file('backup.key');
    sealed = folder.file('one.backup.age');
    platform = await startPlatform('sqlite');
    await registerCompany(platform);
    const made = await symbolon(['backup', 'key', '--out', key]);
    assert.deepEqual([made.code, made.stderr], [0, '']);
    recipient = made.stdout.trim();
    const response = await fetch(`${platform.url}/api/admin/backup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR}` },
    });
    const plain = Readable.fromWeb(response.body as never);
    await pipeline(await encrypted(plain, [recipient]), createWriteStream(sealed));
  });
  after(() => platform.stop());
  const at = (dataDir: string) => ({ env: { SYMBOLON_DATA_DIR: dataDir } });

  test('makes a key once, for its owner alone', async () => {
    assert.match(recipient, /^age1[02-9ac-hj-np-z]{58}$/);
    assert.equal(statSync(key).mode & 0o777, 0o600);
    const before = await readFile(key, 'utf8');
    const again = await symbolon(['backup', 'key', '--out', key]);
    assert.equal(again.code, 2);
    assert.equal(await readFile(key, 'utf8'), before);
  });

  test('proves a backup beside the installation that it is of, and changes nothing there', async () => {
    const files = readdirSync(platform.dataDir);
    const proven = await symbolon(
      ['backup', 'prove', sealed, '--identity', key, '--json'],
      at(platform.dataDir),
    );
    assert.deepEqual([proven.code, proven.stderr], [0, '']);
    const { rows, opened, region } = JSON.parse(proven.stdout);
    assert.ok(rows > 0 && opened > 0);
    assert.equal(region, 'local');
    assert.deepEqual(readdirSync(platform.dataDir), files);

    const unopened = await symbolon(['backup', 'prove', sealed], at(platform.dataDir));
    assert.deepEqual(
      [unopened.code, unopened.stderr],
      [2, `error: ${sealed} is encrypted: --identity names the file with the private key.\n`],
    );
    const foreign = await symbolon(['backup', 'prove', sealed, '--identity', key], at(folder.file('new')));
    assert.equal(foreign.code, 2);
    assert.match(foreign.stderr, /^error: The backup was made under another secret/);
    const damaged = folder.file('damaged.age');
    const bytes = await readFile(sealed);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await writeFile(damaged, bytes);
    const wrong = await symbolon(['backup', 'prove', damaged, '--identity', key], at(platform.dataDir));
    assert.deepEqual([wrong.code, wrong.stderr], [1, 'error: The backup is damaged, or cut off.\n']);
    assert.deepEqual(readdirSync(platform.dataDir), files);
  });

  test('restores an encrypted one with its key, and leaves no open copy', async () => {
    const data = folder.file('restored');
    const restore = ['admin', 'restore', sealed, '--data', data];
    assert.equal((await symbolon(restore)).code, 2);
    assert.equal(existsSync(data), false);
    const restored = await symbolon([...restore, '--identity', key]);
    assert.deepEqual([restored.code, restored.stderr], [0, '']);
    assert.deepEqual(readdirSync(data), ['symbolon.db']);
  });

  test('lists what lies at the place of the schedule, and fetches one', async () => {
    const to = folder.file('to');
    mkdirSync(to);
    const none = await symbolon(['backup', 'list']);
    assert.deepEqual(
      [none.code, none.stderr],
      [2, 'error: SYMBOLON_BACKUP_TO says where backups are kept: it is not set.\n'],
    );
    const [one, two] = ['symbolon-local-1.backup.age', 'symbolon-local-2.backup.age'] as const;
    for (const name of [one, two]) await copyFile(sealed, `${to}/${name}`);
    const proof = { proved_at: '2026-01-31T09:30:00.000Z', rows: 7, blobs: 1 };
    await writeFile(`${to}/${one}.proof`, JSON.stringify(proof));
    const env = { SYMBOLON_BACKUP_TO: to, SYMBOLON_BACKUP_RECIPIENTS: recipient };
    const listed = await symbolon(['backup', 'list'], { env });
    assert.equal(
      listed.stdout,
      `✓ ${one}  7 rows and 1 files, restored on trial at ${proof.proved_at}\n✗ ${two}  not proven\n`,
    );
    const copy = folder.file('copy');
    assert.equal((await symbolon(['backup', 'fetch', one, copy], { env })).code, 0);
    assert.ok((await readFile(copy)).equals(await readFile(sealed)));
    assert.equal((await symbolon(['backup', 'fetch', one, copy], { env })).code, 1, 'it is there already');
    assert.equal((await symbolon(['backup', 'fetch', '../x', copy], { env })).code, 2);
  });
});
