import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { mailServer, SILENT } from '@symbolon/testkit/servers/mail-server';
import { pino } from 'pino';
import { Availability } from './availability.ts';
import { systemClock } from './clock.ts';
import { createIds } from './ids.ts';
import { createMailer, inMail, outboxTransport, smtpTransport } from './mail.ts';
import { systemTimers } from './timers.ts';

const MAIL = { to: 'ada@example.com', subject: 'Hello', text: 'Hello.' };
const LIMITS = { connectMs: 200, greetingMs: 100, silentMs: 100 };

function mailer(transport: Parameters<typeof createMailer>[0], timers = systemTimers) {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const availability = new Availability({ clock: systemClock, timers, log });
  return { lines, availability, mail: createMailer(transport, { availability, timers }) };
}

const unavailable = { key: 'mail.unavailable', status: 503, headers: { 'retry-after': '30' } };

test('a name in a mail is no link and no encoded word', () => {
  for (const name of ['Acme', 'Müller & Co. KG', 'A = B?', 'Who: we']) assert.equal(inMail(name), name);
  for (const name of [
    'Visit https://evil.example now',
    'www.evil.example',
    'a@evil.example',
    '=?utf-8?B?RXZl?=',
  ]) {
    assert.doesNotMatch(inMail(name), /:\/\/|\w\.\w|\w@\w|=\?/, name);
    assert.equal(inMail(name).replaceAll('\u200B', ''), name);
  }
});

test('a mail server that takes mails gets one', async () => {
  const said: string[] = [];
  await using server = await mailServer((line) => {
    said.push(line);
    return undefined;
  });
  await mailer(smtpTransport(server.url, 'from@example.com')).mail.send(MAIL);
  assert.ok(said.includes('RCPT TO:<ada@example.com>'));
});

test('a mail on trial tells what was said, without the password and the mail', async () => {
  await using server = await mailServer((line) =>
    line.startsWith('EHLO')
      ? '250-hello\r\n250 AUTH PLAIN'
      : line.startsWith('AUTH')
        ? '235 welcome'
        : undefined,
  );
  const url = server.url.replace('smtp://', 'smtp://robot:very-secret@');
  const { sent, through, reason, talk } = await mailer(smtpTransport(url, 'from@example.com')).mail.tryOut(
    MAIL,
  );
  assert.deepEqual([sent, through, reason], [true, 'server', null]);
  assert.ok(talk.includes('> RCPT TO:<ada@example.com>') && talk.includes('< 235 welcome'), talk.join('\n'));
  const all = [
    ...talk,
    ...talk.map((line) => Buffer.from(line.split(' ').at(-1) ?? '', 'base64').toString()),
  ];
  assert.ok(!all.join('\n').includes('very-secret'), 'no password, readable or encoded');
  assert.ok(!all.join('\n').includes('Subject:'));
});

test('a mail on trial that is refused says why, also while the server is away', async () => {
  await using server = await mailServer((line) => (line.startsWith('RCPT') ? '550 nobody there' : undefined));
  const { mail, availability } = mailer(smtpTransport(server.url, 'from@example.com'));
  const refused = await mail.tryOut(MAIL);
  assert.equal(refused.sent, false);
  assert.match(refused.reason ?? '', /550 nobody there/);
  assert.ok(refused.talk.includes('< 550 nobody there'));
  assert.deepEqual(availability.away, [], 'a trial takes nothing away from others');
});

for (const [how, answer, greeting] of [
  ['greets and then says nothing', (): typeof SILENT => SILENT, '220 ready'],
  ['does not even greet', (): typeof SILENT => SILENT, ''],
] as const) {
  test(`a mail server that ${how} is unavailable in seconds, and calls after it at once`, async () => {
    await using server = await mailServer(answer, greeting);
    const { mail, lines, availability } = mailer(
      smtpTransport(server.url, 'from@example.com', LIMITS),
      new FakeTimers(),
    );
    await assert.rejects(mail.send(MAIL), unavailable);
    assert.throws(() => mail.refuseWhenAway(), unavailable);
    const connections = server.sockets.size;
    await assert.rejects(mail.send(MAIL), unavailable);
    assert.equal(server.sockets.size, connections, 'no attempt before it is back');
    assert.deepEqual(availability.away, ['mail']);
    assert.match(lines.join('\n'), /^mail server unavailable: [^\n]+$/);
  });
}

test('a mail server that goes on and on without an end is given up', async () => {
  await using server = await mailServer((line) => (line.startsWith('EHLO') ? SILENT : undefined));
  const timers = new FakeTimers();
  const { mail } = mailer(smtpTransport(server.url, 'from@example.com'), timers);
  const sending = mail.send(MAIL);
  await eventually('it is connected', () => (server.sockets.size > 0 ? true : undefined));
  timers.advance(15_000);
  await assert.rejects(sending, unavailable);
});

test('the end of the process ends mails that hang', async () => {
  await using server = await mailServer((): typeof SILENT => SILENT);
  const timers = new FakeTimers();
  const { mail, lines } = mailer(smtpTransport(server.url, 'from@example.com'), timers);
  const sending = mail.send(MAIL);
  await eventually('it is connected', () => (server.sockets.size > 0 ? true : undefined));
  mail.stop();
  timers.advance(3_000);
  await assert.rejects(sending, unavailable);
  assert.deepEqual(lines, []);
});

test('a mail server that takes no mail for an address refuses that address alone', async () => {
  await using server = await mailServer((line) =>
    line.startsWith('RCPT') ? '550 no such mailbox' : undefined,
  );
  const { mail, lines, availability } = mailer(smtpTransport(server.url, 'from@example.com'));
  await assert.rejects(mail.send(MAIL), { key: 'mail.refused', status: 400 });
  assert.deepEqual([availability.away, lines], [[], []]);
});

test('an outbox that is no folder is unavailable, and is used again when it is one', async () => {
  const folder = join(tmpdir(), `symbolon-outbox-${process.pid}`);
  await writeFile(folder, 'a file');
  try {
    const timers = new FakeTimers();
    const { mail, lines } = mailer(
      outboxTransport(folder, 'from@example.com', createIds(systemClock)),
      timers,
    );
    await assert.rejects(mail.send(MAIL), unavailable);
    await rm(folder);
    await eventually('it is back', () => {
      timers.advance(1_000);
      return lines.length > 1 ? true : undefined;
    });
    await mail.send(MAIL);
    assert.match(lines[0] ?? '', /^mail outbox unavailable: /);
    assert.match(lines[1] ?? '', /^mail outbox available again after \d+ s$/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the outbox folder is made with all that lead to it before the first mail is written', async (t) => {
  const { path: folder } = temporaryFolder(t);
  const outbox = join(folder, 'a/b/c/d/e/f');
  await mailer(outboxTransport(outbox, 'from@example.com', createIds(systemClock))).mail.send(MAIL);
  assert.equal((await readdir(outbox)).length, 1);
});
