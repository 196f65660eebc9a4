import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import {
  CHALLENGE,
  createApp,
  decide,
  opened,
  openRequest,
  pollResult,
  type TestApp,
} from '@symbolon/testkit/actors/consent';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { breakAnswers } from '@symbolon/testkit/platform/broken-answers';
import { onPlatform, startPlatform } from '@symbolon/testkit/platform/platform';

const DETACHED = { response_mode: 'detached' };
let states = 0;
const newState = () => `state-of-16-chars-${++states}`;

onPlatform('a detached sign-in', (platform) => {
  const setUp = async (settings: object = {}) => {
    const company = await registerCompany(platform());
    const app = await createApp(platform(), company, settings);
    return { company, app, person: await registerPerson(platform()), state: newState() };
  };
  const poll = (app: TestApp, state: string, more = {}) => pollResult(platform(), app, state, more);

  test('is pending before anybody opened the link and until it is decided, and gives its code once', async () => {
    const { app, person, state } = await setUp();
    const before = await poll(app, state);
    proves('route:POST /oauth2/result');
    assert.deepEqual([before.status, before.body], [202, { status: 'pending' }]);
    assert.equal(before.headers.get('cache-control'), 'no-store');
    const request = await opened(platform(), app, { ...DETACHED, state });
    assert.deepEqual((await poll(app, state)).body, before.body);
    await decide(platform(), person, 'begin', request);
    assert.equal((await poll(app, state)).status, 202);
    const approved = await decide(platform(), person, 'approve', request);
    assert.deepEqual([approved.status, approved.body], [200, { detached: true }], approved.text);
    const { database } = platform().context;
    const rows = await database.reader.selectFrom('consent_requests').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(state), 'the state is stored');
    const told = await poll(app, state);
    assert.equal(told.status, 200, told.text);
    const { code, ...rest } = told.body;
    assert.deepEqual(rest, { state });
    assert.ok(!JSON.stringify(rows).includes(code), 'the code is stored');
    for (const again of [await poll(app, state), await poll(app, state)]) {
      proves('error:oauth.result_expired');
      assert.deepEqual([again.status, again.body.error_key], [410, 'oauth.result_expired']);
    }
  });

  test('is closed to a public app until its company opens it, and nothing is stored', async () => {
    const { app, company, state } = await setUp({ app_type: 'public' });
    assert.equal(app.record.detached, false);
    const refused = await openRequest(platform(), app, { ...DETACHED, state });
    proves('error:oauth.detached_off');
    assert.deepEqual([refused.status, refused.body.error_key], [403, 'oauth.detached_off']);
    assert.deepEqual((await poll(app, state)).body, { status: 'pending' });
    const redirected = await openRequest(platform(), app, {});
    assert.equal(redirected.status, 200, 'the redirect is as it was');
    const on = await platform().must('PUT', `/api/account/oauth-apps/${app.id}`, {
      token: company.token,
      body: { redirect_uris: [app.redirectUri], detached: true },
    });
    assert.equal(on.detached, true);
    assert.equal((await openRequest(platform(), app, { ...DETACHED, state })).status, 200);
  });

  test('of a public app is approved with the digits of the screen alone; the third wrong entry refuses', async () => {
    const { app, person, state } = await setUp({ app_type: 'public', detached: true });
    const request = await openRequest(platform(), app, { ...DETACHED, state });
    assert.equal(request.body.needs.digits, true);
    const { digits } = (await poll(app, state)).body;
    assert.match(digits, /^\d\d$/);
    const wrong = String((Number(digits) + 1) % 100).padStart(2, '0');
    const without = await decide(platform(), person, 'approve', request.body);
    proves('error:oauth.digits_required');
    assert.deepEqual([without.status, without.body.error_key], [400, 'oauth.digits_required']);
    const approve = (typed: string) => decide(platform(), person, 'approve', request.body, { digits: typed });
    for (const left of [2, 1]) {
      const answer = await approve(wrong);
      proves('error:oauth.digits_wrong');
      const { error_key, tries_left } = answer.body;
      assert.deepEqual([answer.status, error_key, tries_left], [400, 'oauth.digits_wrong', left]);
    }
    assert.deepEqual((await approve(wrong)).body.tries_left, 0);
    assert.equal((await approve(digits)).body.error_key, 'oauth.request_decided');
    assert.equal((await poll(app, state)).body.error_key, 'oauth.access_denied');

    const next = newState();
    const again = await opened(platform(), app, { ...DETACHED, state: next });
    const shown = (await poll(app, next)).body.digits;
    const approved = await decide(platform(), person, 'approve', again, { digits: shown });
    assert.equal(approved.status, 200, approved.text);
    assert.equal(typeof (await poll(app, next)).body.code, 'string');
  });

  test('of a confidential app shows and asks no digits, and its company can close it', async () => {
    const { app, company, state } = await setUp();
    assert.equal(app.record.detached, true);
    const request = await openRequest(platform(), app, { ...DETACHED, state });
    assert.equal(request.body.needs.digits, undefined);
    assert.deepEqual((await poll(app, state)).body, { status: 'pending' });
    await platform().must('PUT', `/api/account/oauth-apps/${app.id}`, {
      token: company.token,
      body: { redirect_uris: [app.redirectUri], detached: false },
    });
    const refused = await openRequest(platform(), app, { ...DETACHED, state: newState() });
    assert.equal(refused.body.error_key, 'oauth.detached_off');
  });

  test('gives its code to one of 200 polls that come at once', async () => {
    const { app, person, state } = await setUp();
    await decide(platform(), person, 'approve', await opened(platform(), app, { ...DETACHED, state }));
    const answers = await Promise.all(Array.from({ length: 200 }, () => poll(app, state)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 410));
  });

  test('gives its code to the next poll when the socket of one breaks', async () => {
    const { app, person, state } = await setUp();
    await decide(platform(), person, 'approve', await opened(platform(), app, { ...DETACHED, state }));
    const stop = breakAnswers(platform());
    try {
      for (let round = 0; round < 3; round++) await assert.rejects(poll(app, state), /ECONNRESET/);
    } finally {
      stop();
    }
    assert.equal((await poll(app, state)).status, 200);
    assert.equal((await poll(app, state)).status, 410);
  });

  test('is nothing to a client that is not the app, and nothing is used up by it', async () => {
    const { app, company, person, state } = await setUp();
    const other = await createApp(platform(), company);
    const open = await createApp(platform(), company, { confidential: false });
    await decide(platform(), person, 'approve', await opened(platform(), app, { ...DETACHED, state }));
    for (const more of [
      { client_secret: 'wrong' },
      { client_secret: '' },
      { client_secret: other.secret ?? '' },
      { client_id: 'app_nobody' },
      { client_id: open.id },
    ]) {
      const refused = await poll(app, state, more);
      const told = [refused.status, refused.body.error, refused.body.error_key];
      assert.deepEqual(told, [401, 'invalid_client', 'invalid_client'], JSON.stringify(more));
    }
    // The state of one app is no state of another.
    assert.equal((await poll(other, state)).status, 202);
    assert.equal((await poll(open, state)).status, 202);
    for (const form of [
      `client_id=${app.id}`,
      `state=${state}`,
      `client_id=${app.id}&state=${state}&state=x`,
    ]) {
      const malformed = await platform().call('POST', '/oauth2/result', { body: new URLSearchParams(form) });
      assert.deepEqual([malformed.status, malformed.body.error_key], [400, 'invalid_request'], form);
    }
    const json = await platform().call('POST', '/oauth2/result', { body: { client_id: app.id, state } });
    assert.deepEqual([json.status, json.body.error_key], [400, 'invalid_request']);
    const secret = { client_id: app.id, client_secret: app.secret ?? '', state };
    const body = new URLSearchParams(`state=&client_secret=&${new URLSearchParams(secret)}&client_id=`);
    assert.equal((await platform().call('POST', '/oauth2/result', { body })).status, 200);
  });

  test('that is refused says so, again and again', async () => {
    const { app, person, state } = await setUp();
    const request = await opened(platform(), app, { ...DETACHED, state });
    const refused = await decide(platform(), person, 'refuse', request, { not_me: true });
    assert.deepEqual(refused.body, { detached: true });
    proves('error:oauth.access_denied');
    for (const told of [await poll(app, state), await poll(app, state)]) {
      assert.deepEqual(
        [told.status, told.body.error, told.body.error_key],
        [400, 'access_denied', 'oauth.access_denied'],
      );
    }
  });

  test('ends 900 seconds after it was opened, and then its state is unknown', async () => {
    const { app, person, state } = await setUp();
    const request = await opened(platform(), app, { ...DETACHED, state });
    platform().clock.advance(limits.consentLifetimeMs - 1);
    assert.equal((await poll(app, state)).status, 202);
    platform().clock.advance(1);
    assert.equal((await poll(app, state)).body.error_key, 'oauth.result_expired');
    const late = await openRequest(platform(), app, { ...DETACHED, state });
    assert.deepEqual([late.status, late.body.error_key], [410, 'oauth.request_expired']);
    assert.equal((await decide(platform(), person, 'approve', request)).status, 410);
  });

  test('is what its first opening says, and the first person’s who begins it', async () => {
    const { app, person, state } = await setUp();
    const eve = await registerPerson(platform());
    const request = await opened(platform(), app, { ...DETACHED, state });
    assert.deepEqual(await opened(platform(), app, { ...DETACHED, state }), request);
    proves('error:oauth.state_taken', 'limit:detachedStateLeast');
    for (const change of [
      { mode: 'one_time' },
      { code_challenge: CHALLENGE.replace(/^./, 'x') },
      { redirect_uri: '' },
      { claims: JSON.stringify([{ name: 'a', type: 'text' }]) },
    ]) {
      const other = await openRequest(platform(), app, { ...DETACHED, state, ...change });
      assert.deepEqual(
        [other.status, other.body.error_key],
        [409, 'oauth.state_taken'],
        JSON.stringify(change),
      );
    }
    await decide(platform(), eve, 'begin', request);
    const late = await decide(platform(), person, 'begin', request);
    assert.deepEqual([late.status, late.body.error_key], [403, 'oauth.request_owned']);
    for (const short of ['', 'x'.repeat(limits.detachedStateLeast - 1)]) {
      const refused = await openRequest(platform(), app, { ...DETACHED, state: short });
      assert.deepEqual([refused.status, refused.body.error_key], [400, 'invalid_request']);
    }
    const shortest = newState().padEnd(limits.detachedStateLeast, 'x').slice(0, limits.detachedStateLeast);
    assert.ok((await opened(platform(), app, { ...DETACHED, state: shortest })).request_id);
    const together = newState();
    const openings = await Promise.all(
      [1, 2, 3].map(() => opened(platform(), app, { ...DETACHED, state: together })),
    );
    assert.equal(new Set(openings.map(({ request_id }) => request_id)).size, 1);
  });

  test('needs no address to come back to, and names where the app is', async () => {
    const { app, state } = await setUp();
    const answer = await openRequest(platform(), app, { ...DETACHED, state, redirect_uri: '' });
    assert.deepEqual([answer.body.detached, answer.body.app.origin], [true, 'https://shop.example']);
  });

  test('uses nothing up while saving is paused', async () => {
    const { app, person, state } = await setUp();
    await decide(platform(), person, 'approve', await opened(platform(), app, { ...DETACHED, state }));
    const { maintenance, database } = platform().context;
    const pause = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'writes_paused', on, null));
      await maintenance.apply();
    };
    await pause(true);
    try {
      const paused = await poll(app, state);
      assert.deepEqual([paused.status, paused.body.error_key], [503, 'db.writes_paused']);
    } finally {
      await pause(false);
    }
    assert.equal((await poll(app, state)).status, 200);
  });

  test('a public app fetches it with the state alone', async () => {
    const { app, person, state } = await setUp({ confidential: false, detached: true });
    const request = await opened(platform(), app, { ...DETACHED, state });
    const { digits } = (await poll(app, state)).body;
    await decide(platform(), person, 'approve', request, { digits });
    assert.equal((await poll(app, state, { client_secret: 'x' })).status, 401);
    assert.equal((await poll(app, state)).status, 200);
  });
});

test('polls of an open state are limited for it alone, all others for address and app', async () => {
  await using platform = await startPlatform('sqlite', {
    SYMBOLON_RATE_POLLS: '3',
    SYMBOLON_RATE_UNOPENED: '4',
    SYMBOLON_RATE_CONSENT: '3',
  });
  proves('rate:unopened', 'rate:consent');
  const app = await createApp(platform, await registerCompany(platform));
  const [first, second] = [newState(), newState()];
  await opened(platform, app, { ...DETACHED, state: first });
  await opened(platform, app, { ...DETACHED, state: second });
  for (const state of [first, second]) {
    const statuses: number[] = [];
    for (let poll = 0; poll < 4; poll++) statuses.push((await pollResult(platform, app, state)).status);
    assert.deepEqual(statuses, [202, 202, 202, 429]);
  }
  const unknown: number[] = [];
  for (let poll = 0; poll < 5; poll++) unknown.push((await pollResult(platform, app, newState())).status);
  assert.deepEqual(unknown, [202, 202, 202, 202, 429]);
  const wrong = await pollResult(platform, app, first, { client_secret: 'wrong' });
  assert.equal(wrong.status, 429);
  await openRequest(platform, app);
  assert.equal((await openRequest(platform, app)).status, 429);
});
