import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { generateKeyPair } from './keys.ts';
import { type Cipher, type Prf, readPbes2, writePbes2 } from './pbes2.ts';
import { decryptPem, encryptPem } from './pem.ts';
import { inspectPem } from './pem-inspect.ts';

const { privateKey } = await generateKeyPair();
const pem = await encryptPem(privateKey, 'secret');
const der = decodeBase64(pem.replace(/-----.*-----|\n/g, ''));

test('this package and node:crypto open the encrypted PEM that this package writes', async () => {
  assert.deepEqual(await decryptPem(pem, 'secret'), privateKey);
  const opened = createPrivateKey({ key: pem, passphrase: 'secret' });
  assert.deepEqual(new Uint8Array(opened.export({ format: 'der', type: 'pkcs8' })), privateKey);
});

test('an encrypted PEM follows the recipe and has 64 characters a line', () => {
  assert.deepEqual(inspectPem(pem), {
    cipher: 'AES-256-CBC',
    kdf: 'PBKDF2',
    prf: 'HMAC-SHA256',
    iterations: 100_000,
  });
  const lines = pem.split('\n');
  assert.equal(lines[0], '-----BEGIN ENCRYPTED PRIVATE KEY-----');
  assert.deepEqual(lines.slice(-2), ['-----END ENCRYPTED PRIVATE KEY-----', '']);
  assert.ok(lines.every((line) => line.length <= 64));
});

test('the PEM reader accepts other line breaks and surrounding white space', () => {
  assert.doesNotThrow(() => inspectPem(`\r\n ${pem.replaceAll('\n', '\r\n')} `));
  assert.doesNotThrow(() => inspectPem(toPem(der)));
});

test('the PEM reader reports a wrong passphrase even when the padding fits by chance', async () => {
  const parameters = { ...readPbes2(der), iterations: 1 };
  const cheap = toPem(writePbes2(parameters));
  const guesses = Array.from({ length: 1500 }, (_, index) => `guess ${index}`);
  for (const guess of guesses) await assert.rejects(decryptPem(cheap, guess), { code: 'passphrase_wrong' });
});

test('the PEM reader accepts PBKDF2 parameters with a key length or without a PRF', async () => {
  const withKeyLength = replaceHex(der, '020301 86a0', '020301 86a0 020120');
  assert.equal(inspectPem(toPem(withKeyLength)).iterations, 100_000);
  assert.deepEqual(await decryptPem(toPem(withKeyLength), 'secret'), privateKey);
  const withoutPrf = replaceHex(der, '300c0608 2a864886f70d0209 0500', '');
  assert.equal(inspectPem(toPem(withoutPrf)).prf, 'HMAC-SHA1');
});

const refused: [string, string][] = [
  ['an empty text', ''],
  [
    'a plain private key',
    `-----BEGIN PRIVATE KEY-----\n${encodeBase64(privateKey)}\n-----END PRIVATE KEY-----\n`,
  ],
  ['a plain key under the label', toPem(privateKey)],
  ['text before', `Bag Attributes\n${pem}`],
  ['two keys', pem + pem],
  ['a missing end', pem.slice(0, -20)],
  ['a character outside base64', pem.replace('\n', '\n*')],
  ['an empty body', toPem(new Uint8Array())],
  ['a trailing byte', toPem(Uint8Array.of(...der, 0))],
  ['a ciphertext of broken blocks', toPem(writePbes2({ ...readPbes2(der), data: new Uint8Array(17) }))],
  ['no ciphertext', toPem(writePbes2({ ...readPbes2(der), data: new Uint8Array() }))],
  ['an iv of 8 bytes', toPem(writePbes2({ ...readPbes2(der), iv: new Uint8Array(8) }))],
  ['no salt', toPem(writePbes2({ ...readPbes2(der), salt: new Uint8Array() }))],
  ['zero iterations', toPem(writePbes2({ ...readPbes2(der), iterations: 0 }))],
  ['iterations without bound', toPem(writePbes2({ ...readPbes2(der), iterations: 2_000_000_000 }))],
  ['a key length that is not the cipher’s', toPem(replaceHex(der, '02030186a0', '02030186a0020110'))],
  ['an unknown PRF', toPem(swapHex(der, '2a864886f70d0209', '2a864886f70d0201'))],
  ['an unknown cipher', toPem(swapHex(der, '60864801650304012a', '60864801650304012b'))],
  ['another scheme', toPem(swapHex(der, '2a864886f70d01050d', '2a864886f70d01050a'))],
];

for (const [name, text] of refused) {
  test(`the PEM reader refuses ${name}`, async () => {
    assert.throws(() => inspectPem(text), { code: 'pem_malformed' });
    await assert.rejects(decryptPem(text, 'secret'), { code: 'pem_malformed' });
  });
}

test('the PEM reader refuses every truncated file', () => {
  for (let length = 0; length < der.length; length++) {
    assert.throws(() => inspectPem(toPem(der.subarray(0, length))), { code: 'pem_malformed' });
  }
});

test('the PEM reader throws only its own error for altered structures', () => {
  const head = 110;
  fc.assert(
    fc.property(fc.nat(head), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const text = toPem(der.with(at, der[at]! ^ mask));
      try {
        inspectPem(text);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'pem_malformed');
      }
    }),
    { numRuns: 1000 },
  );
});

test('PBES2 parameters read as they were written', () => {
  const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
  const shape = {
    cipher: fc.constantFrom<Cipher>('AES-128-CBC', 'AES-192-CBC', 'AES-256-CBC'),
    prf: fc.constantFrom<Prf>('HMAC-SHA1', 'HMAC-SHA256', 'HMAC-SHA384', 'HMAC-SHA512'),
    iterations: fc.integer({ min: 1, max: 10_000_000 }),
    salt: bytes(1, 256),
    iv: bytes(16, 16),
    data: fc.nat(5000).map((blocks) => new Uint8Array(16 * (blocks + 1))),
  };
  const parameters = fc.record(shape, { noNullPrototype: true });
  fc.assert(fc.property(parameters, (value) => assert.deepEqual(readPbes2(writePbes2(value)), value)));
});

function toPem(bytes: Uint8Array): string {
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${encodeBase64(bytes)}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
}

/** Replaces a part of the PBKDF2 parameters by one of another length and corrects the lengths around it. */
function replaceHex(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const [old, fresh] = [from, to].map((hex) => hex.replaceAll(' ', '')) as [string, string];
  const hex = swapHex(bytes, old, fresh);
  const grown = hex.length - bytes.length;
  const total = ((bytes[2]! << 8) | bytes[3]!) + grown;
  hex.set([total >> 8, total & 255], 2);
  // SEQUENCE lengths of: scheme, PBES2 parameters, key derivation, PBKDF2 parameters
  for (const at of [5, 18, 20, 33]) hex[at] = hex[at]! + grown;
  return hex;
}

function swapHex(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const hex = Buffer.from(bytes).toString('hex');
  assert.ok(hex.includes(from));
  return new Uint8Array(Buffer.from(hex.replace(from, to), 'hex'));
}
