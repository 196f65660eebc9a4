import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { checkPublicKey, fingerprint, generateKeyPair, importPrivateKey, importPublicKey } from './keys.ts';

const pair = await generateKeyPair();
const der = decodeBase64(pair.publicKey);
const spki = { format: 'der', type: 'spki' } as const;
const pkcs8 = { format: 'der', type: 'pkcs8' } as const;

test('accepts what it generates, and what Node generates', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await checkPublicKey(pair.publicKey);
  await checkPublicKey(publicKey.export(spki).toString('base64'));
});

test('the fingerprint is the SHA-256 of the DER in lower-case hex', async () => {
  assert.equal(await fingerprint(pair.publicKey), createHash('sha256').update(der).digest('hex'));
  await assert.rejects(fingerprint('A'), { code: 'base64_invalid' });
});

const altered = (at: number, value: number) => encodeBase64(der.with(at, value));
const refused: [string, string][] = [
  ['no base64', 'nonsense!'],
  ['base64 in lines', `${pair.publicKey.slice(0, 64)}\n${pair.publicKey.slice(64)}`],
  ['an empty text', ''],
  ['a trailing byte', encodeBase64(Uint8Array.of(...der, 0))],
  ['a missing byte', encodeBase64(der.subarray(0, -1))],
  ['exponent 3', altered(293, 3)],
  ['a modulus of 2047 bits', altered(33, 0x7f)],
  ['an even modulus', altered(288, der[288]! & 0xfe)],
  ['RSA-1024', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export(spki).toString('base64')],
  ['RSA-2048, exponent 3', rsaWithExponent3()],
  [
    'RSA-PSS',
    generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey.export(spki).toString('base64'),
  ],
  ['an elliptic curve', generateKeyPairSync('ed25519').publicKey.export(spki).toString('base64')],
  ['a private key', encodeBase64(pair.privateKey)],
];

for (const [name, publicKey] of refused) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(checkPublicKey(publicKey), { code: 'key_invalid' });
    await assert.rejects(importPublicKey(publicKey), { code: 'key_invalid' });
  });
}

test('refuses private keys of another kind or size', async () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pkcs8);
  const curve = generateKeyPairSync('ed25519').privateKey.export(pkcs8);
  for (const key of [small, curve, der, new Uint8Array()]) {
    await assert.rejects(importPrivateKey(key), { code: 'key_invalid' });
  }
});

function rsaWithExponent3(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 });
  return publicKey.export(spki).toString('base64');
}
