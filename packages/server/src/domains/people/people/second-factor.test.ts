import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { credentials } from '@symbolon/testkit/actors/accounts';
import { registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { lastMail, mailedProof, newPassword } from '@symbolon/testkit/actors/portal-logins';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const STEP = 30_000;

onPlatform('the second factor of a person', (platform) => {
  const call = (path: string, { token }: { token: string }, body: object) =>
    platform().call('POST', `/api/person/${path}`, { token, body });
  const signIn = ({ email, loginSecret: login_secret }: TestPerson, more: object = {}) =>
    platform().call('POST', '/api/person/login', { body: { email, login_secret, ...more } });
  const secondStep = (body: object) => platform().call('POST', '/api/person/login/second-factor', { body });
  /** Begins to switch it on; gives the secret for the app. */
  const begun = async (person: TestPerson): Promise<string> => {
    const proof = await mailedProof(platform(), person, 'POST /api/person/totp/enrol');
    return (await call('totp/enrol', person, proof)).body.secret;
  };
  /** Switches it on; gives what makes the codes, and the recovery codes. */
  const enrol = async (person: TestPerson) => {
    const secret = await begun(person);
    const code = () => totpCode(fromBase32(secret), platform().clock.now());
    const confirmed = await call('totp/confirm', person, { code: code() });
    assert.equal(confirmed.status, 200, confirmed.text);
    platform().clock.advance(STEP);
    return { code, recoveryCodes: confirmed.body.recovery_codes as string[] };
  };

  test('is asked for at the sign-in, in a second step, also of a browser', async () => {
    const person = await registerPerson(platform());
    const { code } = await enrol(person);
    assert.match(await lastMail(platform(), person.email), /Subject: The second factor is on/);
    const first = await signIn(person, { session: 'cookie' });
    assert.deepEqual([first.status, first.body.error_key], [401, 'auth.two_factor_required']);
    assert.equal(first.headers.get('set-cookie'), null);
    const wrong = await secondStep({ ticket: first.body.ticket, code: '000000' });
    assert.equal(wrong.body.error_key, 'auth.second_factor_invalid');
    const second = await secondStep({ ticket: first.body.ticket, code: code() });
    proves('route:POST /api/person/login/second-factor');
    assert.equal(second.status, 200, second.text);
    assert.match(second.headers.get('set-cookie') ?? '', /^symbolon_person=spp_/);
    platform().clock.advance(STEP);
    const again = await secondStep({ ticket: first.body.ticket, code: code() });
    assert.equal(again.body.error_key, 'auth.ticket_invalid');
  });

  test('is not switched on by who guesses the first code', async () => {
    const person = await registerPerson(platform());
    const secret = await begun(person);
    const answers = [];
    for (let tries = 0; tries < 12 && answers.at(-1) !== 'auth.throttled'; tries++)
      answers.push((await call('totp/confirm', person, { code: '000000' })).body.error_key);
    assert.equal(answers[0], 'auth.second_factor_invalid');
    assert.equal(answers.at(-1), 'auth.throttled');
    const right = totpCode(fromBase32(secret), platform().clock.now());
    assert.equal((await call('totp/confirm', person, { code: right })).body.error_key, 'auth.throttled');
  });

  test('is not switched on by an enrolment that was begun more than ten minutes ago', async () => {
    const person = await registerPerson(platform());
    const begin = async () => {
      const secret = await begun(person);
      return () => totpCode(fromBase32(secret), platform().clock.now());
    };
    const left = await begin();
    platform().clock.advance(limits.totpEnrolmentMs);
    const late = await call('totp/confirm', person, { code: left() });
    proves('limit:totpEnrolmentMs');
    assert.deepEqual([late.status, late.body.error_key], [409, 'account.two_factor_not_started']);
    const timely = await begin();
    platform().clock.advance(limits.totpEnrolmentMs - 1);
    assert.equal((await call('totp/confirm', person, { code: timely() })).status, 200);
  });

  test('takes each code once, and a recovery code in its place', async () => {
    const person = await registerPerson(platform());
    const { code, recoveryCodes } = await enrol(person);
    const used = code();
    const ticket = async () => (await signIn(person)).body.ticket;
    assert.equal((await secondStep({ ticket: await ticket(), code: used })).status, 200);
    const again = await secondStep({ ticket: await ticket(), code: used });
    assert.equal(again.body.error_key, 'auth.second_factor_invalid');
    const [recovery_code] = recoveryCodes;
    const recovered = await secondStep({ ticket: await ticket(), recovery_code });
    assert.equal(recovered.status, 200, recovered.text);
    assert.match(await lastMail(platform(), person.email), /Subject: A recovery code was used/);
    const twice = await secondStep({ ticket: await ticket(), recovery_code });
    assert.equal(twice.body.error_key, 'auth.second_factor_invalid');
  });

  test('a ticket dies after five tries', async () => {
    const person = await registerPerson(platform());
    const { code } = await enrol(person);
    const { ticket } = (await signIn(person)).body;
    for (let count = 0; count < 5; count++) await secondStep({ ticket, code: '000000' });
    const refused = await secondStep({ ticket, code: code() });
    assert.equal(refused.body.error_key, 'auth.ticket_invalid');
  });

  test('a new password and a lost one take it too, and nothing changes without it', async () => {
    const person = await registerPerson(platform());
    const { code } = await enrol(person);
    const change = (more: object) =>
      platform().call('PUT', '/api/person/password', {
        token: person.token,
        body: { current_login_secret: person.loginSecret, ...newPassword(), ...more },
      });
    assert.equal((await change({})).body.error_key, 'auth.two_factor_required');
    const fresh = credentials();
    const recover = (more: object) =>
      platform().call('POST', '/api/person/recover', {
        body: { email: person.email, recovery_secret: person.recoverySecret, ...fresh, ...more },
      });
    assert.equal((await recover({})).body.error_key, 'auth.two_factor_required');
    assert.equal((await signIn(person)).body.error_key, 'auth.two_factor_required');
    const done = await recover({ code: code() });
    assert.equal(done.status, 200, done.text);
    const after = await signIn({ ...person, loginSecret: fresh.login_secret });
    assert.equal(after.body.error_key, 'auth.two_factor_required');
  });

  test('is switched off by login secret and code; a sign-in that was under way is void', async () => {
    const person = await registerPerson(platform());
    const { code } = await enrol(person);
    const { ticket } = (await signIn(person)).body;
    const proof = { login_secret: person.loginSecret };
    assert.equal((await call('totp/off', person, proof)).body.error_key, 'auth.two_factor_required');
    const replaced = await call('totp/recovery-codes', person, { ...proof, code: code() });
    proves('route:POST /api/person/totp/recovery-codes');
    assert.equal(replaced.body.recovery_codes.length, 10);
    platform().clock.advance(STEP);
    const off = await call('totp/off', person, { ...proof, code: code() });
    proves('route:POST /api/person/totp/off');
    assert.equal(off.status, 204, off.text);
    assert.match(await lastMail(platform(), person.email), /Subject: The second factor is off/);
    platform().clock.advance(STEP);
    assert.equal((await secondStep({ ticket, code: code() })).body.error_key, 'auth.ticket_invalid');
    assert.equal((await signIn(person)).status, 200);
  });
});
