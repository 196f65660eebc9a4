import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openAccountEnvelope, sealAccountEnvelope } from './account-envelope.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { createAttestation, fingerprint } from './index.ts';
import { generateKeyPair, importPrivateKey, importPublicKey } from './keys.ts';
import {
  fingerprintSync,
  matchesAttestationSync,
  openBytesSync,
  openTextSync,
  privateKeyObject,
  publicKeyObject,
  sealTextSync,
} from './node/index.ts';
import { openBytes, openText, sealValue } from './seal.ts';
import { serializeWrapper, type Wrapper } from './wrapper.ts';

const pair = await generateKeyPair();
const stranger = await generateKeyPair();
const key = await importPrivateKey(pair.privateKey);
const sha1Key = await importPrivateKey(pair.privateKey, 'SHA-1');
const keyObject = privateKeyObject(pair.privateKey);
const runs = { numRuns: 40 };

test('WebCrypto and node:crypto open what WebCrypto seals', async () => {
  const recipient = await importPublicKey(pair.publicKey);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const wrapper = await sealValue(bytes, recipient);
      assert.deepEqual(await openBytes(wrapper, key), bytes);
      assert.deepEqual(openBytesSync(serializeWrapper(wrapper), keyObject), bytes);
    }),
    runs,
  );
});

test('WebCrypto and node:crypto open what node:crypto seals', async () => {
  const recipient = publicKeyObject(pair.publicKey);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      const wrapper = sealTextSync(text, recipient);
      assert.equal(openTextSync(wrapper, keyObject), text);
      assert.equal(await openText(serializeWrapper(wrapper), key), text);
    }),
    runs,
  );
});

test('sealing and opening keep a byte order mark and an empty text', async () => {
  for (const text of ['\uFEFFa', '']) {
    const wrapper = await sealValue(text, pair.publicKey);
    assert.equal(await openText(wrapper, key), text);
    assert.equal(openTextSync(wrapper, keyObject), text);
  }
});

test('sealing the same value twice gives different wrappers', async () => {
  const [one, two] = [await sealValue('x', pair.publicKey), await sealValue('x', pair.publicKey)];
  assert.notEqual(one.k, two.k);
  assert.notEqual(one.iv, two.iv);
});

test('a sealed value that is not UTF-8 opens as bytes but not as text', async () => {
  const wrapper = await sealValue(Uint8Array.of(0xff, 0xfe), pair.publicKey);
  assert.equal((await openBytes(wrapper, key)).length, 2);
  await assert.rejects(openText(wrapper, key), { code: 'wrapper_malformed' });
  assert.throws(() => openTextSync(wrapper, keyObject), { code: 'wrapper_malformed' });
});

test('a wrapper with a flipped bit in any member is refused', async () => {
  const wrapper = await sealValue('a value', pair.publicKey);
  const flips: [keyof Wrapper & ('k' | 'iv' | 'd'), number][] = [
    ...[0, 1, 100, 254, 255].map((at) => ['k', at] as ['k', number]),
    ...Array.from({ length: 12 }, (_, at) => ['iv', at] as ['iv', number]),
    ...Array.from({ length: 7 + 16 }, (_, at) => ['d', at] as ['d', number]),
  ];
  for (const [member, at] of flips) {
    const bytes = decodeBase64(wrapper[member]);
    bytes[at]! ^= 1 << (at % 8);
    await assertTampered({ ...wrapper, [member]: encodeBase64(bytes) });
  }
});

test('a wrapper whose ciphertext is truncated is refused', async () => {
  const wrapper = await sealValue('a value', pair.publicKey);
  const data = decodeBase64(wrapper.d);
  for (let length = 16; length < data.length; length++) {
    await assertTampered({ ...wrapper, d: encodeBase64(data.subarray(0, length)) });
    await assertTampered({ ...wrapper, d: encodeBase64(data.subarray(data.length - length)) });
  }
  for (const d of [data.subarray(0, 15), new Uint8Array()].map(encodeBase64)) {
    await assert.rejects(openText({ ...wrapper, d }, key), { code: 'wrapper_malformed' });
    assert.throws(() => openTextSync({ ...wrapper, d }, keyObject), { code: 'wrapper_malformed' });
  }
});

