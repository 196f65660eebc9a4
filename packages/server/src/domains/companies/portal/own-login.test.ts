import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { credentials } from '@symbolon/testkit/actors/accounts';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { mailsTo } from '@symbolon/testkit/actors/mails';
import {
  addDelegate,
  enrolSecondFactor,
  lastMail,
  mailedCode,
  mailedProof,
  newPassword,
  type ProvingAccount,
  WRONG_SECRET,
} from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import type { Answer } from '@symbolon/testkit/platform/calls';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const freshEmail = () => `fresh-${randomBytes(6).toString('hex')}@example.com`;

onPlatform('the password of the portal', (platform) => {
  const signIn = (email: string, login_secret: string, more: object = {}) =>
    platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret, ...more } });
  const change = (token: string, login_secret: string, next: object, more: object = {}) =>
    platform().call('PUT', '/api/account/password', { token, body: { login_secret, new: next, ...more } });

  test('changes with the private key wrapped again; other sessions end', async () => {
    const company = await registerCompany(platform());
    const other = (await signIn(company.email, company.loginSecret)).body.token;
    const next = newPassword();
    const changed = await change(company.token, company.loginSecret, next);
    assert.equal(changed.status, 204, changed.text);
    assert.equal((await signIn(company.email, company.loginSecret)).status, 401);
    const again = await signIn(company.email, next.login_secret);
    assert.deepEqual(again.body.encrypted_private_key, next.encrypted_private_key);
    assert.equal((await platform().call('GET', '/api/account', { token: other })).status, 401);
    assert.equal((await platform().call('GET', '/api/account', { token: company.token })).status, 200);
    assert.match(await lastMail(platform(), company.email), /password has changed/);
    const parameters = { body: { email: company.email } };
    const { salt } = await platform().must('POST', '/api/portal/login/parameters', parameters);
    proves('route:POST /api/portal/login/parameters');
    assert.equal(salt, next.salt);
  });

  test('of two changes and a sign-in with the same secret, what comes later is refused', async (t) => {
    const company = await registerCompany(platform());
    const { email, token } = company;
    const wrong = [401, 'auth.credentials_invalid'];
    let secret = company.loginSecret;
    const overtaken = async (call: () => Promise<Answer>) => {
      const next = newPassword();
      beforeNextWrite(t, platform(), () => change(token, secret, next));
      const { status, body } = await call();
      assert.deepEqual([status, body?.error_key], wrong);
      secret = next.login_secret;
    };
    await overtaken(() => change(token, secret, newPassword()));
    await overtaken(() => signIn(email, secret));
    assert.equal((await signIn(email, secret)).status, 200);
  });

  test('does not change by halves', async () => {
    const company = await registerCompany(platform());
    const next = newPassword();
    for (const [secret, part, status, key] of [
      [WRONG_SECRET, {}, 401, 'auth.credentials_invalid'],
      ['x', {}, 400, 'account.key_invalid'],
      [company.loginSecret, { login_secret: 'short' }, 400, 'account.key_invalid'],
      [company.loginSecret, { salt: 'AAAA' }, 400, 'account.key_invalid'],
      [company.loginSecret, { version: 2 }, 400, 'account.key_invalid'],
      [company.loginSecret, { encrypted_private_key: undefined }, 400, 'account.key_invalid'],
      [company.loginSecret, { password: 'readable' }, 400, 'request.invalid'],
    ] as const) {
      const refused = await change(company.token, secret, { ...next, ...part });
      assert.deepEqual([refused.status, refused.body.error_key], [status, key], refused.text);
    }
    proves('error:account.key_invalid', 'limit:loginVersionMost');
    assert.equal((await signIn(company.email, company.loginSecret)).status, 200);
  });

  test('takes the code of the second factor when that is on', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const { loginSecret, token } = company;
    const asked = await change(token, loginSecret, newPassword());
    assert.deepEqual([asked.status, asked.body.error_key], [401, 'auth.two_factor_required']);
    const renewal = { login_secret: loginSecret, recovery: credentials().recovery };
    const renew = (more: object = {}) =>
      platform().call('PUT', '/api/account/recovery-code', { token, body: { ...renewal, ...more } });
    assert.equal((await renew()).body.error_key, 'auth.two_factor_required');
    assert.equal((await change(token, loginSecret, newPassword(), { code: '000000' })).status, 401);
    assert.equal((await signIn(company.email, loginSecret)).body.error_key, 'auth.two_factor_required');
    assert.equal((await renew({ code: code() })).status, 204);
    platform().clock.advance(30_000);
    assert.equal((await change(token, loginSecret, newPassword(), { code: code() })).status, 204);
  });

  test('of a delegate changes alone', async () => {
    const company = await registerCompany(platform());
    const viewer = await addDelegate(platform(), company, 'viewer');
    const next = newPassword();
    proves('route:PUT /api/account/password');
    assert.equal((await change(viewer.token, viewer.loginSecret, next)).status, 204);
    proves('route:POST /api/portal/sign-in');
    assert.equal((await signIn(viewer.email, next.login_secret)).status, 200);
    assert.equal((await signIn(company.email, company.loginSecret)).status, 200);
  });

  test('guesses of it are slowed down together with failed sign-ins and recoveries', async () => {
    const company = await registerCompany(platform());
    for (let tries = 0; tries < 5; tries++) await change(company.token, WRONG_SECRET, newPassword());
    const recover = (recovery_secret: string) =>
      platform().call('POST', '/api/portal/recover/key', {
        body: { email: company.email, recovery_secret },
      });
    for (let tries = 0; tries < 5; tries++) assert.equal((await recover(WRONG_SECRET)).status, 401);
    const throttled = await change(company.token, company.loginSecret, newPassword());
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
    assert.equal((await recover(company.recoverySecret)).body.error_key, 'auth.throttled');
    assert.equal((await signIn(company.email, company.loginSecret)).body.error_key, 'auth.throttled');
  });

  test('ends sign-ins that were past the old one, and trust in devices', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const first = await signIn(company.email, company.loginSecret);
    const entered = await platform().must('POST', '/api/portal/sign-in/second-factor', {
      body: { ticket: first.body.ticket, code: code(), trust_device: true },
    });
    assert.ok(entered.encrypted_private_key.data);
    const under = await signIn(company.email, company.loginSecret);
    platform().clock.advance(30_000);
    const next = newPassword();
    assert.equal((await change(company.token, company.loginSecret, next, { code: code() })).status, 204);
    platform().clock.advance(30_000);
    const late = await platform().call('POST', '/api/portal/sign-in/second-factor', {
      body: { ticket: under.body.ticket, code: code() },
    });
    assert.equal(late.body.error_key, 'auth.ticket_invalid');
    const device = { trusted_device: entered.trusted_device.token };
    const asked = await signIn(company.email, next.login_secret, device);
    proves('error:auth.ticket_invalid', 'error:auth.two_factor_required');
    assert.equal(asked.body.error_key, 'auth.two_factor_required');
  });
});

