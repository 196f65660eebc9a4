import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailboxOf, normalizeEmail, spellingsOf } from './email.ts';

test('an address is one mailbox of a domain, in lower case', () => {
  for (const [given, stored] of [
    ['a@b.co', 'a@b.co'],
    [' First.Last+tag@Mail.Example.com ', 'first.last+tag@mail.example.com'],
    [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
    ['jürgen@müller.example', 'jürgen@xn--mller-kva.example'],
    ['jürgen@xn--mller-kva.example', 'jürgen@xn--mller-kva.example'],
    ['ju\u0308rgen@mu\u0308ller.example', 'jürgen@xn--mller-kva.example'],
    ['uma@\uff45xample.com', 'uma@example.com'],
    ['uma@bücher\u3002example', 'uma@xn--bcher-kva.example'],
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
    'a@127.0.0.1',
    'a@ex/am.com',
    'a@ex%41m.com',
    'a@exa.com#x',
    'a@ex_am.com',
    'a@ex\uff0fam.com',
    'a@xn--.example',
    'a@xn--a.example',
    'a@xn--0.example',
  ]) {
    assert.equal(normalizeEmail(address), undefined, JSON.stringify(address));
  }
});

test('an address is looked for as it was given, as it is stored, and as it was stored earlier', () => {
  assert.deepEqual(spellingsOf(' A@B.co '), ['a@b.co']);
  const older = ['josé@bücher.example', 'jose\u0301@bu\u0308cher.example', 'josé@xn--bcher-kva.example'];
  for (const given of older) {
    const spellings = spellingsOf(given);
    assert.equal(spellings[0], given, 'whoever types an address as it is stored is meant first');
    for (const spelling of older) assert.ok(spellings.includes(spelling), `${given} finds ${spelling}`);
  }
});

test('text that is no address stands for itself', () => {
  for (const text of ['', 'a', 'a@', '@', 'a@ex/am.com', 'a@1.2.3.4.5']) assert.equal(mailboxOf(text), text);
});

test('text that is no address is not spelled as one', () => {
  for (const end of ['/1', '#a', '?x', ':80', '\\x', '%2fx', '\u00ad', '\u200b', ' ', '%00'])
    for (const text of [`ada@login.example${end}`, `ada@login.exa${end}mple`, `ada@%6cogin.example${end}`]) {
      const mailbox = mailboxOf(text);
      for (const spelling of spellingsOf(text)) assert.equal(mailboxOf(spelling), mailbox, text);
      if (mailbox !== 'ada@login.example') assert.ok(!spellingsOf(text).includes('ada@login.example'), text);
    }
});
