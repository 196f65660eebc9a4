import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import {
  createField,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import {
  CHALLENGE,
  createApp,
  decide,
  type Opened,
  opened,
  openRequest,
  parametersFor,
  signIn,
  type TestApp,
  told,
} from '@symbolon/testkit/actors/consent';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { beforeNextWrite } from '@symbolon/testkit/platform/overtaking';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const MAIL = [{ name: 'Your mail', type: 'email', required: true, label: 'Mail', suggest: 'email' }];

onPlatform('the consent page', (platform) => {
  const setUp = async (settings: object = {}) => {
    const company = await registerCompany(platform());
    const app = await createApp(platform(), company, settings);
    return { company, app, person: await registerPerson(platform()) };
  };
  const open = (app: TestApp, parameters: Record<string, string> | string = {}) =>
    openRequest(platform(), app, parameters);
  const requests = () =>
    platform().context.database.reader.selectFrom('consent_requests').selectAll().execute();

  test('shows who asks for what, and sends the person back with a code once they approve', async () => {
    const { app, company, person } = await setUp();
    const claims = JSON.stringify(MAIL);
    const answer = await open(app, { mode: 'one_time', state: 'x y&z', claims });
    assert.equal(answer.status, 200, answer.text);
    const { request_id, request_token, expires_at, ...shown } = answer.body;
    assert.ok(request_token);
    assert.deepEqual(shown, {
      mode: 'one_time',
      detached: false,
      app: {
        client_id: app.id,
        name: 'Web shop',
        origin: 'https://shop.example',
        public_key: app.publicKey,
        public_key_sha256: app.record.public_key_sha256,
      },
      company: {
        company_user_id: company.id,
        display_name: 'Acme',
        company_code: company.code,
        level: 'enterprise',
        since: '2026-01-31T09:30:00.000Z',
      },
      service: null,
      claims: [{ ...MAIL[0], verified: false, verified_max_age_days: null, delivery: 'wrapper' }],
      connect: null,
      needs: { two_factor: false, presence: false },
    });
    assert.equal(expires_at, '2026-01-31T09:45:00.000Z');
    const begun = await decide(platform(), person, 'begin', answer.body);
    assert.deepEqual(begun.body, {
      request_id,
      remembered: {},
      connected: false,
      enrolled: false,
      request_fields: [],
    });
    const field_id = await createField(platform(), person, {
      type: 'email',
      slug: 'mail',
      value: 'a@b.example',
    });
    const approved = await decide(platform(), person, 'approve', answer.body, {
      claims: [{ name: 'Your mail', field_id, wrapper: await sealed('a@b.example') }],
    });
    assert.equal(approved.status, 200, approved.text);
    assert.ok(approved.body.redirect_to.startsWith('https://shop.example/cb?tenant=a%20b&code='));
    const { code, ...rest } = told(approved.body.redirect_to);
    assert.ok(code);
    assert.deepEqual(rest, { tenant: 'a b', state: 'x y&z', iss: platform().url });
    const row = await platform()
      .context.database.reader.selectFrom('sign_ins')
      .selectAll()
      .where('client_id', '=', app.id)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.mode, row.redirect_uri, row.share_code, row.two_factor, row.code_challenge, row.attestations],
      ['one_time', app.redirectUri, person.shareCode, 0, CHALLENGE, '{}'],
    );
    assert.equal(await openSealed(JSON.parse(row.claims)['Your mail']), 'a@b.example');

    const again = await opened(platform(), app, { mode: 'one_time', claims });
    const known = await decide(platform(), person, 'begin', again);
    assert.deepEqual(known.body.remembered, { 'Your mail': field_id });
  });

  test('opening it stores nothing; the first person who goes on has the request stored', async () => {
    const { app, person } = await setUp();
    const stored = async () => (await requests()).filter((row) => row.client_id === app.id);
    const request = await opened(platform(), app, { state: 's' });
    const other = await opened(platform(), app, { state: 's' });
    assert.deepEqual(await stored(), []);
    // The token of one request is refused for another, and cannot be changed.
    const { request_token: token } = request;
    const swapped = token.at(-6) === 'A' ? 'B' : 'A';
    for (const request_token of [other.request_token, token.slice(0, -6) + swapped + token.slice(-5)]) {
      const refused = await decide(platform(), person, 'begin', { ...request, request_token });
      assert.deepEqual([refused.status, refused.body.error_key], [404, 'oauth.request_not_found']);
    }
    const eve = await registerPerson(platform());
    const people = [person, eve, person, eve];
    const begun = await Promise.all(people.map((who) => decide(platform(), who, 'begin', request)));
    assert.deepEqual(begun.map(({ status }) => status).sort(), [200, 200, 403, 403]);
    assert.deepEqual(
      (await stored()).map(({ id }) => id),
      [request.request_id],
    );
  });

  test('leads nowhere when it does not know the client or the address to come back to', async () => {
    const { app } = await setUp();
    proves('error:oauth.client_unknown', 'error:oauth.redirect_uri_invalid');
    const [uri] = [app.redirectUri];
    for (const [change, key] of [
      [{ client_id: '' }, 'oauth.client_unknown'],
      [{ client_id: 'app_nobody' }, 'oauth.client_unknown'],
      [{ client_id: `${app.id}x` }, 'oauth.client_unknown'],
      [{ redirect_uri: '' }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: `${uri}/` }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: `${uri}&more=1` }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: 'https://shop.example/cb' }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: 'https://SHOP.example/cb?tenant=a%20b' }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: 'https://shop.example.evil.example/cb' }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: 'https://shop.example@evil.example/cb' }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: 'javascript:alert(1)' }, 'oauth.redirect_uri_invalid'],
      [{ redirect_uri: '//evil.example' }, 'oauth.redirect_uri_invalid'],
    ] as const) {
      // A mistake that a redirect would report must not become one.
      const answer = await open(app, { mode: 'nothing', ...change });
      assert.deepEqual([answer.status, answer.body.error_key], [400, key], JSON.stringify(change));
      assert.equal(answer.body.redirect_to, undefined);
    }
    const twice = `${parametersFor(app)}&redirect_uri=https%3A%2F%2Fevil.example`;
    assert.equal((await open(app, twice)).body.error_key, 'oauth.redirect_uri_invalid');
    const clients = `${parametersFor(app)}&client_id=${app.id}`;
    assert.equal((await open(app, clients)).body.error_key, 'oauth.client_unknown');
    assert.ok(!(await requests()).some((row) => row.client_id === app.id));
  });

  test('tells the app what is wrong with its request, with state and issuer', async () => {
    const { app, company } = await setUp();
    const keyless = await createApp(platform(), company, { public_key: undefined });
    const claim = (more: object) => JSON.stringify([{ name: 'a', type: 'email', ...more }]);
    const oidc = { mode: '', response_type: 'code', response_mode: '', scope: 'openid' };
    const long = 'x'.repeat(limits.consentStateMost + 1);
    proves('limit:consentStateMost', 'limit:claimsMost');
    for (const [change, wrong, asking = app] of [
      [{ mode: '' }, 'parameter mode is missing'],
      [{ mode: 'oidc' }, 'mode must be signin'],
      [{ mode: 'SIGNIN' }, 'mode must be signin'],
      [{ response_mode: 'fragment' }, 'response_mode must be redirect'],
      [{ response_mode: 'query' }, 'response_mode must be redirect'],
      [{ code_challenge_method: 'plain' }, 'code_challenge_method must be S256'],
      [{ code_challenge_method: '' }, 'code_challenge_method must be S256'],
      [{ code_challenge: '' }, 'sent without code_challenge'],
      [{ code_challenge: 'short' }, 'must be 43 characters'],
      [{ state: long }, 'state has more than'],
      [{ claims: 'x' }, 'must be JSON'],
      [{ claims: '{}' }, 'must be a JSON array'],
      [{ claims: '[1]' }, 'claim is malformed'],
      [{ claims: '[{"name":"a"}]' }, 'claim is malformed'],
      [{ claims: claim({ name: ' ' }) }, 'claim is malformed'],
      [{ claims: claim({ type: 'photo' }) }, 'cannot be claimed'],
      [{ claims: claim({ type: 'select' }) }, 'cannot be claimed'],
      [{ claims: claim({ type: 'nothing' }) }, 'cannot be claimed'],
      [{ claims: claim({ plugin: {} }) }, 'claim is malformed'],
      [{ claims: claim({ required: 'yes' }) }, 'claim is malformed'],
      [{ claims: claim({ more: 1 }) }, 'claim is malformed'],
      [{ claims: claim({ verified: true }) }, 'verified is for requests'],
      [{ claims: claim({ verified_max_age_days: 3 }) }, 'sent without verified'],
      [{ claims: claim({}).replace(']', ',{"name":"a","type":"text"}]') }, 'have the same name'],
      [{ claims: JSON.stringify(many(16)) }, 'more than 15 claims'],
      [{ ...oidc, scope: 'openid email', claims: JSON.stringify(many(15)) }, 'more than 15 claims'],
      [{ claims: claim({}) }, 'has no key', keyless],
      [{ ...oidc, response_type: 'token' }, 'unsupported_response_type'],
      [{ ...oidc, response_type: 'code id_token' }, 'unsupported_response_type'],
      [{ ...oidc, scope: '' }, 'invalid_scope'],
      [{ ...oidc, scope: 'email' }, 'invalid_scope'],
      [{ ...oidc, prompt: 'none' }, 'login_required'],
      [{ ...oidc, prompt: 'none login' }, 'cannot be combined'],
      [{ ...oidc, prompt: 'create' }, 'prompt must be'],
      [{ ...oidc, max_age: 'soon' }, 'number of seconds'],
      [{ ...oidc, nonce: 'x'.repeat(501) }, 'nonce has more than 500'],
      [{ mode: '2fa_enroll', claims: claim({}) }, 'takes no claims'],
      [{ ...oidc, claims: '{"userinfo":1}' }, 'is not an object'],
      [{ ...oidc, claims: '{"userinfo":{"email":1}}' }, 'is not an object'],
      [{ ...oidc, claims: claim({ name: 'email', type: 'text' }) }, 'has the type email'],
      [{ ...oidc, claims: claim({ type: 'text', verified: true }) }, 'can be verified'],
      [{ claims: claim({ type: 'plugin' }) }, 'needs a plugin'],
      [{ ...oidc, request: 'x' }, 'request_not_supported'],
      [{ ...oidc, request_uri: 'https://a.example' }, 'request_uri_not_supported'],
      [{ ...oidc, registration: '{}' }, 'registration_not_supported'],
      [{ ...oidc, scope: 'openid email' }, 'has no key', keyless],
    ] as const) {
      const answer = await open(asking, { state: 'the state', ...change });
      assert.equal(answer.status, 200, `${JSON.stringify(change)} ${answer.text}`);
      const { error_description, tenant, ...rest } = told(answer.body.redirect_to);
      const state = 'state' in change ? {} : { state: 'the state' };
      // A word is the error itself, more than one what is said of an invalid request.
      const error = wrong.includes(' ') ? 'invalid_request' : wrong;
      assert.deepEqual(rest, { error, ...state, iss: platform().url }, JSON.stringify(change));
      assert.ok(error === wrong || error_description?.includes(wrong), error_description);
    }
    // They are counted before anything is asked about them.
    const alike = await open(app, { claims: JSON.stringify(Array(16).fill({ name: 'a' })) });
    assert.equal(told(alike.body.redirect_to).error_description, 'There are more than 15 claims.');
    const repeated = await open(app, `${parametersFor(app, { state: 's' })}&mode=signin`);
    assert.equal(told(repeated.body.redirect_to).error, 'invalid_request');
    const states = await open(app, `${parametersFor(app, { state: 's' })}&state=t`);
    assert.deepEqual(
      [told(states.body.redirect_to).error, told(states.body.redirect_to).state],
      ['invalid_request', undefined],
    );
    // One without a value counts as left out, so it repeats none (RFC 6749 3.1).
    for (const empty of ['state=&client_id=&redirect_uri=&mode=', 'nonce=&nonce=']) {
      const query = `?${empty}&${parametersFor(app, { ...oidc, state: 's', prompt: 'none' })}`;
      const { error, state } = told((await open(app, query)).body.redirect_to);
      assert.deepEqual([error, state], ['login_required', 's'], empty);
    }
    assert.ok(!(await requests()).some((row) => row.client_id === app.id));
    for (const most of [
      { claims: JSON.stringify(many(15)) },
      { ...oidc, scope: 'openid email', claims: JSON.stringify(many(14)) },
      { ...oidc, nonce: 'x'.repeat(500) },
      { state: 'x'.repeat(limits.consentStateMost) },
    ])
      assert.ok((await open(app, most)).body.request_id);
  });

  test('ignores parameters that it does not know, and takes a request that is long enough for anything', async () => {
    const { app } = await setUp();
    const unknown = await open(app, `${parametersFor(app)}&utm_source=mail&utm_source=web&constructor=1`);
    assert.equal(unknown.status, 200, unknown.text);
    assert.equal(unknown.body.mode, 'signin');
    const query = `?${'x'.repeat(limits.consentQueryMost)}`;
    proves('limit:consentQueryMost');
    assert.equal((await open(app, query)).body.error_key, 'request.invalid');
  });

  test('asks a public app for PKCE, and no other', async () => {
    const { app } = await setUp({ confidential: false });
    const none = { code_challenge: '', code_challenge_method: '' };
    const refused = await open(app, none);
    assert.equal(told(refused.body.redirect_to).error, 'invalid_request');
    assert.ok((await open(app)).body.request_id);
    const { app: confidential } = await setUp();
    assert.ok((await open(confidential, none)).body.request_id);
  });

  test('a decision that another one overtakes is refused', async (t) => {
    const { app, person } = await setUp();
    const other = await registerPerson(platform());
    const overtaken = async (
      what: 'begin' | 'approve' | 'refuse',
      request: Opened,
      act: () => Promise<unknown>,
      more: object = {},
    ) => {
      beforeNextWrite(t, platform(), act);
      const { status, body } = await decide(platform(), person, what, request, more);
      return [status, body.error_key];
    };
    const first = await opened(platform(), app);
    const begins = () => decide(platform(), other, 'begin', first);
    assert.deepEqual(await overtaken('begin', first, begins), [403, 'oauth.request_owned']);
    // Who has it is noted with the first call.
    const begun = async (parameters: Record<string, string> = {}) => {
      const request = await opened(platform(), app, parameters);
      assert.equal((await decide(platform(), person, 'begin', request)).status, 200);
      return request;
    };
    for (const what of ['approve', 'refuse'] as const) {
      const request = await begun();
      const refuses = () => decide(platform(), person, 'refuse', request);
      assert.deepEqual(await overtaken(what, request, refuses), [409, 'oauth.request_decided'], what);
    }
    const { token } = person;
    const field_id = await createField(platform(), person, {
      type: 'email',
      slug: 'late',
      value: 'a@b.example',
    });
    const wrapper = await sealed('a@b.example');
    const claims = [{ name: MAIL[0]?.name, field_id, wrapper }];
    const asking = await begun({ claims: JSON.stringify(MAIL) });
    const changes = async () =>
      platform().must('PUT', `/api/person/fields/${field_id}`, {
        token,
        body: { value: await sealed('c@d.example') },
      });
    assert.deepEqual(await overtaken('approve', asking, changes, { claims }), [
      409,
      'contact_data.field_changed',
    ]);
  });

  test('a request is the first person’s, is decided once, and ends', async () => {
    const { app, person } = await setUp();
    const other = await registerPerson(platform());
    proves('error:oauth.request_owned', 'error:oauth.request_decided', 'error:oauth.request_not_found');
    const request = await opened(platform(), app);
    await decide(platform(), person, 'begin', request);
    for (const what of ['begin', 'approve', 'refuse'] as const) {
      const stolen = await decide(platform(), other, what, request);
      assert.deepEqual([stolen.status, stolen.body.error_key], [403, 'oauth.request_owned']);
      const wrong = await decide(platform(), person, what, { ...request, request_token: 'guess' });
      assert.deepEqual([wrong.status, wrong.body.error_key], [404, 'oauth.request_not_found']);
      const unknown = await decide(platform(), person, what, {
        ...request,
        request_id: '00000000-0000-7000-8000-000000000000',
      });
      assert.equal(unknown.body.error_key, 'oauth.request_not_found');
    }
    const answers = await Promise.all([1, 2, 3].map(() => decide(platform(), person, 'approve', request)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    for (const what of ['begin', 'approve', 'refuse'] as const) {
      const replayed = await decide(platform(), person, what, request);
      assert.deepEqual([replayed.status, replayed.body.error_key], [409, 'oauth.request_decided']);
    }
    const codes = await platform()
      .context.database.reader.selectFrom('sign_ins')
      .select('id')
      .where('client_id', '=', app.id)
      .execute();
    assert.equal(codes.length, 1);

    const late = await opened(platform(), app);
    platform().clock.advance(limits.consentLifetimeMs);
    proves('error:oauth.request_expired', 'limit:consentLifetimeMs');
    const expired = await decide(platform(), person, 'approve', late);
    assert.deepEqual([expired.status, expired.body.error_key], [410, 'oauth.request_expired']);
    platform().clock.advance(2 * 3_600_000);
    for (const { run } of platform().context.domain.sweeps) await run(new AbortController().signal);
    assert.ok(!(await requests()).some((row) => row.client_id === app.id));
  });

  test('a request ends with its app, its address and its key', async () => {
    const { app, company, person } = await setUp();
    const { token } = company;
    const path = `/api/account/oauth-apps/${app.id}`;
    const gone = [
      await opened(platform(), app),
      await opened(platform(), app),
      await opened(platform(), app),
    ];
    const [first, second, third] = gone as [(typeof gone)[0], (typeof gone)[0], (typeof gone)[0]];
    const moved = { redirect_uris: ['https://shop.example/other'] };
    await platform().must('PUT', path, { token, body: moved });
    const address = await decide(platform(), person, 'approve', first);
    assert.equal(address.body.error_key, 'oauth.redirect_uri_invalid');
    const body = { redirect_uris: [app.redirectUri], public_key: null };
    await platform().must('PUT', path, { token, body });
    const key = await decide(platform(), person, 'approve', second);
    assert.equal(key.body.error_key, 'oauth.request_expired');
    await platform().must('DELETE', path, { token });
    const deleted = await decide(platform(), person, 'approve', third);
    assert.equal(deleted.body.error_key, 'oauth.request_not_found');
  });

  test('a page of another site cannot approve with the person’s cookie', async () => {
    const { app, person } = await setUp();
    const body = { session: 'cookie', email: person.email, login_secret: person.loginSecret };
    const signedIn = await platform().call('POST', '/api/person/login', { body });
    const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    assert.ok(cookie, signedIn.text);
    const { request_id, request_token } = await opened(platform(), app);
    for (const what of ['begin', 'approve', 'refuse']) {
      const path = `/api/consent/requests/${request_id}/${what}`;
      for (const headers of [{ cookie }, { cookie, 'x-csrf-token': 'guess' }]) {
        const crossed = await platform().call('POST', path, { body: { request_token }, headers });
        assert.deepEqual([crossed.status, crossed.body.error_key], [403, 'auth.anti_forgery']);
      }
    }
    const own = { cookie, 'x-csrf-token': signedIn.body.anti_forgery_token };
    const path = `/api/consent/requests/${request_id}/approve`;
    const approved = await platform().call('POST', path, { body: { request_token }, headers: own });
    assert.equal(approved.status, 200, approved.text);
  });

  test('a refusal goes back to the app, and is in the person’s list', async () => {
    const { app, company, person } = await setUp();
    const refused = await decide(platform(), person, 'refuse', await opened(platform(), app, { state: 's' }));
    proves('route:POST /api/consent/requests/{id}/refuse');
    assert.equal(refused.status, 200, refused.text);
    const { error_description, ...rest } = told(refused.body.redirect_to);
    assert.deepEqual(rest, { tenant: 'a b', error: 'access_denied', state: 's', iss: platform().url });
    assert.ok(error_description);
    await decide(platform(), person, 'refuse', await opened(platform(), app), { not_me: true });
    await signIn(platform(), app, person);
    const { sign_ins } = await platform().must('GET', '/api/person/sign-ins', { token: person.token });
    assert.deepEqual(
      sign_ins.map((one: { outcome: string }) => one.outcome),
      ['refused', 'not_me', 'approved'],
    );
    const { sign_in_id, ...last } = sign_ins[2];
    assert.deepEqual(last, {
      app: { client_id: app.id, name: 'Web shop' },
      company: { company_user_id: company.id, display_name: 'Acme', company_code: company.code },
      mode: 'signin',
      outcome: 'approved',
      claims: [],
      two_factor: false,
      detached: false,
      at: last.at,
    });
    const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const disowned = items.filter(
      ({ action }: { action: string }) => action === 'oauth_app.sign_in_disowned',
    );
    assert.deepEqual(
      disowned.map((entry: { target: string; details: object }) => [entry.target, entry.details]),
      [[app.id, { mode: 'signin', detached: false }]],
    );
    assert.ok(!JSON.stringify(items).includes(person.shareCode));

    const other = await registerPerson(platform());
    proves('error:oauth.sign_in_not_found', 'route:DELETE /api/person/sign-ins/{id}');
    const path = `/api/person/sign-ins/${sign_in_id}`;
    const theirs = await platform().call('DELETE', path, { token: other.token });
    assert.deepEqual([theirs.status, theirs.body.error_key], [404, 'oauth.sign_in_not_found']);
    assert.equal((await platform().call('DELETE', path, { token: person.token })).status, 204);
    const after = await platform().must('GET', '/api/person/sign-ins', { token: person.token });
    assert.equal(after.sign_ins[2].outcome, 'revoked');
    const row = await platform()
      .context.database.reader.selectFrom('sign_ins')
      .selectAll()
      .where('client_id', '=', app.id)
      .executeTakeFirstOrThrow();
    assert.ok(row.revoked_at !== null);
    platform().clock.advance(limits.signInRetentionMs);
    for (const { run } of platform().context.domain.sweeps) await run(new AbortController().signal);
    proves('limit:signInRetentionMs');
    const log = platform().context.database.reader.selectFrom('sign_in_log').select('id');
    assert.deepEqual(await log.where('client_id', '=', app.id).execute(), []);
  });
});

function many(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `n${index}`, type: 'text' }));
}
