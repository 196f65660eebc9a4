import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createField,
  openSealed,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
} from '@symbolon/testkit/actors/actors';
import { createApp, type TestApp } from '@symbolon/testkit/actors/consent';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegions } from '@symbolon/testkit/platform/regions';
import * as client from 'openid-client';

/*
 * A standard library completes a sign-in, knowing one base URL: discovery, PKCE, the exchange and userinfo. What the person
 * does on the page is done here by its calls.
 */

const REDIRECT_URI = 'https://shop.example/cb';

/** Where the library and the page call. */
interface Front {
  readonly url: string;
  readonly call: TestPlatform['call'];
}

async function discover(
  { url }: Front,
  app: TestApp,
  now: number,
  settings: { auth?: client.ClientAuth; algorithm?: string } = {},
): Promise<client.Configuration> {
  const metadata = {
    ...(app.secret === null ? {} : { client_secret: app.secret }),
    id_token_signed_response_alg: settings.algorithm ?? 'RS256',
    // The platform of a test has a clock of its own.
    [client.clockSkew]: Math.round((now - Date.now()) / 1000),
    [client.clockTolerance]: 30,
  };
  return client.discovery(new URL(url), app.id, metadata, settings.auth, {
    execute: [client.allowInsecureRequests],
  });
}

/** A person follows the link to the page, approves, and comes back. */
async function approve(front: Front, person: TestPerson, to: URL): Promise<URL> {
  const page = await fetch(to, { redirect: 'manual' });
  assert.equal(page.status, 302);
  const query = new URL(page.headers.get('location') ?? '', front.url).search;
  const opened = await front.call('POST', '/api/consent/requests', { body: { query } });
  assert.equal(opened.status, 200, opened.text);
  const { request_id: id, request_token, claims } = opened.body;
  const decide = (what: string, body: object) =>
    front.call('POST', `/api/consent/requests/${id}/${what}`, {
      token: person.token,
      body: { request_token, ...body },
    });
  const begun = await decide('begin', {});
  assert.equal(begun.status, 200, begun.text);
  const answers = await Promise.all(
    (claims as { name: string }[]).map(async ({ name }) => ({
      name,
      wrapper: await sealed(`${name} of Ada`),
    })),
  );
  const approved = await decide('approve', { claims: answers });
  assert.equal(approved.status, 200, approved.text);
  return new URL(approved.body.redirect_to);
}

/** The whole way. */
async function signIn(front: Front, config: client.Configuration, app: TestApp, person: TestPerson) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    claims: JSON.stringify([{ name: 'city', type: 'text' }]),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const back = await approve(front, person, url);
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  const claims = tokens.claims();
  assert.ok(claims);
  assert.equal(claims.sub, person.shareCode);
  assert.equal(claims.aud, app.id);
  const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  assert.equal(info.share_code, person.shareCode);
  assert.equal(info.two_factor, false);
  const values = info.values as Record<string, Parameters<typeof openSealed>[0]> | undefined;
  assert.ok(values?.city);
  assert.equal(await openSealed(values.city), 'city of Ada');
  return { back, tokens };
}

onPlatform('openid-client', (platform) => {
  const setUp = async (settings: object = {}) => {
    const company = await registerCompany(platform());
    const app = await createApp(platform(), company, { redirect_uris: [REDIRECT_URI], ...settings });
    return { app, person: await registerPerson(platform(), 'Ada') };
  };
  const now = () => platform().clock.now();

  for (const [how, auth] of [
    ['in the form', (app: TestApp) => client.ClientSecretPost(app.secret ?? '')],
    ['by Basic', (app: TestApp) => client.ClientSecretBasic(app.secret ?? '')],
  ] as const) {
    test(`signs a person in at a confidential app, with the secret ${how}`, async () => {
      const { app, person } = await setUp();
      const config = await discover(platform(), app, now(), { auth: auth(app) });
      await signIn(platform(), config, app, person);
    });
  }

  test('signs a person in at a public app, and one whose tokens are under EdDSA', async () => {
    const phone = await setUp({ app_type: 'public' });
    const none = await discover(platform(), phone.app, now(), { auth: client.None() });
    await signIn(platform(), none, phone.app, phone.person);
    const { app, person } = await setUp({ id_token_signed_response_alg: 'EdDSA' });
    const config = await discover(platform(), app, now(), { algorithm: 'EdDSA' });
    await signIn(platform(), config, app, person);
  });

  test('refuses an answer of another issuer, and a code that was injected', async () => {
    const { app, person } = await setUp();
    const config = await discover(platform(), app, now());
    const { back } = await signIn(platform(), config, app, person);
    const mixed = new URL(back);
    mixed.searchParams.set('iss', 'https://elsewhere.example');
    await assert.rejects(
      client.authorizationCodeGrant(config, mixed, { expectedState: client.skipStateCheck }),
    );
    await assert.rejects(
      client.authorizationCodeGrant(config, back, {
        expectedState: back.searchParams.get('state') ?? '',
        pkceCodeVerifier: client.randomPKCECodeVerifier(),
      }),
      { error: 'invalid_grant' },
    );
  });
});

withRegions('openid-client at the front door', ['eu', 'us'], (regions) => {
  for (const [home, other] of [
    ['eu', 'us'],
    ['us', 'eu'],
  ] as const) {
    test(`signs a person of ${home} in at an app of ${other}, and checks the token by the keys of all regions`, async () => {
      const company = await registerCompany(regions().region(other));
      const app = await createApp(regions().region(other), company, { redirect_uris: [REDIRECT_URI] });
      const person = await registerPerson(regions().region(home), 'Ada');
      await createField(regions().region(home), person, { type: 'text', slug: 'city', value: 'Bern' });
      await regions().settle();
      const { url, clock } = regions();
      const call: TestPlatform['call'] = (method, path, given = {}) =>
        regions().region(home).call.call({ url }, method, path, given);
      const config = await discover({ url, call }, app, clock.now());
      assert.equal(config.serverMetadata().issuer, url);
      const { tokens } = await signIn({ url, call }, config, app, person);
      assert.equal(tokens.claims()?.iss, url);
      const { keys } = (await call('GET', '/oauth2/jwks')).body;
      assert.ok(keys.length > 0);
    });
  }

  test('the front door still publishes the keys of a region that is away', async () => {
    const known = async () =>
      ((await (await fetch(`${regions().url}/oauth2/jwks`)).json()) as { keys: unknown[] }).keys.length;
    regions().clock.advance(10_000);
    const before = await known();
    assert.ok(before >= 2);
    await regions().region('us').stop();
    regions().clock.advance(10_000);
    assert.equal(await known(), before);
  });
});
