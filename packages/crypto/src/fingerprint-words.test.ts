import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { test } from 'node:test';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { fingerprintWords } from './fingerprint-words.ts';

const SHA256 = '00ff'.repeat(16);

test('a fingerprint is four words of the BIP-39 list, of the stretched fingerprint', async () => {
  const bytes = pbkdf2Sync(SHA256, 'symbolon fingerprint words', 600_000, 8, 'sha256');
  const words = [0, 2, 4, 6].map((at) => wordlist[bytes.readUInt16BE(at) & 2047]);
  assert.equal(await fingerprintWords(SHA256), words.join(' '));
  assert.equal(await fingerprintWords(SHA256.toUpperCase()), words.join(' '));
  assert.notEqual(await fingerprintWords(`1${SHA256.slice(1)}`), words.join(' '));
});

test('a text that is no fingerprint has no words', async () => {
  for (const text of ['', 'abc', `${SHA256}0`, 'g'.repeat(64)]) {
    await assert.rejects(fingerprintWords(text), { code: 'key_invalid' });
  }
});
