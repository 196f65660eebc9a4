import assert from 'node:assert/strict';
import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { fingerprint, importPrivateKey } from './keys.ts';
import { decryptPem } from './pem.ts';
import { decryptPrivateKey, generatePassphrase, parseEncryptedPrivateKey } from './private-key-recipe.ts';
import { openText, sealValue } from './seal.ts';
import { createServiceKey } from './service-key.ts';

const service = await createServiceKey();
const { encryptedPrivateKey: encrypted, passphrase } = service;

test('both encrypted forms of a new service key contain the private half of its public key', async () => {
  const fromRecipe = await decryptPrivateKey(encrypted, passphrase);
  assert.deepEqual(await decryptPem(service.privateKeyPem, passphrase), fromRecipe);
  const wrapper = await sealValue('a value', service.publicKey);
  assert.equal(await openText(wrapper, await importPrivateKey(fromRecipe)), 'a value');
  assert.match(await fingerprint(service.publicKey), /^[0-9a-f]{64}$/);
});

test('encrypting a service key follows the recipe step by step', async () => {
  const [salt, iv, data] = [encrypted.salt, encrypted.iv, encrypted.data].map((text) =>
    Buffer.from(text, 'base64'),
  );
  const key = pbkdf2Sync(passphrase, salt!, 100_000, 32, 'sha256');
  const decipher = createDecipheriv('aes-256-gcm', key, iv!).setAuthTag(data!.subarray(-16));
  const pkcs8 = Buffer.concat([decipher.update(data!.subarray(0, -16)), decipher.final()]);
  assert.deepEqual(new Uint8Array(pkcs8), await decryptPrivateKey(encrypted, passphrase));
});

test('a passphrase is 32 random bytes as base64 text', () => {
  assert.equal(decodeBase64(generatePassphrase()).length, 32);
  assert.notEqual(generatePassphrase(), generatePassphrase());
});

test('a wrong passphrase and altered data give the same error', async () => {
  const data = decodeBase64(encrypted.data);
  data[9]! ^= 1;
  await assert.rejects(decryptPrivateKey(encrypted, 'wrong'), { code: 'passphrase_wrong' });
  await assert.rejects(decryptPrivateKey({ ...encrypted, data: encodeBase64(data) }, passphrase), {
    code: 'passphrase_wrong',
  });
});

const { salt: _, ...withoutSalt } = encrypted;
const refused: [string, unknown][] = [
  ['null', null],
  ['JSON text', JSON.stringify(encrypted)],
  ['a missing member', withoutSalt],
  ['an unknown member', { ...encrypted, passphrase }],
  ['fewer iterations', { ...encrypted, iter: 99_999 }],
  ['more iterations', { ...encrypted, iter: 600_000 }],
  ['iterations as text', { ...encrypted, iter: '100000' }],
  ['a salt of 15 bytes', { ...encrypted, salt: encodeBase64(new Uint8Array(15)) }],
  ['an iv of 16 bytes', { ...encrypted, iv: encodeBase64(new Uint8Array(16)) }],
  ['data of a smaller key', { ...encrypted, data: encodeBase64(new Uint8Array(650)) }],
  ['data of a larger key', { ...encrypted, data: encodeBase64(new Uint8Array(2390)) }],
  ['data that is no base64', { ...encrypted, data: encrypted.data.replace(/.$/, '!') }],
  ['bytes', { ...encrypted, salt: new Uint8Array(16) }],
];

for (const [name, input] of refused) {
  test(`an encrypted private key is refused: ${name}`, () => {
    assert.throws(() => parseEncryptedPrivateKey(input), { code: 'encrypted_key_malformed' });
  });
}

test('a valid encrypted private key is returned unchanged', () => {
  assert.deepEqual(parseEncryptedPrivateKey(encrypted), encrypted);
});
