import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fingerprint, fingerprintWords, generateKeyPair, importPrivateKey, openText } from '@symbolon/crypto';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { UnconfirmedKeyError } from '../http/errors.ts';
import { fakeService } from '../testing/fake-service.ts';

test('a key of a person that the platform swaps gets nothing, in the next process either', async (t) => {
  const { path: folder } = temporaryFolder(t);
  const knownKeysFile = join(folder, 'known.json');
  const [ada, bea, thief] = await Promise.all([generateKeyPair(), generateKeyPair(), generateKeyPair()]);
  let keys: Record<string, string> = { ada: ada.publicKey, bea: bea.publicKey };
  const routes = {
    'POST /api/keys/batch': () => ({ body: { keys: { ...keys, unasked: thief.publicKey } } }),
  };
  await using first = await fakeService({}, routes, { knownKeysFile });
  const opened = await openText(
    await first.client.sealFor('ada', 'hello'),
    await importPrivateKey(ada.privateKey),
  );
  assert.equal(opened, 'hello');
  assert.deepEqual([...(await first.client.publicKeys(['bea', 'nobody'])).keys()], ['bea']);
  await assert.rejects(first.client.sealFor('nobody', 'x'), { errorKey: 'keys.not_found' });

  keys = { ada: thief.publicKey, bea: bea.publicKey };
  await using next = await fakeService({}, routes, { knownKeysFile });
  const words = await fingerprintWords(await fingerprint(thief.publicKey));
  for (const { client } of [first, next]) {
    await assert.rejects(client.sealFor('ada', 'x'), { errorKey: 'sdk.person_key_changed' });
    await assert.rejects(client.publicKeys(['bea', 'ada']), (error) => {
      assert.ok(error instanceof UnconfirmedKeyError);
      assert.deepEqual([error.details.user_ids, error.details.words], [['ada'], words]);
      return true;
    });
    assert.equal((await client.publicKeys(['bea'])).get('bea'), bea.publicKey);
  }
  await assert.rejects(next.client.confirmKey('ada', await fingerprint(ada.publicKey)), {
    errorKey: 'sdk.key_unknown',
  });
  await next.client.confirmKey('ada', words);
  assert.equal((await first.client.publicKeys(['ada'])).get('ada'), thief.publicKey);
});
