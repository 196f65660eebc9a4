import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { codeFor, createApp, exchange, type TestApp } from '@symbolon/testkit/actors/sign-ins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { OPERATOR, onPlatform } from '@symbolon/testkit/platform/platform';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Database } from '../../../db/database.ts';
import { SigningKeys } from './signing-keys.ts';

const DAY_MS = 86_400_000;

onPlatform('the keys of id_tokens', (platform) => {
  const app = async (settings = {}) => createApp(platform(), await registerCompany(platform()), settings);
  const idToken = async (shop: TestApp): Promise<string> => {
    const { body } = await exchange(platform(), shop, await codeFor(platform(), shop));
    return body.id_token;
  };
  const kidOf = (token: string) => decodeProtectedHeader(token).kid;
  const published = async (): Promise<JSONWebKeySet> => {
    const answer = await platform().call('GET', '/oauth2/jwks');
    // Without a key the list is not cached, so that a client asks again.
    const kept = answer.body.keys.length > 0 ? 'public, max-age=300' : 'no-store';
    assert.equal(answer.headers.get('cache-control'), kept);
    return answer.body;
  };
  const check = (token: string, keys: JSONWebKeySet) =>
    jwtVerify(token, createLocalJWKSet(keys), { currentDate: new Date(platform().clock.now()) });
  const rotate = (body: object) =>
    platform().call('POST', '/api/admin/signing-keys/rotate', { token: OPERATOR, body });

  test('are made once there is an app, one at a time', async () => {
    const { signingKeys } = platform().context;
    await signingKeys.maintain(0);
    assert.deepEqual((await published()).keys, []);
    const shop = await app();
    await Promise.all([signingKeys.maintain(0), signingKeys.maintain(0), idToken(shop), idToken(shop)]);
    const { keys } = await published();
    proves('route:GET /oauth2/jwks');
    assert.equal(keys.length, 1);
    const [key = { kty: '' }] = keys;
    assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test('a new key is published an hour before it signs, an old one until its last token has expired', async () => {
    const shop = await app();
    const before = await idToken(shop);
    const turned = await rotate({});
    assert.equal(turned.status, 200);
    assert.equal(turned.body.signing_keys.length, 2);
    const early = await published();
    assert.equal(early.keys.length, 2);
    assert.equal(kidOf(await idToken(shop)), kidOf(before));
    platform().clock.advance(3_599_000);
    const last = await idToken(shop);
    assert.equal(kidOf(last), kidOf(before));
    platform().clock.advance(11_000);
    const after = await idToken(shop);
    assert.notEqual(kidOf(after), kidOf(before));
    // A client that fetched the keys when the new one was published knows it.
    await check(after, early);
    platform().clock.advance(3_580_000);
    await check(last, await published());
    platform().clock.advance(660_000);
    await platform().context.signingKeys.maintain(0);
    const { keys } = await published();
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      [kidOf(after)],
    );
    assert.equal(
      (await platform().call('GET', '/api/admin/signing-keys', { token: OPERATOR })).body.signing_keys.length,
      1,
    );
  });

  test('an old one is stored and published until the moment for which that was said', async () => {
    const { signingKeys } = platform().context;
    await app();
    await signingKeys.maintain(0);
    await signingKeys.rotate({ compromised: false });
    const until = async () => {
      const ends = (await signingKeys.list()).flatMap(({ published_until: end }) => end ?? []);
      return Date.parse(ends.toSorted().at(-1) ?? '') - platform().clock.now();
    };
    const [stored, sent] = [(await signingKeys.list()).length, (await published()).keys.length];
    platform().clock.advance((await until()) - 1);
    await signingKeys.maintain(0);
    assert.deepEqual([(await published()).keys.length, (await signingKeys.list()).length], [sent, stored]);
    platform().clock.advance(1);
    assert.equal((await published()).keys.length, sent - 1);
    await signingKeys.maintain(0);
    assert.equal((await signingKeys.list()).length, stored - 1);
  });

  test('compromised ones are replaced at once, and are published no more', async () => {
    const shop = await app();
    const stolen = await idToken(shop);
    assert.equal((await rotate({ compromised: true })).status, 200);
    const keys = await published();
    await assert.rejects(check(stolen, keys));
    await check(await idToken(shop), keys);
    const acts = await platform().must('GET', '/api/admin/acts', { token: OPERATOR });
    assert.equal(acts.items[0].act, 'signing_key.rotated');
    assert.deepEqual(acts.items[0].details, { compromised: true });
  });

  test('compromised ones are replaced also while another process makes the next one', async () => {
    const shop = await app();
    const stolen = await idToken(shop);
    const { clock, database, secrets, signingKeys } = platform().context;
    let isFirst = true;
    const write: Database['write'] = async (work) => {
      if (isFirst) {
        isFirst = false;
        await signingKeys.rotate({ compromised: false });
      }
      return database.write(work);
    };
    const beside = { vital: database.vital, write } as Database;
    await new SigningKeys({ clock, database: beside, secrets }).rotate({ compromised: true });
    // As after its pause: the keys are read again.
    platform().clock.advance(10_000);
    const keys = await published();
    await assert.rejects(check(stolen, keys));
    await check(await idToken(shop), keys);
  });

  test('get their successors by age', async () => {
    const { signingKeys } = platform().context;
    await idToken(await app());
    const before = (await published()).keys.length;
    await signingKeys.maintain(90 * DAY_MS);
    assert.equal((await published()).keys.length, before);
    platform().clock.advance(90 * DAY_MS);
    await signingKeys.maintain(90 * DAY_MS);
    await signingKeys.maintain(90 * DAY_MS);
    assert.equal((await published()).keys.length, before + 1);
  });

  test('are stored encrypted', async () => {
    await idToken(await app());
    const rows = await platform().context.database.reader.selectFrom('signing_keys').selectAll().execute();
    assert.ok(rows.length > 0);
    for (const row of rows) {
      assert.match(row.private_key, /^k\d+:/);
      assert.ok(!row.public_jwk.includes('"d"'));
    }
  });

  test('discovery says what there is, under both names and under the host of the call', async () => {
    const paths = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
    const [openid, oauth] = await Promise.all(paths.map((path) => platform().call('GET', path)));
    proves(
      'route:GET /.well-known/openid-configuration',
      'route:GET /.well-known/oauth-authorization-server',
    );
    assert.deepEqual(openid?.body, oauth?.body);
    const { url } = platform();
    assert.equal(openid?.body.issuer, url);
    assert.equal(openid?.body.authorization_endpoint, `${url}/oauth2/authorize`);
    assert.equal(openid?.body.userinfo_endpoint, `${url}/api/oauth/userinfo`);
    assert.deepEqual(openid?.body.code_challenge_methods_supported, ['S256']);
    assert.equal(openid?.body.authorization_response_iss_parameter_supported, true);
    assert.deepEqual(openid?.body.id_token_signing_alg_values_supported, ['RS256', 'EdDSA']);
    const byName = await platform().call('GET', `${paths[0]}?x=1`, {});
    assert.equal(byName.status, 200);
  });
});
