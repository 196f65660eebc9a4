import assert from 'node:assert/strict';
import { hkdfSync, pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { generateKeyPair } from './keys.ts';
import { deriveLoginKeys, LOGIN_VERSION } from './login-keys.ts';
import { formatRecoveryCode, generateRecoveryCode, parseRecoveryCode } from './recovery-code.ts';
import { deriveRecoveryKeys } from './recovery-keys.ts';
import { unwrapPrivateKey, wrapPrivateKey } from './wrapped-private-key.ts';

const { privateKey } = await generateKeyPair();
const salt = Uint8Array.from({ length: 16 }, (_, index) => index);
const recipe = { version: 1, salt };
const login = await deriveLoginKeys('pässword', recipe);

test('the login secret is the first half of PBKDF2, the wrap key the second', async () => {
  const derived = pbkdf2Sync('pässword', salt, 600_000, 64, 'sha256');
  assert.equal(login.loginSecret, derived.subarray(0, 32).toString('base64'));
  const wrapped = await wrapPrivateKey(privateKey, login.wrapKey);
  const second = await crypto.subtle.importKey('raw', derived.subarray(32), 'AES-GCM', false, ['decrypt']);
  assert.deepEqual(await unwrapPrivateKey(wrapped, second), privateKey);
  assert.equal(login.wrapKey.extractable, false);
});

test('a password gives the same keys however its letters are composed', async () => {
  assert.equal((await deriveLoginKeys('pa\u0308ssword', recipe)).loginSecret, login.loginSecret);
});

test('deriving login keys refuses a salt of another length', async () => {
  const short = { version: 1, salt: new Uint8Array(8) };
  await assert.rejects(deriveLoginKeys('x', short), { code: 'key_invalid' });
});

test('a version is a fixed recipe: an unknown one and a lower one than before derive nothing', async () => {
  for (const version of [0, 2, 1.5, -1, Number.NaN]) {
    await assert.rejects(deriveLoginKeys('x', { version, salt }), { code: 'login_version_unknown' });
  }
  await assert.rejects(deriveLoginKeys('x', recipe, { lastVersion: 2 }), { code: 'login_version_lowered' });
  const { loginSecret } = await deriveLoginKeys('pässword', recipe, { lastVersion: LOGIN_VERSION });
  assert.equal(loginSecret, login.loginSecret);
});

test('a wrapped private key opens only with its key, and only unaltered', async () => {
  const wrapped = await wrapPrivateKey(privateKey, login.wrapKey);
  assert.deepEqual(await unwrapPrivateKey(wrapped, login.wrapKey), privateKey);
  const { wrapKey: other } = await deriveRecoveryKeys(generateRecoveryCode());
  await assert.rejects(unwrapPrivateKey(wrapped, other), { code: 'passphrase_wrong' });
  const data = decodeBase64(wrapped.data);
  data[0]! ^= 1;
  await assert.rejects(unwrapPrivateKey({ ...wrapped, data: encodeBase64(data) }, login.wrapKey), {
    code: 'passphrase_wrong',
  });
  for (const altered of [
    { ...wrapped, iv: 'AAAA' },
    { ...wrapped, data: 'AAAA' },
    { ...wrapped, data: '?' },
  ]) {
    await assert.rejects(unwrapPrivateKey(altered, login.wrapKey), { code: 'encrypted_key_malformed' });
  }
});

test('a recovery code has thirteen groups of four characters', () => {
  assert.match(generateRecoveryCode(), /^([0-9A-HJKMNP-TV-Z]{4}-){12}[0-9A-HJKMNP-TV-Z]{4}$/);
  assert.notEqual(generateRecoveryCode(), generateRecoveryCode());
  assert.equal(formatRecoveryCode(new Uint8Array(32)), Array(13).fill('0000').join('-'));
});

test('a recovery code is read in any case, with any spacing and with confusable letters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const code = formatRecoveryCode(bytes);
      for (const typed of [
        code,
        code.toLowerCase(),
        code.replaceAll('-', ''),
        ` ${code.replaceAll('-', ' – ')}\n`,
        code.replaceAll('0', 'o').replaceAll('1', 'l'),
        code.replaceAll('0', 'O').replaceAll('1', 'I'),
      ]) {
        assert.deepEqual(parseRecoveryCode(typed), bytes);
      }
    }),
  );
});

for (const text of [
  '',
  '0000',
  `${formatRecoveryCode(new Uint8Array(32))}0`,
  'U'.repeat(52),
  `${'0'.repeat(51)}1`,
]) {
  test(`reading a recovery code refuses ${JSON.stringify(text)}`, () => {
    assert.throws(() => parseRecoveryCode(text), { code: 'key_invalid' });
  });
}

test('the recovery proof and the wrap key are derived by HKDF with different info strings', async () => {
  const code = generateRecoveryCode();
  const bytes = parseRecoveryCode(code);
  const keys = await deriveRecoveryKeys(code);
  const expand = (info: string) => Buffer.from(hkdfSync('sha256', bytes, '', info, 32));
  assert.equal(keys.recoverySecret, expand('symbolon recovery proof').toString('base64'));
  const wrapKey = expand('symbolon recovery wrap');
  const imported = await crypto.subtle.importKey('raw', wrapKey, 'AES-GCM', false, ['decrypt']);
  assert.deepEqual(
    await unwrapPrivateKey(await wrapPrivateKey(privateKey, keys.wrapKey), imported),
    privateKey,
  );
  assert.equal((await deriveRecoveryKeys(bytes)).recoverySecret, keys.recoverySecret);
  await assert.rejects(deriveRecoveryKeys(bytes.subarray(1)), { code: 'key_invalid' });
});
