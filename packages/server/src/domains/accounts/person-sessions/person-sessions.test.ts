import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany, registerPerson, type TestPerson } from '@symbolon/testkit/actors/actors';
import { newPassword } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

onPlatform("a person's session by cookie", (platform) => {
  const signIn = async ({ email, loginSecret: login_secret }: TestPerson) => {
    const answer = await platform().call('POST', '/api/person/login', {
      body: { session: 'cookie', email, login_secret },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' },
    });
    assert.equal(answer.status, 200, answer.text);
    return { answer, ...browserOf(answer.headers.get('set-cookie'), answer.body.anti_forgery_token) };
  };
  const browserOf = (header: string | null, csrf: string) => {
    const cookie = header?.split(';', 1)[0] ?? '';
    return {
      cookie,
      read: { cookie },
      write: { cookie, 'x-csrf-token': csrf },
    };
  };
  const get = (path: string, headers: Record<string, string>) => platform().call('GET', path, { headers });

  test('is in a cookie that no script reads; the answer has no token', async () => {
    const { answer, read } = await signIn(await registerPerson(platform()));
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^symbolon_person=spp_local_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    assert.deepEqual(Object.keys(answer.body).sort(), [
      'anti_forgery_token',
      'encrypted_private_key',
      'expires_at',
      'person',
    ]);
    const session = await get('/api/person/session', read);
    proves('route:GET /api/person/session');
    assert.deepEqual(
      [session.body.anti_forgery_token, session.body.expires_at],
      [answer.body.anti_forgery_token, answer.body.expires_at],
    );
  });

  test('writes only with the anti-forgery token of that very session', async () => {
    const person = await registerPerson(platform());
    const [first, second] = [await signIn(person), await signIn(person)];
    const refused = await platform().call('POST', '/api/person/sign-out', { headers: first.read });
    assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.anti_forgery']);
    const crossed = { ...first.read, 'x-csrf-token': second.answer.body.anti_forgery_token };
    const other = await platform().call('POST', '/api/person/sign-out', { headers: crossed });
    assert.equal(other.body.error_key, 'auth.anti_forgery');
    const done = await platform().call('POST', '/api/person/sign-out', { headers: first.write });
    proves('route:POST /api/person/sign-out');
    assert.equal(done.status, 204, done.text);
    assert.match(done.headers.get('set-cookie') ?? '', /^symbolon_person=; .*Max-Age=0/);
    assert.equal((await get('/api/person/me', first.read)).status, 401);
    assert.equal((await get('/api/person/me', second.read)).status, 200);
  });

  test('reads with the anti-forgery token of another session are refused; whose session it is, is asked without one', async () => {
    const [first, second] = [
      await signIn(await registerPerson(platform())),
      await signIn(await registerPerson(platform())),
    ];
    const crossed = { ...first.read, 'x-csrf-token': second.answer.body.anti_forgery_token };
    for (const path of [
      '/api/person/me',
      '/api/person/fields',
      '/api/person/session',
      '/api/contact-field-types',
    ]) {
      const refused = await get(path, crossed);
      assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.anti_forgery'], path);
      assert.equal((await get(path, first.write)).status, 200, path);
      assert.equal((await get(path, first.read)).status, 200, path);
    }
  });

  test('beside a session of the portal, the token says which of the two asks', async () => {
    const person = await signIn(await registerPerson(platform()));
    const { email, loginSecret: login_secret } = await registerCompany(platform());
    const portal = await platform().call('POST', '/api/portal/sign-in', {
      body: { session: 'cookie', email, login_secret },
    });
    const cookie = `${portal.headers.get('set-cookie')?.split(';', 1)[0]}; ${person.read.cookie}`;
    for (const { answer } of [{ answer: portal }, person]) {
      const token = answer.body.anti_forgery_token as string;
      const found = await get('/api/contact-field-types', { cookie, 'x-csrf-token': token });
      assert.equal(found.status, 200, found.text);
    }
    const neither = await get('/api/contact-field-types', { cookie, 'x-csrf-token': 'x'.repeat(64) });
    assert.equal(neither.body.error_key, 'auth.anti_forgery');
  });

  test('are listed, and end one by one or all but one', async () => {
    const person = await registerPerson(platform());
    const [first, second, third] = [await signIn(person), await signIn(person), await signIn(person)];
    const list = async () => (await get('/api/person/sessions', first.read)).body.items;
    const items = await list();
    assert.deepEqual(
      items.map((one: { user_agent: string; current: boolean }) => [one.user_agent, one.current]),
      [
        ['Firefox on Linux', false],
        ['Firefox on Linux', false],
        ['Firefox on Linux', true],
      ],
    );
    const ended = await platform().call('DELETE', `/api/person/sessions/${items[0].id}`, {
      headers: first.write,
    });
    proves('route:DELETE /api/person/sessions/{id}');
    assert.equal(ended.status, 204, ended.text);
    assert.equal((await get('/api/person/me', third.read)).status, 401);
    const again = await platform().call('DELETE', `/api/person/sessions/${items[0].id}`, {
      headers: first.write,
    });
    assert.equal(again.body.error_key, 'account.session_not_found');
    await platform().call('DELETE', '/api/person/sessions', { headers: first.write });
    proves('route:DELETE /api/person/sessions');
    assert.equal((await get('/api/person/me', second.read)).status, 401);
    proves('route:GET /api/person/sessions');
    assert.equal((await list()).length, 1);
  });

  test('ends after 12 hours without use, and after 30 days', async () => {
    const person = await registerPerson(platform());
    const idle = await signIn(person);
    platform().clock.advance(12 * HOUR);
    const refused = await get('/api/person/me', idle.read);
    assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.expired']);
    const used = await signIn(person);
    for (let hours = 0; hours < 30 * 24 - 11; hours += 11) {
      platform().clock.advance(11 * HOUR);
      assert.equal((await get('/api/person/me', used.read)).status, 200, `after ${hours} hours`);
    }
    platform().clock.advance(5 * HOUR - 1);
    assert.equal((await get('/api/person/me', used.read)).status, 200);
    platform().clock.advance(1);
    assert.equal((await get('/api/person/me', used.read)).status, 401);
    await platform().context.personSessions.dropExpired();
    const left = await platform()
      .context.database.reader.selectFrom('person_sessions')
      .select('id')
      .where('person_id', '=', person.id)
      .execute();
    assert.deepEqual(left, []);
  });

  test('a new password ends all of them; the one that changed it gets a new one', async () => {
    const person = await registerPerson(platform());
    const [own, other] = [await signIn(person), await signIn(person)];
    const changed = await platform().call('PUT', '/api/person/password', {
      headers: own.write,
      body: { current_login_secret: person.loginSecret, ...newPassword() },
    });
    assert.equal(changed.status, 200, changed.text);
    for (const { read } of [own, other]) assert.equal((await get('/api/person/me', read)).status, 401);
    const { read } = browserOf(changed.headers.get('set-cookie'), changed.body.anti_forgery_token);
    assert.equal((await get('/api/person/me', read)).status, 200);
  });

  test('of more than fifty the oldest ends', async () => {
    const person = await registerPerson(platform());
    const first = await signIn(person);
    const second = await signIn(person);
    const row = { id: person.id, epoch: 1 };
    for (let count = 2; count < 51; count++) await platform().context.personSessions.open(row, 'test');
    assert.equal((await get('/api/person/me', first.read)).status, 401);
    assert.equal((await get('/api/person/me', second.read)).status, 200);
    proves('limit:personSessionsMost');
  });

  test('is no bearer token, and a token that was made up is refused', async () => {
    const { cookie } = await signIn(await registerPerson(platform()));
    const token = cookie.split('=')[1] ?? '';
    assert.equal((await platform().call('GET', '/api/person/me', { token })).status, 401);
    const forged = `symbolon_person=spp_local_${'A'.repeat(43)}`;
    assert.equal((await get('/api/person/me', { cookie: forged })).status, 401);
    platform().clock.advance(DAY);
  });

  test('reaches the routes of people beside a session of the portal in the same browser', async () => {
    const { cookie } = await signIn(await registerPerson(platform()));
    const both = { cookie: `symbolon_session=sps_${'A'.repeat(43)}; ${cookie}` };
    assert.equal((await get('/api/person/me', both)).status, 200);
    assert.equal((await get('/api/account', both)).status, 401);
  });
});
