import assert from 'node:assert/strict';
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { generateKeyPair } from './keys.ts';
import { derivePinsKey, openPins, sealPins } from './pins.ts';

const { privateKey } = await generateKeyPair();
const key = await derivePinsKey(privateKey);
const sealed = await sealPins('[1]', 5, key);

test('pins are AES-256-GCM under HKDF of the private key, with the counter as additional data', () => {
  const raw = Buffer.from(hkdfSync('sha256', privateKey, '', 'symbolon pins', 32));
  const data = Buffer.from(sealed.data, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', raw, Buffer.from(sealed.iv, 'base64'));
  decipher.setAAD(Buffer.from('symbolon pins 5')).setAuthTag(data.subarray(-16));
  assert.equal(Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()]).toString(), '[1]');
  assert.equal(key.extractable, false);
});

test('pins open again, and a newer list too', async () => {
  assert.equal(await openPins(sealed, 5, key), '[1]');
  assert.equal(await openPins(sealed, 4, key), '[1]');
});

test('an older list is refused, and so is an older list with a new counter', async () => {
  await assert.rejects(openPins(sealed, 6, key), { code: 'pins_outdated' });
  await assert.rejects(openPins({ ...sealed, counter: 6 }, 6, key), { code: 'pins_tampered' });
});

test('altered pins and pins of another key are refused', async () => {
  const data = decodeBase64(sealed.data);
  data[0]! ^= 1;
  const other = await derivePinsKey((await generateKeyPair()).privateKey);
  await assert.rejects(openPins(sealed, 0, other), { code: 'pins_tampered' });
  for (const altered of [
    { ...sealed, data: encodeBase64(data) },
    { ...sealed, data: 'AAAA' },
    { ...sealed, iv: '?' },
    { ...sealed, counter: 0.5 },
  ]) {
    await assert.rejects(openPins(altered, 0, key), { code: 'pins_tampered' });
  }
});