onPlatform('recovering a login of the portal', (platform) => {
  const recover = (email: string, recovery_secret: string, next: object) =>
    platform().call('POST', '/api/portal/recover', { body: { email, recovery_secret, ...next } });
  const signIn = (email: string, login_secret: string) =>
    platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret } });

  test('gives the wrapped key, then takes a new password and a new code; the used one is void', async () => {
    const company = await registerCompany(platform());
    const { email } = company;
    const keyBy = (recovery_secret: string) =>
      platform().call('POST', '/api/portal/recover/key', { body: { email, recovery_secret } });
    const key = await keyBy(company.recoverySecret);
    proves('route:POST /api/portal/recover/key');
    assert.equal(key.status, 200, key.text);
    assert.ok(key.body.encrypted_private_key.data);
    const next = credentials();
    const recovered = await recover(email, company.recoverySecret, next);
    proves('route:POST /api/portal/recover');
    assert.equal(recovered.status, 204, recovered.text);
    assert.match(await lastMail(platform(), email), /reset with your recovery code/);
    assert.equal((await platform().call('GET', '/api/account', { token: company.token })).status, 401);
    assert.equal((await signIn(email, company.loginSecret)).status, 401);
    const { token } = (await signIn(email, next.login_secret)).body;
    const { items } = await platform().must('GET', '/api/account/audit-log', { token });
    proves('route:GET /api/account/audit-log');
    assert.ok(items.some((entry: { action: string }) => entry.action === 'login.recovered'));
    const twice = await recover(email, company.recoverySecret, credentials());
    proves('error:account.recovery_invalid');
    assert.deepEqual([twice.status, twice.body.error_key], [401, 'account.recovery_invalid']);
    assert.equal((await keyBy(next.recovery.secret)).status, 200);
  });

  test('is not possible with a code that was replaced', async () => {
    const company = await registerCompany(platform());
    const { recovery } = credentials();
    const renewed = await platform().call('PUT', '/api/account/recovery-code', {
      token: company.token,
      body: { login_secret: company.loginSecret, recovery },
    });
    assert.equal(renewed.status, 204, renewed.text);
    assert.match(await lastMail(platform(), company.email), /new recovery code/);
    proves('route:PUT /api/account/recovery-code');
    assert.equal((await recover(company.email, company.recoverySecret, credentials())).status, 401);
    assert.equal((await recover(company.email, recovery.secret, credentials())).status, 204);
  });

  test('leaves the second factor on, and ends trust in devices', async () => {
    const company = await registerCompany(platform());
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const next = credentials();
    assert.equal((await recover(company.email, company.recoverySecret, next)).status, 204);
    const asked = await signIn(company.email, next.login_secret);
    assert.equal(asked.body.error_key, 'auth.two_factor_required');
    const entered = await platform().call('POST', '/api/portal/sign-in/second-factor', {
      body: { ticket: asked.body.ticket, code: code() },
    });
    assert.equal(entered.status, 200, entered.text);
    assert.deepEqual(entered.body.encrypted_private_key, next.encrypted_private_key);
  });

  test('answers an unknown address and a wrong code alike', async () => {
    const company = await registerCompany(platform());
    const wrong = await recover(company.email, WRONG_SECRET, credentials());
    const unknown = await recover('nobody@example.com', company.recoverySecret, credentials());
    assert.deepEqual([wrong.status, wrong.body], [unknown.status, unknown.body]);
  });
});

