import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { registerCompany, type TestCompany } from '../../../testing/actors.ts';
import { proves } from '../../../testing/evidence.ts';
import { mailsTo } from '../../../testing/mails.ts';
import { onEachEngine } from '../../../testing/platform.ts';
import {
  addDelegate,
  enrolSecondFactor,
  lastMail,
  mailedCode,
  wrappedUnder,
} from '../../../testing/portal-logins.ts';

const NEW_PASSWORD = 'a new password of mine';
const freshEmail = () => `fresh-${randomBytes(6).toString('hex')}@example.com`;

onEachEngine('the password of the portal', (platform) => {
  const signIn = (email: string, password: string, more: object = {}) =>
    platform().call('POST', '/api/portal/sign-in', { body: { email, password, ...more } });
  const change = (token: string, body: object) =>
    platform().call('PUT', '/api/account/password', { token, body });

  test('changes with the recovery key wrapped anew; other sessions end', async () => {
    const company = await registerCompany(platform());
    const other = (await signIn(company.email, company.password)).body.token;
    const recovery_private_key = await wrappedUnder(NEW_PASSWORD);
    const changed = await change(company.token, {
      current_password: company.password,
      new_password: NEW_PASSWORD,
      recovery_private_key,
    });
    assert.equal(changed.status, 204, changed.text);
    assert.equal((await signIn(company.email, company.password)).status, 401);
    assert.equal((await signIn(company.email, NEW_PASSWORD)).status, 200);
    assert.equal((await platform().call('GET', '/api/account', { token: other })).status, 401);
    assert.equal((await platform().call('GET', '/api/account', { token: company.token })).status, 200);
    const key = await platform().must('GET', '/api/account/recovery-key', { token: company.token });
    assert.deepEqual(key.encrypted_private_key, recovery_private_key);
    assert.match(await lastMail(platform(), company.email), /password has changed/);
  });

  test('does not change by halves', async () => {
    const company = await registerCompany(platform());
    const recovery_private_key = await wrappedUnder(NEW_PASSWORD);
    const whole = { current_password: company.password, new_password: NEW_PASSWORD, recovery_private_key };
    proves('error:account.password_weak', 'error:account.recovery_key_required');
    for (const [part, status, key] of [
      [{ current_password: 'not the password' }, 401, 'auth.credentials_invalid'],
      [{ new_password: 'short' }, 400, 'account.password_weak'],
      [{ recovery_private_key: undefined }, 400, 'account.recovery_key_required'],
      [{ recovery_private_key: { ...recovery_private_key, iter: 1 } }, 400, 'account.recovery_key_invalid'],
    ] as const) {
      const refused = await change(company.token, { ...whole, ...part });
      assert.deepEqual([refused.status, refused.body.error_key], [status, key], refused.text);
    }
    assert.equal((await signIn(company.email, company.password)).status, 200);
    const before = await platform().must('GET', '/api/account/recovery-key', { token: company.token });
    assert.notDeepEqual(before.encrypted_private_key, recovery_private_key);
  });

  test('of a delegate goes without a recovery key, which is the company login alone', async () => {
    const company = await registerCompany(platform());
    const viewer = await addDelegate(platform(), company, 'viewer');
    const body = { current_password: viewer.password, new_password: NEW_PASSWORD };
    const refused = await change(viewer.token, {
      ...body,
      recovery_private_key: await wrappedUnder(NEW_PASSWORD),
    });
    assert.deepEqual([refused.status, refused.body.error_key], [403, 'account.company_login_only']);
    assert.equal((await change(viewer.token, body)).status, 204);
    assert.equal((await signIn(viewer.email, NEW_PASSWORD)).status, 200);
    assert.equal((await signIn(company.email, company.password)).status, 200);
  });

  test('guesses of it are slowed down together with failed sign-ins', async () => {
    const company = await registerCompany(platform());
    const recovery_private_key = await wrappedUnder(NEW_PASSWORD);
    const guess = { current_password: 'a guess', new_password: NEW_PASSWORD, recovery_private_key };
    for (let tries = 0; tries < 10; tries++) await change(company.token, guess);
    const throttled = await change(company.token, { ...guess, current_password: company.password });
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
  });

  test('ends sign-ins that were past the old one, and trust in devices', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const first = await signIn(company.email, company.password);
    const entered = await platform().must('POST', '/api/portal/sign-in/second-factor', {
      body: { ticket: first.body.ticket, code: code(), trust_device: true },
    });
    const under = await signIn(company.email, company.password);
    await platform().must('PUT', '/api/account/password', {
      token: company.token,
      body: {
        current_password: company.password,
        new_password: NEW_PASSWORD,
        recovery_private_key: await wrappedUnder(NEW_PASSWORD),
      },
    });
    platform().clock.advance(30_000);
    const late = await platform().call('POST', '/api/portal/sign-in/second-factor', {
      body: { ticket: under.body.ticket, code: code() },
    });
    assert.equal(late.body.error_key, 'auth.ticket_invalid');
    const device = { trusted_device: entered.trusted_device.token };
    const asked = await signIn(company.email, NEW_PASSWORD, device);
    proves('error:auth.ticket_invalid', 'error:auth.two_factor_required');
    assert.equal(asked.body.error_key, 'auth.two_factor_required');
  });
});

