import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { shortUserAgent } from '../../../access/user-agent.ts';

const HOUR = 3_600_000;

async function signInByCookie(platform: TestPlatform, headers: Record<string, string> = {}) {
  const { email, loginSecret: login_secret, token } = await registerCompany(platform);
  const answer = await platform.call('POST', '/api/portal/sign-in', {
    body: { email, login_secret, session: 'cookie' },
    headers,
  });
  assert.equal(answer.status, 200, answer.text);
  const setCookie = answer.headers.get('set-cookie') ?? '';
  return {
    answer,
    setCookie,
    cookie: setCookie.split(';', 1)[0] ?? '',
    antiForgery: answer.body.anti_forgery_token as string,
    bearer: token,
  };
}

onPlatform('a session by cookie', (platform) => {
  test('is a cookie that no script reads, and no token in the body', async () => {
    const { answer, setCookie, cookie } = await signInByCookie(platform());
    assert.match(
      setCookie,
      /^symbolon_session=sps_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    );
    assert.deepEqual(Object.keys(answer.body), [
      'anti_forgery_token',
      'expires_at',
      'company',
      'login',
      'encrypted_private_key',
      'key',
    ]);
    assert.ok(!answer.text.includes(cookie.split('=')[1] ?? ''));
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  test('reads with the cookie alone, and tells a page its anti-forgery token', async () => {
    const { cookie, antiForgery } = await signInByCookie(platform());
    const answer = await platform().call('GET', '/api/portal/session', { headers: { cookie } });
    proves('route:GET /api/portal/session');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.anti_forgery_token, antiForgery);
    assert.deepEqual([answer.body.login.role, answer.body.login.company_login], ['owner', true]);
  });

  test('writes only with the anti-forgery token of that very session', async () => {
    const { cookie, antiForgery } = await signInByCookie(platform());
    const other = await signInByCookie(platform());
    const write = (headers: Record<string, string>) =>
      platform().call('DELETE', '/api/account/sessions', { headers: { cookie, ...headers } });
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'x'.repeat(64) },
      { 'x-csrf-token': antiForgery.slice(0, -1) },
      { 'x-csrf-token': other.antiForgery },
    ]) {
      const refused = await write(headers);
      assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.anti_forgery']);
    }
    assert.equal((await write({ 'x-csrf-token': antiForgery })).status, 204);
  });

  test('drains only with the anti-forgery token: a link of anyone’s is a GET too', async () => {
    const { cookie, antiForgery } = await signInByCookie(platform());
    const drain = (headers: Record<string, string>) =>
      platform().call('GET', '/api/customer/changes', { headers: { cookie, ...headers } });
    proves('error:auth.anti_forgery');
    assert.equal((await drain({})).body.error_key, 'auth.anti_forgery');
    assert.equal((await drain({ 'x-csrf-token': antiForgery })).status, 200);
  });

  test('is good as a cookie only, and a bearer token as a bearer only', async () => {
    const { cookie, bearer } = await signInByCookie(platform());
    const asBearer = await platform().call('GET', '/api/account', { token: cookie.split('=')[1] ?? '' });
    const asCookie = await platform().call('GET', '/api/account', {
      headers: { cookie: `symbolon_session=${bearer}` },
    });
    for (const answer of [asBearer, asCookie])
      assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.invalid']);
  });

  test('gives way to an Authorization header, which needs no anti-forgery token', async () => {
    const { cookie, bearer } = await signInByCookie(platform());
    const answer = await platform().call('POST', '/api/portal/sign-out', {
      token: bearer,
      headers: { cookie },
    });
    assert.equal(answer.status, 204);
    const still = await platform().call('GET', '/api/account', { headers: { cookie } });
    assert.equal(still.status, 200);
  });

  test('ends at sign-out, which takes the cookie away', async () => {
    const { cookie, antiForgery } = await signInByCookie(platform());
    const out = await platform().call('POST', '/api/portal/sign-out', {
      headers: { cookie, 'x-csrf-token': antiForgery },
    });
    assert.equal(out.status, 204);
    assert.match(out.headers.get('set-cookie') ?? '', /^symbolon_session=; Path=\/; Max-Age=0;/);
    const after = await platform().call('GET', '/api/account', { headers: { cookie } });
    assert.equal(after.body.error_key, 'auth.invalid');
  });

  test('a cookie session ends after an idle hour, and one in use ends after twelve hours', async () => {
    const { cookie, bearer } = await signInByCookie(platform());
    const read = () => platform().call('GET', '/api/account', { headers: { cookie } });
    platform().clock.advance(HOUR - 1);
    assert.equal((await read()).status, 200);
    platform().clock.advance(HOUR - 1);
    assert.equal((await read()).status, 200);
    platform().clock.advance(HOUR);
    const idle = await read();
    assert.deepEqual([idle.status, idle.body.error_key], [401, 'auth.expired']);
    // A program's token may rest for longer.
    assert.equal((await platform().call('GET', '/api/account', { token: bearer })).status, 200);
    platform().clock.advance(4 * HOUR);
    const rested = await platform().call('GET', '/api/account', { token: bearer });
    assert.equal(rested.body.error_key, 'auth.expired');

    const lasting = await signInByCookie(platform());
    for (let quarters = 0; quarters <= 48; quarters += 3) {
      const answer = await platform().call('GET', '/api/account', { headers: { cookie: lasting.cookie } });
      if (quarters < 48) assert.equal(answer.status, 200, `after ${quarters} quarters of an hour`);
      else assert.equal(answer.body.error_key, 'auth.expired');
      platform().clock.advance((3 / 4) * HOUR);
    }
    await platform().context.portal.dropExpired();
    const rows = await platform()
      .context.database.reader.selectFrom('portal_sessions')
      .selectAll()
      .where('expires_at', '<=', platform().clock.now())
      .execute();
    assert.equal(rows.length, 0);
  });
});