onPlatform('the e-mail address of the portal', (platform) => {
  /** @param proof in place of the login secret with a code that was mailed to the address before */
  const start = async (login: ProvingAccount, new_email: string, proof?: object) =>
    platform().call('POST', '/api/account/email', {
      token: login.token,
      body: { ...(proof ?? (await mailedProof(platform(), login, 'POST /api/account/email'))), new_email },
    });
  const confirm = (company: { token: string }, code: string) =>
    platform().call('POST', '/api/account/email/confirm', { token: company.token, body: { code } });

  test('changes by a code mailed to the new one, with a notice to the old one', async () => {
    const company = await registerCompany(platform());
    const email = freshEmail();
    const started = await start(company, email.toUpperCase());
    proves('route:POST /api/account/email');
    assert.equal(started.status, 202, started.text);
    assert.match(await lastMail(platform(), company.email), /about to change/);
    const signIn = (address: string) =>
      platform().call('POST', '/api/portal/sign-in', {
        body: { email: address, login_secret: company.loginSecret },
      });
    assert.equal((await signIn(email)).status, 401);
    proves('route:POST /api/account/email/confirm');
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

  test('takes the login secret, and the code of the second factor when that is on', async () => {
    const company = await registerCompany(platform());
    const wrong = await start({ ...company, loginSecret: WRONG_SECRET }, freshEmail());
    assert.equal(wrong.body.error_key, 'auth.credentials_invalid');
    const invalid = await start(company, 'nobody');
    proves('error:account.email_invalid');
    assert.deepEqual([invalid.status, invalid.body.error_key], [400, 'account.email_invalid']);
    const { code } = await enrolSecondFactor(platform(), company);
    platform().clock.advance(30_000);
    const proof = { login_secret: company.loginSecret };
    const asked = await start(company, freshEmail(), proof);
    assert.equal(asked.body.error_key, 'auth.two_factor_required');
    assert.equal((await start(company, freshEmail(), { ...proof, code: code() })).status, 202);
  });

  test('that has an account already: only its mailbox gets notice, and nothing changes', async () => {
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
    const factor = await enrolSecondFactor(platform(), company);
    const begin = () => {
      platform().clock.advance(30_000);
      return start(company, email, { login_secret: company.loginSecret, code: factor.code() });
    };
    const email = freshEmail();
    await begin();
    const code = await mailedCode(platform(), email);
    const wrong = code === '111111' ? '222222' : '111111';
    for (let tries = 0; tries < 5; tries++) await confirm(company, wrong);
    proves('error:account.code_invalid');
    assert.equal((await confirm(company, code)).body.error_key, 'account.code_invalid');
    await begin();
    const second = await mailedCode(platform(), email);
    platform().clock.advance(15 * 60_000);
    assert.equal((await confirm(company, second)).body.error_key, 'account.code_invalid');
    for (let more = 0; more < 3; more++) assert.equal((await begin()).status, 202);
    const flooded = await begin();
    assert.deepEqual([flooded.status, flooded.body.error_key], [429, 'rate_limit.exceeded']);
    assert.equal((await mailsTo(platform(), email)).length, 5);
  });
});
