import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailboxOf } from './mailbox.ts';

test('an address is typed in letters of any language, and means the mailbox that is stored', () => {
  for (const [typed, mailbox] of [
    [' Uma@Bücher.example ', 'uma@xn--bcher-kva.example'],
    ['uma@bu\u0308cher.example', 'uma@xn--bcher-kva.example'],
    ['uma@xn--bcher-kva.example', 'uma@xn--bcher-kva.example'],
    ['u\u0308ma@example.org', '\u00fcma@example.org'],
    ['ada@example.org', 'ada@example.org'],
  ] as const)
    assert.equal(mailboxOf(typed), mailbox);
});

test('what is no address is no other text', () => {
  for (const odd of [
    '',
    '@',
    'ada',
    '@example.org',
    'ada@',
    'ada@example.org/path',
    'ada@example.org:1',
    'ada@%61',
  ])
    assert.equal(mailboxOf(odd), odd);
});