for (const [how, settings] of [
  ['by https', { SYMBOLON_PUBLIC_URL: 'https://symbolon.example' }],
  [
    'by a front door that takes https',
    { SYMBOLON_PUBLIC_URL: 'http://10.0.0.5:8080', SYMBOLON_FRONT_DOOR_URL: 'https://symbolon.example' },
  ],
] as const) {
  onPlatform(
    `a cookie of a platform reached ${how}`,
    (platform) => {
      test('is Secure, and bound to its host', async () => {
        const { setCookie, cookie } = await signInByCookie(platform());
        assert.match(setCookie, /^__Host-symbolon_session=.*; HttpOnly; SameSite=Lax; Secure$/);
        assert.equal((await platform().call('GET', '/api/account', { headers: { cookie } })).status, 200);
        // Another host of the domain could have planted this one.
        const planted = cookie.replace('__Host-', '');
        const refused = await platform().call('GET', '/api/account', { headers: { cookie: planted } });
        assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.invalid']);
      });
    },
    settings,
  );
}

onPlatform('the sessions of a login', (platform) => {
  test('are listed, and end one by one or all but one', async () => {
    const company = await registerCompany(platform());
    const signIn = async (userAgent: string) =>
      platform().must('POST', '/api/portal/sign-in', {
        body: { email: company.email, login_secret: company.loginSecret },
        headers: { 'user-agent': userAgent },
      });
    const firefox = await signIn('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
    const curl = await signIn('curl/8.5.0');
    platform().clock.advance(60_000);
    const list = async (token: string) =>
      (await platform().must('GET', '/api/account/sessions', { token })).items;
    const items = await list(firefox.token);
    proves('route:GET /api/account/sessions');
    assert.deepEqual(
      items.map((item: { user_agent: string; current: boolean }) => [item.user_agent, item.current]),
      [
        ['curl/8.5.0', false],
        ['Firefox on Linux', true],
        ['node', false],
      ],
    );
    assert.equal(items[1].last_seen_at, new Date(platform().clock.now()).toISOString());
    assert.ok(!JSON.stringify(items).includes('sps_'));

    const end = (token: string, id: string) =>
      platform().call('DELETE', `/api/account/sessions/${id}`, { token });
    assert.equal((await end(firefox.token, items[0].id)).status, 204);
    proves('route:DELETE /api/account/sessions/{id}');
    const gone = await platform().call('GET', '/api/account', { token: curl.token });
    assert.equal(gone.body.error_key, 'auth.invalid');
    const stranger = await registerCompany(platform());
    const foreign = await end(stranger.token, items[1].id);
    proves('error:account.session_not_found');
    assert.deepEqual([foreign.status, foreign.body.error_key], [404, 'account.session_not_found']);

    assert.equal(
      (await platform().call('DELETE', '/api/account/sessions', { token: firefox.token })).status,
      204,
    );
    proves('route:DELETE /api/account/sessions');
    assert.equal((await list(firefox.token)).length, 1);
    assert.equal((await platform().call('GET', '/api/account', { token: company.token })).status, 401);
  });
});

test('a user agent is described in everyday words', () => {
  for (const [header, told] of [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['symbolon/0.1.0 (node)', 'symbolon/0.1.0'],
    ['<script>alert(1)</script>', 'scriptalert1/script'],
    [undefined, 'unknown'],
  ] as const)
    assert.equal(shortUserAgent(header), told);
});