onEachEngine("the company's own keys", (platform) => {
  test('are shown, and the recovery key is wrapped anew by the company login with its password', async () => {
    const { token, password } = await registerCompany(platform());
    const keys = await platform().must('GET', '/api/profile/keys', { token });
    const account = await platform().must('GET', '/api/account', { token });
    const recovery = await platform().must('GET', '/api/account/recovery-key', { token });
    assert.equal(keys.account_public_key, account.account_public_key);
    assert.equal(keys.recovery_public_key, recovery.public_key);
    assert.match(keys.recovery_public_key_sha256, /^[0-9a-f]{64}$/);
    const recovery_private_key = await wrappedUnder(password);
    const put = (body: object, as = token) =>
      platform().call('PUT', '/api/profile/keys', { token: as, body });
    const wrong = await put({ password: 'not it', recovery_private_key });
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    const bad = await put({ password, recovery_private_key: { ...recovery_private_key, salt: 'AAAA' } });
    proves('error:account.recovery_key_invalid', 'route:GET /api/profile/keys');
    assert.equal(bad.body.error_key, 'account.recovery_key_invalid');
    assert.equal((await put({ password, recovery_private_key })).status, 204);
    const after = await platform().must('GET', '/api/account/recovery-key', { token });
    assert.deepEqual(after, { public_key: recovery.public_key, encrypted_private_key: recovery_private_key });
  });

  test('are not for another owner to rewrap, whose password is another', async () => {
    const company = await registerCompany(platform());
    const owner = await addDelegate(platform(), company, 'owner');
    const refused = await platform().call('PUT', '/api/profile/keys', {
      token: owner.token,
      body: { password: owner.password, recovery_private_key: await wrappedUnder(owner.password) },
    });
    proves('error:account.company_login_only');
    assert.deepEqual([refused.status, refused.body.error_key], [403, 'account.company_login_only']);
  });
});

onEachEngine('the e-mail address of the portal', (platform) => {
  const start = (company: TestCompany, new_email: string, more: object = {}) =>
    platform().call('POST', '/api/account/email', {
      token: company.token,
      body: { password: company.password, new_email, ...more },
    });
  const confirm = (company: { token: string }, code: string) =>
    platform().call('POST', '/api/account/email/confirm', { token: company.token, body: { code } });

  test('changes by a code mailed to the new one, with a notice to the old one', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    const started = await start(company, email.toUpperCase());
    assert.equal(started.status, 202, started.text);
    assert.match(await lastMail(platform(), company.email), /about to change/);
    const signIn = (address: string) =>
      platform().call('POST', '/api/portal/sign-in', {
        body: { email: address, password: company.password },
      });
    assert.equal((await signIn(email)).status, 401);
    assert.equal((await confirm(company, await mailedCode(platform(), email))).status, 204);
    assert.equal((await signIn(email)).status, 200);
    assert.equal((await signIn(company.email)).status, 401);
    const account = await platform().must('GET', '/api/account', { token: company.token });
    assert.equal(account.email, email);
    assert.match(await lastMail(platform(), company.email), /has changed/);
    // The address before is free again.
    const { email: freed } = company;
    await platform().must('POST', '/api/delegates', {
      token: company.token,
      body: { email: freed, role: 'viewer' },
    });
  });

  test('of a delegate leaves that of the company alone', async () => {
    const company = await registerCompany(platform());
    const viewer = await addDelegate(platform(), company, 'viewer');
    const email = freshEmail();
    await start({ ...company, ...viewer }, email);
    assert.equal((await confirm(viewer, await mailedCode(platform(), email))).status, 204);
    const account = await platform().must('GET', '/api/account', { token: company.token });
    assert.equal(account.email, company.email);
  });

  test('takes password, and the code of the second factor when that is on', async () => {
    const company = await registerCompany(platform());
    const wrong = await start({ ...company, password: 'not it' }, freshEmail());
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    const invalid = await start(company, 'nobody');
    proves('error:account.email_invalid');
    assert.deepEqual([invalid.status, invalid.body.error_key], [400, 'account.email_invalid']);
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const asked = await start(company, freshEmail());
    assert.equal(asked.body.error_key, 'auth.two_factor_required');
    assert.equal((await start(company, freshEmail(), { code: code() })).status, 202);
  });

  test('that has an account already: only its mailbox is told, and nothing changes', async () => {
    const company = await registerCompany(platform());
    const taken = await registerCompany(platform());
    const [free, used] = [await start(company, freshEmail()), await start(company, taken.email)];
    assert.deepEqual([free.status, free.body], [used.status, used.body]);
    assert.match(await lastMail(platform(), taken.email), /has an account already/);
    assert.ok(!/\b\d{6}\b is/.test(await lastMail(platform(), taken.email)));
    const guess = await confirm(company, '000000');
    assert.equal(guess.body.error_key, 'account.code_invalid');
  });

  test('that was taken while the code was under way stays taken', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    await start(company, email);
    const code = await mailedCode(platform(), email);
    const rival = await registerCompany(platform());
    await start(rival, email);
    assert.equal((await confirm(rival, await mailedCode(platform(), email))).status, 204);
    const late = await confirm(company, code);
    assert.deepEqual([late.status, late.body.error_key], [409, 'account.email_taken']);
  });

  test('codes die after five tries and a quarter of an hour, and few are mailed', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    await start(company, email);
    const code = await mailedCode(platform(), email);
    const wrong = code === '111111' ? '222222' : '111111';
    for (let tries = 0; tries < 5; tries++) await confirm(company, wrong);
    proves('error:account.code_invalid');
    assert.equal((await confirm(company, code)).body.error_key, 'account.code_invalid');
    await start(company, email);
    const second = await mailedCode(platform(), email);
    platform().clock.advance(15 * 60_000);
    assert.equal((await confirm(company, second)).body.error_key, 'account.code_invalid');
    for (let more = 0; more < 3; more++) assert.equal((await start(company, email)).status, 202);
    const flooded = await start(company, email);
    assert.deepEqual([flooded.status, flooded.body.error_key], [429, 'rate_limit.exceeded']);
    assert.equal((await mailsTo(platform(), email)).length, 5);
  });
});
