import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { generateOneTimeKey, openBundle, openBundleText, sealBundle } from './one-time-bundle.ts';

const otk = generateOneTimeKey();

test('opens what it sealed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), async (bytes) => {
      assert.deepEqual(await openBundle(await sealBundle(bytes, otk), otk), bytes);
    }),
  );
  assert.equal(await openBundleText(await sealBundle('ü', otk), otk), 'ü');
});

test('is nonce, ciphertext and tag under AES-256-GCM', async () => {
  const bundle = Buffer.from(await sealBundle('values', otk), 'base64');
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(otk, 'base64'), bundle.subarray(0, 12));
  decipher.setAuthTag(bundle.subarray(-16));
  assert.equal(
    decipher.update(bundle.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8'),
    'values',
  );
});

test('refuses every altered byte and every truncation', async () => {
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

test('refuses bytes where text is expected, and a key that is none', async () => {
  await assert.rejects(openBundleText(await sealBundle(Uint8Array.of(0xff), otk), otk), {
    code: 'bundle_tampered',
  });
  await assert.rejects(sealBundle('x', otk.slice(4)), { code: 'key_invalid' });
  await assert.rejects(openBundle('', 'x'), { code: 'key_invalid' });
});
