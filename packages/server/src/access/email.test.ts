import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeEmail } from './email.ts';

test('an address is one mailbox of a domain, in lower case', () => {
  for (const [given, stored] of [
    ['a@b.co', 'a@b.co'],
    [' First.Last+tag@Mail.Example.com ', 'first.last+tag@mail.example.com'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
    ['jürgen@müller.example', 'jürgen@müller.example'],
    [`a@${'l'.repeat(63)}.example`, `a@${'l'.repeat(63)}.example`],
    [`a@${'b.'.repeat(124)}${'c'.repeat(4)}`, `a@${'b.'.repeat(124)}${'c'.repeat(4)}`],
  ] as const) {
    assert.equal(normalizeEmail(given), stored);
  }
});

test('what is no address is refused', () => {
  for (const address of [
    '',
    ' ',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a@b..c',
    'a@.b.c',
    'a@b.c.',
    'a..b@c.de',
    '.a@b.co',
    'a.@b.co',
    'a@b@c.de',
    'a@-b.co',
    'a@b-.co',
    'a b@c.de',
    'a@b.co,c@d.ef',
    'A <a@b.co>',
    'a@b.co\u0000',
    'a\u001b@b.co',
    'a\u200b@b.co',
    `${'l'.repeat(65)}@example.com`,
    `a@${'l'.repeat(64)}.example`,
    `a@${'b.'.repeat(124)}${'c'.repeat(5)}`,
    'a@[127.0.0.1]',
  ]) {
    assert.equal(normalizeEmail(address), undefined, JSON.stringify(address));
  }
});
