import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dictionary } from '@zxcvbn-ts/language-common';
import * as lists from './password-lists.ts';
import { checkPassword } from './password-rules.ts';

test('every common password that is long enough is refused as easy to guess', async () => {
  const common = dictionary['passwords-common'].map(String).filter((text) => text.length >= 10);
  assert.ok(common.length > 1_000, `${common.length} passwords`);
  for (const password of common)
    await assert.rejects(checkPassword(password, []), { details: { reason: 'easy_to_guess' } }, password);
});

test('words after each other and dates are easy to guess, four words that are drawn are not', async () => {
  for (const password of ['sunshine2024', 'margaret1975', 'footballmusic', 'January1999!', 'qwertzuiop12'])
    await assert.rejects(checkPassword(password, []), { errorKey: 'sdk.password_weak' }, password);
  for (const password of ['correct horse battery staple', 'pK7#vz!mQ2xe', 'violin-marsh-teapot-orbit'])
    await checkPassword(password, []);
});

test('what belongs to the account is easy to guess', async () => {
  await checkPassword('zerbinetta-vog', []);
  await assert.rejects(checkPassword('zerbinetta-vog', ['zerbinetta@vog.example']), {
    details: { reason: 'easy_to_guess' },
  });
});

test('the lists take at most 60 kB compressed', () => {
  assert.ok(gzipSync(JSON.stringify(lists), { level: 9 }).length <= 60_000);
});
