import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany, type TestCompany } from '@symbolon/testkit/actors/actors';
import {
  addDelegate,
  enrolSecondFactor,
  lastMail,
  mailedProof,
  WRONG_SECRET,
} from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { totpStep } from '../../accounts/presence/totp.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test('codes are those of the test vectors of RFC 6238, appendix B', () => {
  const secret = Buffer.from('12345678901234567890');
  for (const [seconds, code] of [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const) {
    const now = seconds * 1000;
    assert.equal(totpCode(secret, now, 8), code);
    assert.equal(totpStep(secret, code.slice(2), now), Math.floor(seconds / 30));
  }
});

test('a code is taken one step early or late, and no more', () => {
  const secret = Buffer.from('12345678901234567890');
  const now = 1_234_567_890_000;
  const step = Math.floor(now / 30_000);
  for (const [late, taken] of [
    [-2, undefined],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, undefined],
  ] as const)
    assert.equal(totpStep(secret, totpCode(secret, now + late * 30_000), now), taken);
  for (const text of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    assert.equal(totpStep(secret, text, now), undefined);
});

onPlatform('the second factor', (platform) => {
  const signIn = (company: { email: string; loginSecret: string }, more: object = {}) =>
    platform().call('POST', '/api/portal/sign-in', {
      body: { email: company.email, login_secret: company.loginSecret, ...more },
    });
  const secondStep = (body: object) => platform().call('POST', '/api/portal/sign-in/second-factor', { body });
  const ticketFor = async (company: TestCompany): Promise<string> => {
    const answer = await signIn(company);
    assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.two_factor_required'], answer.text);
    return answer.body.ticket;
  };

  test('is switched on by a first code, and then asked for', async () => {
    const company = await registerCompany(platform());
    const { token, loginSecret: login_secret } = company;
    const state = () => platform().must('GET', '/api/account/2fa', { token });
    assert.deepEqual(await state(), { enabled: false, enabled_at: null, recovery_codes_left: 0 });
    const early = await platform().call('POST', '/api/account/2fa/confirm', {
      token,
      body: { code: '123456' },
    });
    assert.deepEqual([early.status, early.body.error_key], [409, 'account.two_factor_not_started']);
    const enrolment = await platform().must('POST', '/api/account/2fa/enrol', {
      token,
      body: await mailedProof(platform(), company, 'POST /api/account/2fa/enrol'),
    });
    const url = new URL(enrolment.otpauth_url);
    assert.deepEqual(
      [url.protocol, url.host, url.searchParams.get('secret'), url.searchParams.get('issuer')],
      ['otpauth:', 'totp', enrolment.secret, 'Symbolon'],
    );
    assert.ok(decodeURIComponent(url.pathname).endsWith(company.email));
    assert.equal(fromBase32(enrolment.secret).length, 20);
    // Not confirmed yet: a failed enrolment locks no login out.
    assert.equal((await signIn(company)).status, 200);
    const wrong = await platform().call('POST', '/api/account/2fa/confirm', {
      token,
      body: { code: '000000' },
    });
    assert.equal(wrong.body.error_key, 'auth.second_factor_invalid');
    const code = totpCode(fromBase32(enrolment.secret), platform().clock.now());
    const confirmed = await platform().must('POST', '/api/account/2fa/confirm', { token, body: { code } });
    assert.equal(new Set(confirmed.recovery_codes).size, 10);
    assert.match(confirmed.recovery_codes[0], /^[2-9A-Z]{5}-[2-9A-Z]{5}$/);
    assert.deepEqual([(await state()).enabled, (await state()).recovery_codes_left], [true, 10]);
    assert.match(await lastMail(platform(), company.email), /second factor is on/);
    const again = await platform().call('POST', '/api/account/2fa/enrol', { token, body: { login_secret } });
    proves(
      'error:account.two_factor_not_started',
      'error:account.two_factor_on',
      'error:auth.second_factor_invalid',
      'state:second-factor.off-on',
    );
    assert.deepEqual([again.status, again.body.error_key], [409, 'account.two_factor_on']);
    const twice = await platform().call('POST', '/api/account/2fa/confirm', { token, body: { code } });
    assert.deepEqual([twice.status, twice.body.error_key], [409, 'account.two_factor_on']);
    await ticketFor(company);
  });

  test('a sign-in with a wrong login secret does not show whether a second factor is on', async () => {
    const company = await registerCompany(platform());
    await enrolSecondFactor(platform(), company);
    const wrong = await signIn({ ...company, loginSecret: WRONG_SECRET });
    const unknown = await signIn({ email: 'nobody@example.com', loginSecret: WRONG_SECRET });
    assert.deepEqual([wrong.status, wrong.body], [unknown.status, unknown.body]);
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
  });

  test('lets in with a code, once: the code and the ticket are used', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    // The code of the enrolment is used already.
    const replay = await secondStep({ ticket: await ticketFor(company), code: code() });
    assert.deepEqual([replay.status, replay.body.error_key], [401, 'auth.second_factor_invalid']);
    platform().clock.advance(30_000);
    const ticket = await ticketFor(company);
    const none = await secondStep({ ticket });
    assert.equal(none.body.error_key, 'auth.two_factor_required');
    const entered = await secondStep({ ticket, code: code() });
    assert.equal(entered.status, 200, entered.text);
    assert.equal((await platform().call('GET', '/api/account', { token: entered.body.token })).status, 200);
    assert.equal(entered.body.login.two_factor, true);
    const usedTicket = await secondStep({ ticket, code: code() });
    assert.deepEqual([usedTicket.status, usedTicket.body.error_key], [401, 'auth.ticket_invalid']);
    const usedCode = await secondStep({ ticket: await ticketFor(company), code: code() });
    assert.equal(usedCode.body.error_key, 'auth.second_factor_invalid');
  });

  test('lets one of two in who send the same code at once', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const tickets = [await ticketFor(company), await ticketFor(company)];
    const answers = await Promise.all(tickets.map((ticket) => secondStep({ ticket, code: code() })));
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 401]);
  });

  test('lets in with a recovery code, once, and tells by mail', async () => {
    const company = await registerCompany(platform());
    const { recoveryCodes } = await enrolSecondFactor(platform(), company);
    const [first = '', second = ''] = recoveryCodes;
    const entered = await secondStep({
      ticket: await ticketFor(company),
      recovery_code: first.toLowerCase().replace('-', ' '),
    });
    assert.equal(entered.status, 200, entered.text);
    assert.match(await lastMail(platform(), company.email), /A recovery code was used/);
    const again = await secondStep({ ticket: await ticketFor(company), recovery_code: first });
    assert.equal(again.body.error_key, 'auth.second_factor_invalid');
    const { recovery_codes_left } = await platform().must('GET', '/api/account/2fa', {
      token: company.token,
    });
    assert.equal(recovery_codes_left, 9);
    const rows = await platform()
      .context.database.reader.selectFrom('two_factor_recovery_codes')
      .selectAll()
      .execute();
    assert.ok(!JSON.stringify(rows).includes(second.replace('-', '')));
  });

  test('a ticket dies after five tries and after five minutes', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const tired = await ticketFor(company);
    for (let tries = 0; tries < 5; tries++) await secondStep({ ticket: tired, code: '000000' });
    const dead = await secondStep({ ticket: tired, code: code() });
    assert.equal(dead.body.error_key, 'auth.ticket_invalid');
    const old = await ticketFor(company);
    platform().clock.advance(5 * MINUTE);
    const late = await secondStep({ ticket: old, code: code() });
    assert.equal(late.body.error_key, 'auth.ticket_invalid');
    const never = await secondStep({ ticket: 'never given', code: code() });
    assert.deepEqual(never.body, late.body);
  });

  test('is slowed down when it is guessed, whatever the ticket', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    for (let tries = 0; tries < 10; tries++)
      await secondStep({ ticket: await ticketFor(company), code: '000000' });
    const throttled = await secondStep({ ticket: await ticketFor(company), code: code() });
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
  });

  test('is not asked for on a trusted device, for thirty days, until trust is withdrawn', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const entered = await secondStep({
      ticket: await ticketFor(company),
      code: code(),
      trust_device: true,
    });
    const { token: device, expires_at } = entered.body.trusted_device;
    assert.equal(Date.parse(expires_at), platform().clock.now() + 30 * DAY);
    const there = await signIn(company, { trusted_device: device });
    assert.equal(there.status, 200);
    const wrong = await signIn({ ...company, loginSecret: WRONG_SECRET }, { trusted_device: device });
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    // For another login the device is not trusted.
    const other = await addDelegate(platform(), company, 'viewer');
    await enrolSecondFactor(platform(), other);
    const theirs = await signIn(other, { trusted_device: device });
    assert.equal(theirs.body.error_key, 'auth.two_factor_required');

    const token = there.body.token;
    const { items } = await platform().must('GET', '/api/account/trusted-devices', { token });
    assert.equal(items.length, 1);
    assert.ok(!JSON.stringify(items).includes(device));
    const foreign = await platform().call('DELETE', `/api/account/trusted-devices/${items[0].id}`, {
      token: other.token,
    });
    proves('error:account.trusted_device_not_found');
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'account.trusted_device_not_found']);
    await platform().must('DELETE', `/api/account/trusted-devices/${items[0].id}`, { token });
    const after = await signIn(company, { trusted_device: device });
    assert.equal(after.body.error_key, 'auth.two_factor_required');
  });

  test('all trusted devices can be forgotten at once', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const entered = await secondStep({ ticket: await ticketFor(company), code: code(), trust_device: true });
    const { token } = entered.body;
    assert.equal((await platform().call('DELETE', '/api/account/trusted-devices', { token })).status, 204);
    const after = await signIn(company, { trusted_device: entered.body.trusted_device.token });
    proves('route:DELETE /api/account/trusted-devices');
    assert.equal(after.body.error_key, 'auth.two_factor_required');
  });

  test('trust in a device ends after its thirty days', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const entered = await secondStep({ ticket: await ticketFor(company), code: code(), trust_device: true });
    const { token: trusted_device } = entered.body.trusted_device;
    platform().clock.advance(30 * DAY - 1);
    assert.equal((await signIn(company, { trusted_device })).status, 200);
    platform().clock.advance(1);
    const late = await signIn(company, { trusted_device });
    assert.equal(late.body.error_key, 'auth.two_factor_required');
    const again = await secondStep({ ticket: await ticketFor(company), code: code() });
    const { token } = again.body;
    assert.deepEqual((await platform().must('GET', '/api/account/trusted-devices', { token })).items, []);
  });

  test('a browser keeps session and trust as cookies', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const first = await signIn(company, { session: 'cookie' });
    const entered = await secondStep({ ticket: first.body.ticket, code: code(), trust_device: true });
    const [session = '', device = ''] = entered.headers.getSetCookie();
    assert.match(session, /^symbolon_session=/);
    assert.match(device, /^symbolon_device=[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    assert.equal(entered.body.trusted_device, undefined);
    const next = await platform().call('POST', '/api/portal/sign-in', {
      body: { email: company.email, login_secret: company.loginSecret, session: 'cookie' },
      headers: { cookie: device.split(';', 1)[0] ?? '' },
    });
    assert.equal(next.status, 200, next.text);
  });

  test('new recovery codes and switching off take login secret and code', async () => {
    const company = await registerCompany(platform());
    const { token, loginSecret: login_secret } = company;
    const off = (body: object) => platform().call('POST', '/api/account/2fa/off', { token, body });
    const notOn = await off({ login_secret });
    proves(
      'error:account.two_factor_off',
      'route:POST /api/account/2fa/recovery-codes',
      'state:second-factor.on-off',
    );
    assert.deepEqual([notOn.status, notOn.body.error_key], [409, 'account.two_factor_off']);
    const { code, recoveryCodes } = await enrolSecondFactor(platform(), company);
    const [old = '', other = ''] = recoveryCodes;
    assert.equal((await off({ login_secret: WRONG_SECRET })).body.error_key, 'auth.credentials_invalid');
    assert.equal((await off({ login_secret })).body.error_key, 'auth.two_factor_required');
    assert.equal((await off({ login_secret, code: code() })).body.error_key, 'auth.second_factor_invalid');
    platform().clock.advance(30_000);
    const replaced = await platform().must('POST', '/api/account/2fa/recovery-codes', {
      token,
      body: { login_secret, code: code() },
    });
    assert.ok(!replaced.recovery_codes.includes(other));
    assert.equal(
      (await off({ login_secret, recovery_code: old })).body.error_key,
      'auth.second_factor_invalid',
    );
    assert.equal((await off({ login_secret, recovery_code: replaced.recovery_codes[0] })).status, 204);
    assert.match(await lastMail(platform(), company.email), /second factor is off/);
    assert.equal((await signIn(company)).status, 200);
  });

  test('its secret is not stored readable', async () => {
    const company = await registerCompany(platform());
    const { secret } = await platform().must('POST', '/api/account/2fa/enrol', {
      token: company.token,
      body: await mailedProof(platform(), company, 'POST /api/account/2fa/enrol'),
    });
    const rows = await platform().context.database.reader.selectFrom('portal_logins').selectAll().execute();
    const text = JSON.stringify(rows);
    assert.ok(!text.includes(secret) && !text.includes(fromBase32(secret).toString('base64')));
  });
});
