import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { generateOneTimeKey, openBundle, openBundleText, sealBundle } from './one-time-bundle.ts';

const otk = generateOneTimeKey();

test('a one-time bundle opens with the key it was sealed with', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      assert.deepEqual(await openBundle(await sealBundle(bytes, otk), otk), bytes);
    }),
  );
  assert.equal(await openBundleText(await sealBundle('ü', otk), otk), 'ü');
});

test('a one-time bundle is nonce, ciphertext and tag under AES-256-GCM', async () => {
  const bundle = Buffer.from(await sealBundle('values', otk), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(otk, 'base64'), bundle.subarray(0, 12));
  decipher.setAuthTag(bundle.subarray(-16));
  assert.equal(
    decipher.update(bundle.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8'),
    'values',
  );
});

test('a one-time bundle with an altered or missing byte is refused', async () => {
  const bundle = decodeBase64(await sealBundle('values', otk));
  for (let at = 0; at < bundle.length; at++) {
    const altered = bundle.with(at, bundle[at]! ^ 1);
    for (const bytes of [altered, bundle.subarray(0, at), bundle.subarray(at + 1)]) {
      await assert.rejects(openBundle(encodeBase64(bytes), otk), { code: 'bundle_tampered' });
    }
  }
  await assert.rejects(openBundle('no base64', otk), { code: 'bundle_tampered' });
  await assert.rejects(openBundle(encodeBase64(bundle), generateOneTimeKey()), { code: 'bundle_tampered' });
});

test('a one-time bundle refuses bytes that are not text, and an invalid key', async () => {
  await assert.rejects(openBundleText(await sealBundle(Uint8Array.of(0xff), otk), otk), {
    code: 'bundle_tampered',
  });
  await assert.rejects(sealBundle('x', otk.slice(4)), { code: 'key_invalid' });
  await assert.rejects(openBundle('', 'x'), { code: 'key_invalid' });
});
