import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fingerprint, fingerprintWords, generateKeyPair } from '@symbolon/crypto';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { ConfirmedKeys } from './confirmed-keys.ts';
import { FileKeyStore } from './file-keys.ts';
import { type KeyStore, MemoryKeyStore } from './key-store.ts';

const keys: string[] = [];
before(async () => {
  for (let made = 0; made < 2; made++) keys.push((await generateKeyPair()).publicKey);
});
const app = (publicKey: string) => ({ kind: 'app' as const, id: 'app_1', publicKey });

for (const [kept, open] of [
  ['in memory', async () => new MemoryKeyStore()],
  ['in a file', async (folder: string) => new FileKeyStore(join(folder, 'keys.json'))],
] as const) {
  test(`a changed key is used only after it was compared, with fingerprints kept ${kept}`, async (t) => {
    const { path: folder } = temporaryFolder(t);
    const confirmed = new ConfirmedKeys(await open(folder));
    const [first = '', other = ''] = keys;
    assert.deepEqual(await confirmed.known([app(first)]), [false], 'it has not been confirmed yet');
    await confirmed.assertConfirmed(app(first));
    assert.deepEqual(await confirmed.known([app(first), app(other)]), [true, false], 'each key is compared');
    const sha256 = await fingerprint(other);
    const words = await fingerprintWords(sha256);
    const firstSha256 = await fingerprint(first);
    await assert.rejects(confirmed.assertConfirmed(app(other)), {
      errorKey: 'sdk.app_key_changed',
      details: { app_id: 'app_1', fingerprint: sha256, words, confirmed: firstSha256 },
    });
    const former = await fingerprintWords(firstSha256);
    for (const wrong of [former, firstSha256, '', words.slice(0, -1)]) {
      await assert.rejects(confirmed.confirm(app(other), wrong), { errorKey: 'sdk.key_unknown' });
    }
    await assert.rejects(confirmed.assertConfirmed(app(other)), { errorKey: 'sdk.app_key_changed' });
    await confirmed.confirm(app(other), ` ${words.toUpperCase().replaceAll(' ', '\n')}. `);
    await confirmed.assertConfirmed(app(other));
    await assert.rejects(confirmed.assertConfirmed(app(first)), { errorKey: 'sdk.app_key_changed' });
    await confirmed.confirm(app(first), firstSha256.replaceAll(/(..)(?!$)/g, '$1:'));
    await confirmed.assertConfirmed(app(first));
    await confirmed.assertConfirmed({ ...app(other), id: 'app_2' });
    await confirmed.assertConfirmed({ kind: 'person', id: 'app_1', publicKey: other });
  });
}

test('another process that confirmed a key is heard', async (t) => {
  const { path: folder } = temporaryFolder(t);
  const open = () => new ConfirmedKeys(new FileKeyStore(join(folder, 'keys.json')));
  const [here, there] = [open(), open()];
  const [first = '', other = ''] = keys;
  await here.assertConfirmed(app(first));
  await assert.rejects(there.assertConfirmed(app(other)), { errorKey: 'sdk.app_key_changed' });
  await there.confirm(app(other), await fingerprint(other));
  await here.assertConfirmed(app(other));
  assert.deepEqual(await here.unconfirmed([app(other)]), []);
  // As an editor may have left it.
  const file = join(folder, 'keys.json');
  await writeFile(file, `\ufeff${await readFile(file, 'utf8')}`);
  assert.deepEqual(await open().known([app(first), app(other)]), [false, true]);
});

test('two first uses at once keep one key', async () => {
  const [first = '', other = ''] = keys;
  const slow: KeyStore = new MemoryKeyStore();
  const confirmed = new ConfirmedKeys(slow);
  const tried = await Promise.allSettled([
    confirmed.assertConfirmed(app(first)),
    confirmed.assertConfirmed(app(other)),
  ]);
  // Either may be the first one: their fingerprints are made at the same time.
  assert.deepEqual(tried.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});
