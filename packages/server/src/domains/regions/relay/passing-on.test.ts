import assert from 'node:assert/strict';
import { request as send } from 'node:http';
import { test } from 'node:test';
import { personAccount } from '@symbolon/testkit/actors/accounts';
import { registerCompany, registerPerson, sharedPublicKey } from '@symbolon/testkit/actors/actors';
import { createApp, parametersFor } from '@symbolon/testkit/actors/consent';
import { invitationToken } from '@symbolon/testkit/actors/portal-logins';
import { startRegions, withRegions } from '@symbolon/testkit/platform/regions';
import { bodyDigest } from '../../../http/signed-bodies.ts';

/** A browser's call from one of the addresses of this machine. */
function browse(
  base: string,
  method: string,
  path: string,
  {
    body,
    headers = {},
    from = '127.0.0.1',
  }: { body?: unknown; headers?: Record<string, string>; from?: string } = {},
) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: any };
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const json = body === undefined ? undefined : JSON.stringify(body);
  const call = send(`${base}${path}`, {
    method,
    localAddress: from,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  call.on('error', reject);
  call.on('response', async (response) => {
    let text = '';
    for await (const chunk of response) text += chunk;
    const parsed = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
  });
  call.end(json);
  return promise;
}

const cookiesOf = ({ headers }: { headers: Record<string, string | string[] | undefined> }) =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

withRegions('calls of pages that the front door passes on', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const page = (method: string, path: string, options?: Parameters<typeof browse>[3]) =>
    browse(regions().url, method, path, options);

  test('a person signs in and reads at the front door, wherever the home is', async () => {
    for (const home of [eu(), us()]) {
      const person = await registerPerson(home);
      const body = { email: person.email.toUpperCase(), login_secret: person.loginSecret };
      const signedIn = await page('POST', '/api/person/login', { body });
      assert.equal(signedIn.status, 200);
      const headers = { authorization: `Bearer ${signedIn.body.access_token}` };
      const me = await page('GET', '/api/person/me', { headers });
      assert.deepEqual([me.status, me.body.person_user_id], [200, person.id]);
      const field = { type: 'text', label: 'A', slug: 'a', value: 'readable' };
      const refused = await page('POST', '/api/person/fields', { headers, body: field });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'contact_data.encryption_required']);
      const head = await page('HEAD', '/api/person/me', { headers });
      assert.deepEqual([head.status, head.body], [200, '']);
    }
  });

  test('a session of the portal goes on by its cookie, with the anti-forgery token for what writes', async () => {
    const company = await registerCompany(us());
    const body = { email: company.email, login_secret: company.loginSecret, session: 'cookie' };
    const signedIn = await page('POST', '/api/portal/sign-in', { body });
    assert.equal(signedIn.status, 200);
    const cookie = cookiesOf(signedIn);
    assert.match(cookie, /symbolon_session=sps_/);
    for (let read = 0; read < 2; read++) {
      const account = await page('GET', '/api/account', { headers: { cookie } });
      assert.deepEqual([account.status, account.body.company_user_id], [200, company.id]);
    }
    const forged = await page('POST', '/api/portal/sign-out', { headers: { cookie } });
    assert.deepEqual([forged.status, forged.body.error_key], [403, 'auth.anti_forgery']);
    const token = signedIn.body.anti_forgery_token;
    const left = await page('POST', '/api/portal/sign-out', { headers: { cookie, 'x-csrf-token': token } });
    assert.equal(left.status, 204);
    assert.ok(
      [left.headers['set-cookie'] ?? []].flat().some((set) => /symbolon_session=;.*Max-Age=0/.test(set)),
    );
    const ended = await page('GET', '/api/account', { headers: { cookie } });
    assert.deepEqual([ended.status, ended.body.error_key], [401, 'auth.invalid']);
  });

  test('a person who is signed in by cookie opens the request of an app in another region', async () => {
    const app = await createApp(us(), await registerCompany(us()));
    const person = await registerPerson(eu());
    await regions().settle();
    const body = { email: person.email, login_secret: person.loginSecret, session: 'cookie' };
    const signedIn = await page('POST', '/api/person/login', { body });
    const cookie = cookiesOf(signedIn);
    assert.match(cookie, /symbolon_person=spp_eu_/);
    const query = `?${parametersFor(app)}`;
    const opened = await page('POST', '/api/consent/requests', { headers: { cookie }, body: { query } });
    assert.equal(opened.status, 200, JSON.stringify(opened.body));
    const { request_id, request_token } = opened.body;
    const headers = { cookie, 'x-csrf-token': signedIn.body.anti_forgery_token };
    const decided = await page('POST', `/api/consent/requests/${request_id}/approve`, {
      headers,
      body: { request_token },
    });
    assert.equal(decided.status, 200, JSON.stringify(decided.body));
    assert.ok(new URL(decided.body.redirect_to).searchParams.get('code'));
  });

  test('a session that has ended does not prevent signing in again, nor at an app', async () => {
    const company = await registerCompany(us());
    const app = await createApp(us(), company);
    const body = { email: company.email, login_secret: company.loginSecret, session: 'cookie' };
    const signedIn = await page('POST', '/api/portal/sign-in', { body });
    const portal = cookiesOf(signedIn);
    const headers = { cookie: portal, 'x-csrf-token': signedIn.body.anti_forgery_token };
    assert.equal((await page('POST', '/api/portal/sign-out', { headers })).status, 204);
    // The front door has forgotten where it was.
    regions().clock.advance(2 * 60_000);
    const query = `?${parametersFor(app)}`;
    for (const cookie of [portal, 'symbolon_person=spp_gone_a', 'symbolon_person=a']) {
      const again = await page('POST', '/api/portal/sign-in', { body, headers: { cookie } });
      assert.equal(again.status, 200, cookie);
      const person = { email: company.email, login_secret: company.loginSecret };
      const unknown = await page('POST', '/api/person/login', { body: person, headers: { cookie } });
      assert.equal(unknown.body.error_key, 'auth.credentials_invalid', cookie);
      const opened = await page('POST', '/api/consent/requests', { body: { query }, headers: { cookie } });
      assert.equal(opened.status, 200, cookie);
      const sent = await page('GET', `/oauth2/authorize${query}`, { headers: { cookie } });
      assert.equal(sent.status, 302, cookie);
      const account = await page('GET', '/api/account', { headers: { cookie } });
      assert.equal(account.body.error_key, 'auth.invalid', cookie);
    }
  });

  test('the second step goes to the region whose ticket it is', async () => {
    const started = await page('POST', '/api/person/register', { body: { email: 'new@front.example' } });
    assert.equal(started.status, 202);
    assert.match(started.body.ticket, /^eu_/);
    for (const [ticket, base] of [
      [started.body.ticket, eu().url],
      [`us_${started.body.ticket.slice(3)}`, us().url],
    ]) {
      const account = personAccount(await sharedPublicKey());
      const confirm = { ticket, code: '000000', account };
      const answer = await page('POST', '/api/person/register/confirm', { body: confirm });
      const direct = await browse(base, 'POST', '/api/person/register/confirm', { body: confirm });
      assert.deepEqual([answer.status, answer.body], [direct.status, direct.body]);
      assert.equal(answer.body.error_key, 'account.code_invalid');
    }
  });

  test('an invitation is read at the front door, wherever the company is', async () => {
    const company = await registerCompany(us());
    const email = 'delegate@front.example';
    await us().must('POST', '/api/delegates', {
      token: company.token,
      body: { email, role: 'viewer' },
    });
    const token = await invitationToken(us(), email);
    assert.match(token, /^us_/);
    const told = await page('POST', '/api/portal/invitation', { body: { token } });
    assert.deepEqual([told.status, told.body.email], [200, email]);
  });

  test('a region counts and logs the address of the caller, whatever the caller says', async () => {
    const company = await registerCompany(us());
    const lie = {
      'x-forwarded-for': '127.0.0.9',
      'x-symbolon-source': '127.0.0.9',
      'x-symbolon-relay': 'relay_e30.AAAA',
    };
    const signIn = (from: string) =>
      page('POST', '/api/portal/sign-in', {
        body: { email: company.email, login_secret: Buffer.alloc(32, 1).toString('base64') },
        headers: lie,
        from,
      });
    let throttled = 0;
    for (let tries = 0; tries < 12; tries++) {
      const { status } = await signIn('127.0.0.2');
      if (status === 429) throttled++;
    }
    assert.ok(throttled > 0, 'the address is out of tries');
    assert.equal((await signIn('127.0.0.3')).status, 401, 'another address is not');
  });

  test('a region trusts the front door alone for the address of a caller', async () => {
    const company = await registerCompany(us());
    const url = '/api/account';
    const { peerTokens } = us().context;
    const { relayTokens } = regions().frontDoor;
    const ask = (token: string, path = url) =>
      browse(us().url, 'GET', path, {
        headers: { authorization: `Bearer ${company.token}`, 'x-symbolon-relay': token },
      });
    const call = { method: 'GET', url };
    assert.equal((await ask(relayTokens.mint('us', call, '10.0.0.1'))).status, 200);
    const body = 'x';
    const [last, stale] = [1, 2].map(() => relayTokens.mint('us', call, '10.0.0.1')) as [string, string];
    for (const [what, token] of [
      ['nothing', ''],
      ['nonsense', 'relay_nonsense'],
      ['another region', relayTokens.mint('eu', call, '10.0.0.1')],
      ['another path', relayTokens.mint('us', { method: 'GET', url: '/api/services' }, '10.0.0.1')],
      ['another method', relayTokens.mint('us', { method: 'PUT', url }, '10.0.0.1')],
      ['no address', relayTokens.mint('us', call, 'localhost')],
      ['a call of another region', peerTokens.mint('us', { ...call, body })],
      ['its name alone', peerTokens.mint('us', { ...call, body }).replace('peer_', 'relay_')],
      ['a region', us().context.relayTokens.mint('us', call, '10.0.0.1')],
    ] as const) {
      const { status, body: refusal } = await ask(token);
      assert.deepEqual([status, refusal.error_key], [401, 'auth.invalid'], what);
    }
    regions().clock.advance(60_000);
    assert.equal((await ask(last)).status, 200, 'within a minute');
    regions().clock.advance(1);
    assert.equal((await ask(stale)).status, 401, 'after a minute');
    const asPeer = await browse(us().url, 'POST', '/internal/sessions/known', {
      body: { token: 'x' },
      headers: {
        authorization: `Bearer ${relayTokens.mint('us', { method: 'POST', url: '/internal/sessions/known' }, '10.0.0.1')}`,
      },
    });
    assert.equal(asPeer.status, 401, 'it opens nothing');
  });

  test('a call of a region is not passed on for a caller', async () => {
    const { peerTokens } = us().context;
    const actingFor = { kind: 'operator', mayAct: true } as const;
    const token = peerTokens.mint(
      'us',
      { method: 'GET', url: '/api/person/me', body: bodyDigest('') },
      actingFor,
    );
    const answer = await page('GET', '/api/person/me', { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.invalid']);
  });

  test('sign-in clients and consent reach the home of the app', async () => {
    const company = await registerCompany(us());
    const app = await us().must('POST', '/api/account/oauth-apps', {
      token: company.token,
      body: { name: 'Site', redirect_uris: ['https://site.example/cb'] },
    });
    const query = `client_id=${app.client_id}&redirect_uri=x&response_type=code`;
    for (const path of [`/oauth2/result-not-there?${query}`, `/api/consent/nothing?${query}`]) {
      const answer = await page('GET', path);
      assert.notEqual(answer.status, 421, path);
    }
    const other = await page('GET', '/api/contact-field-types');
    assert.equal(other.status, 421, 'what is no call of a page is for the region');
  });
});

