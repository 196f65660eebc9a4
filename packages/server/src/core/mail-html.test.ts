import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertTwins, partsOf } from '@symbolon/testkit/actors/mails';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { systemClock } from './clock.ts';
import { createIds } from './ids.ts';
import { outboxTransport } from './mail.ts';
import { mailHtml } from './mail-html.ts';

const HOSTILE = `Bike & Co "<a href='https://evil.example'>here</a>"`;
const LINK = 'https://symbolon.example/portal/invitation#a&b';
const MAIL = {
  to: 'ada@example.com',
  subject: `${HOSTILE} invites you`,
  text: `123456 confirms what ${HOSTILE} asks for, on
two lines, and https://evil.example is no link. 123456 stands here again.

${LINK}

Für Ada.
`,
  code: '123456',
  link: LINK,
};

test('the HTML twin of a mail says the same, escapes what others wrote and has the code and the link', () => {
  const html = mailHtml(MAIL);
  assertTwins(MAIL.text, html);
  const marked = (pattern: RegExp) => Array.from(html.matchAll(pattern), ([, what]) => what);
  assert.deepEqual(marked(/<strong[^>]*>([^<]*)</g), ['123456']);
  assert.deepEqual(marked(/<a href="([^"]*)"/g), ['https://symbolon.example/portal/invitation#a&amp;b']);
  assert.equal(marked(/<(p) /g).length, 3);
  assert.match(html, /<title>Bike &amp; Co &quot;&lt;a href='https:/);
  assert.doesNotMatch(html.replace(/^[\s\S]*<body/, ''), /[^-]color:|background/);
  const { code: _, link: __, ...plain } = MAIL;
  assert.doesNotMatch(mailHtml(plain), /<strong|<a /);
  assertTwins(MAIL.text, mailHtml(plain));
});

test('a mail is sent with both parts', async () => {
  await using folder = await temporaryFolder();
  const outbox = folder.file('outbox');
  const { signal } = new AbortController();
  await outboxTransport(outbox, 'from@example.com', createIds(systemClock)).send(MAIL, signal);
  const [name = ''] = await readdir(outbox);
  const { text, html } = partsOf(await readFile(join(outbox, name), 'utf8'));
  assert.equal(html.trim().replaceAll('\r\n', '\n'), mailHtml(MAIL).trim());
  assertTwins(text, html);
});
