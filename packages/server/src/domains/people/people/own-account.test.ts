import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { credentials } from '@symbolon/testkit/actors/accounts';
import { registerPerson } from '@symbolon/testkit/actors/actors';
import {
  lastMail,
  mailedCode,
  mailedProof,
  newPassword,
  type ProvingAccount,
} from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { onEachEngine, onPlatform } from '@symbolon/testkit/platform/platform';

const freshEmail = () => `fresh-${randomBytes(6).toString('hex')}@example.com`;
const DAY_MS = 24 * 60 * 60 * 1000;
const CONFIRM = '/api/person/recovery-code/confirm';

onEachEngine('what happened at an account', (platform) => {
  const historyOf = async (token: string) =>
    (await platform().must('GET', '/api/person/history', { token })).items as { kind: string }[];
  const kindsOf = async (token: string) => (await historyOf(token)).map(({ kind }) => kind);
  const signIn = async ({ email, loginSecret }: { email: string; loginSecret: string }) =>
    (
      await platform().must('POST', '/api/person/login', {
        body: { email, login_secret: loginSecret },
        headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      })
    ).access_token as string;

  test('has sign-ins and changes of what signs in, the latest first, and of nobody else', async () => {
    const other = await registerPerson(platform());
    const person = await registerPerson(platform());
    const token = await signIn(person);
    const recovery = credentials().recovery;
    await platform().must('PUT', '/api/person/recovery-code', {
      token,
      body: { login_secret: person.loginSecret, recovery },
    });
    await platform().must('PUT', '/api/person/me', { token, body: { display_name: 'Ada Byron' } });
    const changed = await platform().must('PUT', '/api/person/password', {
      token,
      body: { current_login_secret: person.loginSecret, ...newPassword() },
    });
    const items = (await platform().must('GET', '/api/person/history', { token: changed.access_token }))
      .items;
    proves('route:GET /api/person/history');
    assert.deepEqual(
      items.map(({ kind }: { kind: string }) => kind),
      ['password_changed', 'name_changed', 'recovery_code_made', 'signed_in', 'registered'],
    );
    assert.match(items[3].user_agent, /Firefox/);
    assert.equal(new Date(items[0].at).toISOString(), items[0].at);
    assert.deepEqual(await kindsOf(other.token), ['registered']);
  });

  test('keeps the latest 200, and nothing that is older than 90 days', async () => {
    const person = await registerPerson(platform());
    for (let more = 0; more < 203; more++)
      await platform().context.personHistory.note(person.id, 'signed_in', 'Firefox');
    const kinds = await kindsOf(person.token);
    proves('limit:personHistoryMost');
    assert.deepEqual([kinds.length, kinds.includes('registered')], [200, false]);
    platform().clock.advance(90 * DAY_MS);
    const token = await signIn(person);
    proves('limit:personHistoryDays');
    assert.deepEqual(await kindsOf(token), ['signed_in']);
    await platform().context.personHistory.dropExpired();
    const { reader } = platform().context.database;
    const left = await reader
      .selectFrom('person_history')
      .select('id')
      .where('person_id', '=', person.id)
      .execute();
    assert.equal(left.length, 1);
  });
});

onPlatform('the recovery code of a person who is signed in', (platform) => {
  const state = (token: string) => platform().must('GET', '/api/person/recovery-code', { token });

  test('is confirmed by its secret, and stays good; a new one is not confirmed', async () => {
    const person = await registerPerson(platform());
    const before = await state(person.token);
    proves('route:GET /api/person/recovery-code');
    const { created_at } = await platform().must('GET', '/api/person/me', { token: person.token });
    assert.deepEqual(before, { made_at: created_at, confirmed_at: null });
    platform().clock.advance(DAY_MS / 48);
    const body = { recovery_secret: person.recoverySecret };
    await platform().must('POST', CONFIRM, { token: person.token, body });
    proves(`route:POST ${CONFIRM}`);
    await platform().must('POST', '/api/person/recover/key', { body: { email: person.email, ...body } });
    const confirmed = await state(person.token);
    assert.equal(confirmed.made_at, created_at);
    assert.equal(Date.parse(confirmed.confirmed_at), Date.parse(created_at) + DAY_MS / 48);
    const { recovery } = credentials();
    await platform().must('PUT', '/api/person/recovery-code', {
      token: person.token,
      body: { login_secret: person.loginSecret, recovery },
    });
    const renewed = await state(person.token);
    assert.deepEqual(renewed, { made_at: confirmed.confirmed_at, confirmed_at: null });
    await refused(platform(), [401, 'account.recovery_invalid'], 'POST', CONFIRM, {
      token: person.token,
      body,
    });
  });

  test('is not confirmed by anything else, nor by the code of another, and tries are counted', async () => {
    const person = await registerPerson(platform());
    const other = await registerPerson(platform());
    const { token } = person;
    const confirm = (recovery_secret: string) =>
      platform().call('POST', CONFIRM, { token, body: { recovery_secret } });
    await refused(platform(), [400, 'account.key_invalid'], 'POST', CONFIRM, {
      token,
      body: { recovery_secret: 'AAAA' },
    });
    await refused(platform(), [401, 'account.recovery_invalid'], 'POST', CONFIRM, {
      token,
      body: { recovery_secret: other.recoverySecret },
    });
    for (let tries = 1; tries < 10; tries++) await confirm(randomBytes(32).toString('base64'));
    const throttled = await confirm(person.recoverySecret);
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
    assert.equal((await state(token)).confirmed_at, null);
  });
});