test('a wrapper with a k or iv of another length is malformed for both implementations', async () => {
  const wrapper = await sealValue('a value', pair.publicKey);
  for (const member of ['k', 'iv'] as const) {
    const bytes = decodeBase64(wrapper[member]);
    for (const altered of [bytes.subarray(1), bytes.subarray(0, -1), Uint8Array.of(...bytes, 0)]) {
      const changed = { ...wrapper, [member]: encodeBase64(altered) };
      await assert.rejects(openText(changed, key), { code: 'wrapper_malformed' });
      assert.throws(() => openTextSync(changed, keyObject), { code: 'wrapper_malformed' });
    }
  }
});

test('the synchronous functions refuse the same base64 as the others', async () => {
  const wrapper = sealTextSync('a value', pair.publicKey);
  const altered = [
    { ...wrapper, k: wrapper.k.replaceAll('=', '') },
    { ...wrapper, iv: `${wrapper.iv}\n` },
    { ...wrapper, iv: ` ${wrapper.iv.slice(1)}` },
    { ...wrapper, d: `${wrapper.d}====` },
    { ...wrapper, d: `-${wrapper.d.slice(1)}` },
  ];
  for (const changed of altered) {
    assert.throws(() => openTextSync(changed, keyObject), { code: 'wrapper_malformed' });
    await assert.rejects(openText(changed, key), { code: 'wrapper_malformed' });
  }
});

test('a wrong key, a wrong digest and an exchanged k give the same error', async () => {
  const wrapper = await sealValue('a value', pair.publicKey);
  const other = await sealValue('another', pair.publicKey);
  await assertTampered({ ...wrapper, k: other.k });
  await assertTampered(await sealValue('a value', stranger.publicKey));
  await assertTampered(await sealAccountEnvelope('a value', pair.publicKey));
  await assert.rejects(openText(wrapper, sha1Key), { code: 'wrapper_tampered' });
  assert.throws(() => openTextSync(wrapper, keyObject, 'SHA-1'), { code: 'wrapper_tampered' });
});

test('a wrapper whose key does not have 32 bytes is refused', async () => {
  const wrapper = await sealValue('a value', pair.publicKey);
  const recipient = await importPublicKey(pair.publicKey);
  const short = await crypto.subtle.encrypt({ name: 'RSA-OAEP' }, recipient, new Uint8Array(16));
  await assertTampered({ ...wrapper, k: encodeBase64(new Uint8Array(short)) });
});

test('an account envelope opens with PKCS#8, with an imported key and synchronously', async () => {
  const wrapper = await sealAccountEnvelope('{"event":"x"}', pair.publicKey);
  assert.equal(Buffer.from(await openAccountEnvelope(wrapper, pair.privateKey)).toString(), '{"event":"x"}');
  assert.equal(Buffer.from(await openAccountEnvelope(wrapper, sha1Key)).toString(), '{"event":"x"}');
  assert.equal(openTextSync(wrapper, keyObject, 'SHA-1'), '{"event":"x"}');
  const sync = sealTextSync('<event/>', pair.publicKey, 'SHA-1');
  assert.equal(Buffer.from(await openAccountEnvelope(sync, pair.privateKey)).toString(), '<event/>');
});

test('opening refuses keys for another purpose or digest', async () => {
  const recipient = await importPublicKey(pair.publicKey);
  const wrapper = await sealValue('x', recipient);
  await assert.rejects(sealValue('x', recipient, { oaepHash: 'SHA-1' }), { code: 'key_invalid' });
  await assert.rejects(sealValue('x', key), { code: 'key_invalid' });
  await assert.rejects(openText(wrapper, recipient), { code: 'key_invalid' });
  await assert.rejects(sealValue('x', 'AAAA'), { code: 'key_invalid' });
});

test('the synchronous key functions give the same results as the others', async () => {
  assert.equal(fingerprintSync(pair.publicKey), await fingerprint(pair.publicKey));
  const { verified_salt, verified_hash } = await createAttestation('é');
  assert.equal(matchesAttestationSync('é', verified_salt, verified_hash), true);
  assert.equal(matchesAttestationSync('e', verified_salt, verified_hash), false);
  assert.throws(() => privateKeyObject(new Uint8Array(9)), { code: 'key_invalid' });
  assert.throws(() => publicKeyObject(encodeBase64(new Uint8Array(294))), { code: 'key_invalid' });
});

async function assertTampered(wrapper: Wrapper): Promise<void> {
  await assert.rejects(openText(wrapper, key), { code: 'wrapper_tampered' });
  assert.throws(() => openTextSync(wrapper, keyObject), { code: 'wrapper_tampered' });
}