test('a region that is away is unavailable, and the others go on', async () => {
  await using regions = await startRegions('sqlite', ['eu', 'us']);
  const [ada, bea] = [await registerPerson(regions.region('eu')), await registerPerson(regions.region('us'))];
  const login = await registerCompany(regions.region('us'));
  const signIn = { email: login.email, login_secret: login.loginSecret };
  const signInAt = (session: string) =>
    browse(regions.url, 'POST', '/api/portal/sign-in', { body: { ...signIn, session } });
  const cookie = cookiesOf(await signInAt('cookie'));
  await regions.region('us').stop();
  const me = (token: string) =>
    browse(regions.url, 'GET', '/api/person/me', { headers: { authorization: `Bearer ${token}` } });
  const away = await me(bea.token);
  assert.deepEqual([away.status, away.body.error_key], [503, 'region.unavailable']);
  assert.ok(Number(away.headers['retry-after']) > 0);
  assert.equal((await me(ada.token)).status, 200);
  const who = (headers: Record<string, string>) =>
    browse(regions.url, 'GET', '/api/portal/session', { headers });
  for (const answer of [await signInAt('cookie'), await who({ cookie })])
    assert.deepEqual([answer.status, answer.body.error_key], [503, 'region.unavailable']);
  await regions.region('eu').stop();
  const nobody = [await who({}), await browse(regions.url, 'GET', '/api/person/session')];
  for (const { status, body } of nobody)
    assert.deepEqual([status, body.error_key], [401, 'auth.invalid'], 'there is no session');
});
