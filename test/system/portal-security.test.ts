import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthenticationError, ForbiddenError, PortalClient } from '@symbolon/sdk/portal';
import { codeOfMail, invitationToken, lastMail, mailedCode } from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

/* A company looks after its sign-in by program, as its portal does: the SDK against the real platform, mails and all. */

const PASSWORD = 'correct horse battery';
const DAY = 24 * 60 * 60_000;

onPlatform('the portal by program', (platform) => {
  test('keeps recovery copies readable when the password changes', async () => {
    const baseUrl = platform().url;
    const email = 'changing@example.com';
    const { client: portal } = await PortalClient.register({
      baseUrl,
      name: 'Acme',
      email,
      password: PASSWORD,
    });
    const { passphrase } = await portal.createService({ name: 'Shop', adminEmail: 'ops@example.com' });
    const next = 'another horse battery';
    await portal.security.changePassword({ password: PASSWORD }, next);
    const again = await PortalClient.signIn({ baseUrl, email, password: next });
    const [recovered] = await again.recovery.secrets({ password: next });
    assert.equal(recovered?.secret, passphrase);
    await assert.rejects(PortalClient.signIn({ baseUrl, email, password: PASSWORD }), AuthenticationError);
  });

  test('signs in with the second factor, trusts a device, and switches it off', async () => {
    const baseUrl = platform().url;
    const access = { baseUrl, email: 'factor@example.com', password: PASSWORD };
    const { client: portal } = await PortalClient.register({ ...access, name: 'Acme' });
    await assert.rejects(portal.security.enrolTwoFactor({ password: PASSWORD }), {
      errorKey: 'auth.two_factor_required',
    });
    await portal.security.mailCode('enrolTwoFactor');
    const mailed = await mailedCode(platform(), access.email);
    const { secret } = await portal.security.enrolTwoFactor({ password: PASSWORD, mailedCode: mailed });
    const code = () => totpCode(fromBase32(secret), platform().clock.now());
    const recoveryCodes = await portal.security.confirmTwoFactor(code());
    await assert.rejects(PortalClient.signIn(access), { errorKey: 'auth.two_factor_required' });
    platform().clock.advance(30_000);
    const trusting = await PortalClient.signIn({
      ...access,
      secondFactor: async () => ({ code: code(), trustDevice: true }),
    });
    proves(
      'route:POST /api/portal/sign-in/second-factor',
      'route:POST /api/account/2fa/enrol',
      'route:POST /api/account/2fa/confirm',
    );
    assert.ok(trusting.trustedDevice);
    const there = await PortalClient.signIn({ ...access, trustedDevice: trusting.trustedDevice.token });
    const [device] = await there.security.trustedDevices();
    await there.security.revokeTrustedDevice(device?.id ?? '');
    proves('route:GET /api/account/trusted-devices', 'route:DELETE /api/account/trusted-devices/{id}');
    const [recoveryCode = ''] = recoveryCodes;
    const rescued = await PortalClient.signIn({ ...access, secondFactor: async () => ({ recoveryCode }) });
    proves('route:GET /api/account/2fa');
    assert.equal((await rescued.security.twoFactor()).recovery_codes_left, 9);
    assert.equal((await rescued.security.sessions()).length, 4);
    await rescued.security.endOtherSessions();
    await assert.rejects(there.account(), AuthenticationError);
    platform().clock.advance(30_000);
    await rescued.security.switchTwoFactorOff({ password: PASSWORD, code: code() });
    proves('route:POST /api/account/2fa/off');
    await PortalClient.signIn(access);
  });

  test('invites people, gives them roles, and reads what they did', async () => {
    const baseUrl = platform().url;
    const access = { baseUrl, email: 'inviting@example.com', password: PASSWORD };
    const { client: owner } = await PortalClient.register({ ...access, name: 'Acme' });
    const email = 'ada@example.com';
    const { id } = await owner.delegates.invite({ email, role: 'viewer' });
    const token = await invitationToken(platform(), email);
    assert.equal((await PortalClient.invitation({ baseUrl, token })).company_name, 'Acme');
    const person = { baseUrl, token, name: 'Ada', password: PASSWORD };
    const { client: ada } = await PortalClient.acceptInvitation(person);
    const service = { name: 'Shop', adminEmail: 'ops@example.com' };
    await assert.rejects(ada.createService(service), ForbiddenError);
    await owner.delegates.setRole(id, 'admin');
    await assert.rejects(ada.createService(service), { errorKey: 'sdk.recovery_key_unconfirmed' });
    const again = await PortalClient.signIn(access);
    const fingerprint = (await again.recoveryKeyFingerprint()) ?? '';
    assert.equal(
      fingerprint,
      await owner.recoveryKeyFingerprint(),
      'the owner pinned it at the registration',
    );
    await ada.confirmRecoveryKey(fingerprint);
    const { passphrase } = await ada.createService(service);
    await assert.rejects(ada.recovery.secrets({ password: PASSWORD }), {
      errorKey: 'account.recovery_key_not_shared',
    });
    const holder = { loginId: id, confirmedFingerprint: await ada.keyFingerprint() };
    await owner.recovery.share(holder, async () => ({ password: PASSWORD }));
    proves(
      'route:POST /api/account/recovery-key/open',
      'route:PUT /api/account/recovery-key/holders/{loginId}',
    );
    assert.equal((await ada.recovery.secrets({ password: PASSWORD }))[0]?.secret, passphrase);
    await ada.security.changePassword({ password: PASSWORD }, 'the password of Ada');
    assert.equal((await ada.security.session()).login.name, 'Ada');
    const { items } = await owner.security.auditLog({ limit: 2 });
    assert.deepEqual(
      items.map((entry) => [entry.actor.name, entry.action]),
      [
        [email, 'password.changed'],
        [email, 'recovery_key.opened'],
      ],
    );
    const adas = await PortalClient.signIn({ baseUrl, email, password: 'the password of Ada' });
    assert.equal(await adas.recoveryKeyFingerprint(), fingerprint);
    await owner.delegates.remove(id);
    await assert.rejects(ada.account(), AuthenticationError);
    assert.deepEqual(
      (await owner.delegates.list()).map((delegate) => delegate.company_login),
      [true],
    );
  });

  test('changes its address, and deletes the company after the days of grace', async () => {
    const baseUrl = platform().url;
    const [before, after] = ['before@example.com', 'after@example.com'];
    const { client: portal } = await PortalClient.register({
      baseUrl,
      name: 'Acme',
      email: before,
      password: PASSWORD,
    });
    await portal.security.mailCode('startEmailChange');
    const mailed = await mailedCode(platform(), before);
    await portal.security.startEmailChange(after, { password: PASSWORD, mailedCode: mailed });
    await portal.security.confirmEmailChange(await codeOfMail(platform(), after));
    await portal.security.requestDeletion({ password: PASSWORD });
    const { deletes_at } = await portal.security.confirmDeletion(await mailedCode(platform(), after));
    assert.equal(Date.parse(deletes_at ?? ''), platform().clock.now() + 14 * DAY);
    await portal.security.withdrawDeletion();
    assert.equal((await portal.security.deletion()).pending, false);
    await portal.security.requestDeletion({ password: PASSWORD });
    await portal.security.confirmDeletion(await mailedCode(platform(), after));
    platform().clock.advance(14 * DAY);
    await platform().context.accountDeletion.run(new AbortController().signal);
    await assert.rejects(
      PortalClient.signIn({ baseUrl, email: after, password: PASSWORD }),
      AuthenticationError,
    );
    assert.match(await lastMail(platform(), after), /is deleted/);
  });
});