onPlatform('the name of a person', (platform) => {
  test('is changed without spaces around it, and never to nothing', async () => {
    const { token } = await registerPerson(platform());
    const me = '/api/person/me';
    for (const display_name of [' ', '', 'a\u202eb', 'x'.repeat(101)])
      await refused(platform(), [400, 'profile.display_name_invalid'], 'PUT', me, {
        token,
        body: { display_name },
      });
    const changed = await platform().must('PUT', me, { token, body: { display_name: '  Ada Byron ' } });
    proves('route:PUT /api/person/me');
    assert.equal(changed.display_name, 'Ada Byron');
    assert.deepEqual(await platform().must('GET', me, { token }), changed);
  });
});

onEachEngine('the e-mail address of a person', (platform) => {
  const ACT = 'POST /api/person/email';
  const start = async (person: ProvingAccount, new_email: string, proof?: object) =>
    platform().call('POST', '/api/person/email', {
      token: person.token,
      body: { ...(proof ?? (await mailedProof(platform(), person, ACT))), new_email },
    });
  const confirm = ({ token }: { token: string }, code: string) =>
    platform().call('POST', '/api/person/email/confirm', { token, body: { code } });
  const signIn = async (email: string, login_secret: string) =>
    (await platform().call('POST', '/api/person/login', { body: { email, login_secret } })).status;

  test('changes by codes to both addresses, and the one before is free again', async () => {
    const person = await registerPerson(platform());
    const email = freshEmail();
    const alone = await start(person, email, { login_secret: person.loginSecret });
    assert.equal(alone.body.error_key, 'auth.two_factor_required');
    assert.equal((await start(person, email.toUpperCase())).status, 202);
    proves('route:POST /api/person/email');
    assert.match(await lastMail(platform(), person.email), /about to change/);
    assert.equal(await signIn(email, person.loginSecret), 401);
    const confirmed = await confirm(person, await mailedCode(platform(), email));
    assert.deepEqual([confirmed.status, confirmed.body.email], [200, email], confirmed.text);
    proves('route:POST /api/person/email/confirm');
    assert.match(await lastMail(platform(), person.email), /You now sign in to Symbolon with/);
    assert.equal(await signIn(email, person.loginSecret), 200);
    assert.equal(await signIn(person.email, person.loginSecret), 401);
    await registerPerson(platform(), 'Ada', person.email);
    const { items } = await platform().must('GET', '/api/person/history', { token: person.token });
    assert.ok(items.some(({ kind }: { kind: string }) => kind === 'email_changed'));
  });

  test('that has an account shows that to its mailbox alone, and nothing changes', async () => {
    const person = await registerPerson(platform());
    const taken = await registerPerson(platform());
    const [free, used] = [await start(person, freshEmail()), await start(person, taken.email)];
    assert.deepEqual([free.status, free.body], [used.status, used.body]);
    assert.match(await lastMail(platform(), taken.email), /has an account already/);
    assert.equal((await confirm(person, '000000')).body.error_key, 'account.code_invalid');
    const invalid = await start(person, 'nobody');
    assert.deepEqual([invalid.status, invalid.body.error_key], [400, 'account.email_invalid']);
  });

  test('goes to one of those who want it at the same time, and to none who guesses the code', async () => {
    const person = await registerPerson(platform());
    const rival = await registerPerson(platform());
    const email = freshEmail();
    await start(person, email);
    const code = await mailedCode(platform(), email);
    await start(rival, email);
    const other = await mailedCode(platform(), email);
    const both = await Promise.all([confirm(person, code), confirm(rival, other)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
    const late = both.find(({ status }) => status === 409);
    assert.equal(late?.body.error_key, 'account.email_taken');
    const third = await registerPerson(platform());
    const wanted = freshEmail();
    await start(third, wanted);
    const right = await mailedCode(platform(), wanted);
    const wrong = right === '111111' ? '222222' : '111111';
    for (let tries = 0; tries < 5; tries++) await confirm(third, wrong);
    assert.equal((await confirm(third, right)).body.error_key, 'account.code_invalid');
    assert.equal(await signIn(third.email, third.loginSecret), 200);
  });
});
