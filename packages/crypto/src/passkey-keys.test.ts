import assert from 'node:assert/strict';
import { hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { importGcmKey } from './aes-gcm.ts';
import { derivePasskeyWrapKey, passkeyPrfInput, unwrapPrivateKey, wrapPrivateKey } from './index.ts';

test('the wrap key of a passkey is HKDF-SHA-256 of its PRF output, as the recipe says', async () => {
  const output = new Uint8Array(32).fill(7);
  const wrapped = await wrapPrivateKey(new Uint8Array([1, 2, 3]), await derivePasskeyWrapKey(output));
  const byRecipe = hkdfSync('sha256', output, new Uint8Array(), 'symbolon passkey wrap', 32);
  const opened = await unwrapPrivateKey(wrapped, await importGcmKey(new Uint8Array(byRecipe)));
  assert.deepEqual([...opened], [1, 2, 3]);
  assert.equal(new TextDecoder().decode(passkeyPrfInput()), 'symbolon passkey prf');
});

test('the output of another passkey opens nothing, and one of another length is refused', async () => {
  const key = await derivePasskeyWrapKey(new Uint8Array(32).fill(7));
  const wrapped = await wrapPrivateKey(new Uint8Array([1]), key);
  const other = await derivePasskeyWrapKey(new Uint8Array(32).fill(8));
  await assert.rejects(unwrapPrivateKey(wrapped, other), { code: 'passphrase_wrong' });
  await assert.rejects(derivePasskeyWrapKey(new Uint8Array(16)), { code: 'key_invalid' });
});
