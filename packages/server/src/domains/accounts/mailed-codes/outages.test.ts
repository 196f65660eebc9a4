import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { mailServer } from '@symbolon/testkit/servers/mail-server';

const QUIET = { SYMBOLON_LOG_LEVEL: 'silent' };

const away = async (platform: TestPlatform) => {
  const { status, body } = await platform.call('GET', '/api/health');
  assert.equal(status, 200);
  return body.away ?? [];
};
const untilBack = (platform: TestPlatform) =>
  eventually('it is back', async () => ((await away(platform)).length === 0 ? true : undefined));

test('without mail, calls that need one are refused and store nothing; codes are mailed once it is back', async () => {
  await using platform = await startPlatform('sqlite', QUIET);
  const outbox = join(platform.dataDir, 'outbox');
  const company = await registerCompany(platform);
  await rm(outbox, { recursive: true, force: true });
  await writeFile(outbox, 'no folder');
  const invite = () =>
    platform.call('POST', '/api/delegates', {
      token: company.token,
      body: { email: 'ada@example.com', role: 'viewer' },
    });
  const register = (email: string) => platform.call('POST', '/api/person/register', { body: { email } });

  // Before anybody knows: the answer of registering does not wait for its mail.
  assert.equal((await register('early@example.com')).status, 202);
  await eventually('that is found out', async () =>
    (await away(platform)).includes('mail') ? true : undefined,
  );
  for (const refused of [await invite(), await register('late@example.com')]) {
    proves('error:mail.unavailable');
    assert.deepEqual([refused.status, refused.body.error_key], [503, 'mail.unavailable']);
    assert.equal(refused.headers.get('retry-after'), '30');
  }
  const tickets = await platform.context.database.reader.selectFrom('mailed_tickets').selectAll().execute();
  assert.equal(tickets.length, 1);
  await rm(outbox);
  await untilBack(platform);
  assert.equal((await invite()).status, 201);
  assert.equal((await mailsTo(platform, 'ada@example.com')).length, 1);
  assert.equal((await register('late@example.com')).status, 202);
  await eventually('the code that could not be mailed is mailed', async () =>
    (await mailsTo(platform, 'early@example.com')).length === 1 ? true : undefined,
  );
});

test('an invitation whose mail cannot be sent is not kept', async () => {
  await using platform = await startPlatform('sqlite', QUIET);
  const outbox = join(platform.dataDir, 'outbox');
  const company = await registerCompany(platform);
  await rm(outbox, { recursive: true, force: true });
  await writeFile(outbox, 'no folder');
  const invite = () =>
    platform.call('POST', '/api/delegates', {
      token: company.token,
      body: { email: 'ada@example.com', role: 'viewer' },
    });
  // The call that finds it out.
  assert.equal((await invite()).body.error_key, 'mail.unavailable');
  const { items } = await platform.must('GET', '/api/delegates', { token: company.token });
  proves('route:GET /api/delegates');
  assert.equal(items.length, 1);
  await rm(outbox);
  await untilBack(platform);
  assert.equal((await invite()).status, 201);
});

test('a mail server that takes no mail for an address: the call is refused, the next address is mailed', async () => {
  await using server = await mailServer((line) =>
    line.startsWith('RCPT TO:<nobody@') ? '550 no such mailbox' : undefined,
  );
  await using platform = await startPlatform('sqlite', { ...QUIET, SYMBOLON_SMTP_URL: server.url });
  const company = await registerCompany(platform);
  const invite = (email: string) =>
    platform.call('POST', '/api/delegates', { token: company.token, body: { email, role: 'viewer' } });
  const refused = await invite('nobody@example.com');
  proves('error:mail.refused');
  assert.deepEqual([refused.status, refused.body.error_key], [400, 'mail.refused']);
  assert.equal((await invite('ada@example.com')).status, 201);
});
