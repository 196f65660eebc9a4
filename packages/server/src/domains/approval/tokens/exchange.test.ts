import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { newPassword } from '@symbolon/testkit/actors/portal-logins';
import {
  codeFor,
  createApp,
  exchange,
  exchangeForm,
  pkce,
  sealedClaim,
} from '@symbolon/testkit/actors/sign-ins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { PlatformError } from '../../../core/errors.ts';

onPlatform('the exchange of a code', (platform) => {
  const app = async (settings = {}) => createApp(platform(), await registerCompany(platform()), settings);
  const userinfo = (token: string) => platform().call('GET', '/api/oauth/userinfo', { token });

  test('gives tokens for the code of a sign-in: one for userinfo, and an id_token', async () => {
    const shop = await app();
    const values = { email: await sealedClaim('ada@example.com') };
    const code = await codeFor(platform(), shop, {
      nonce: 'n-1',
      scope: 'openid email',
      values,
      twoFactor: true,
      authTime: platform().clock.now() - 5_000,
    });
    const answer = await exchange(platform(), shop, code);
    assert.equal(answer.status, 200, answer.text);
    proves('route:POST /oauth2/token');
    assert.deepEqual(Object.keys(answer.body), [
      'token_type',
      'expires_in',
      'access_token',
      'scope',
      'id_token',
      'mode',
    ]);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const keys = createLocalJWKSet({ keys: await platform().context.signingKeys.published() });
    const { payload, protectedHeader } = await jwtVerify(answer.body.id_token, keys, {
      currentDate: new Date(platform().clock.now()),
    });
    const now = Math.floor(platform().clock.now() / 1000);
    assert.equal(protectedHeader.alg, 'RS256');
    assert.deepEqual(payload, {
      iss: platform().url,
      sub: 'ABC234',
      aud: shop.clientId,
      exp: now + 3600,
      iat: now,
      auth_time: now - 5,
      nonce: 'n-1',
    });
    const info = await userinfo(answer.body.access_token);
    proves('route:GET /api/oauth/userinfo');
    assert.deepEqual(info.body, {
      sub: 'ABC234',
      share_code: 'ABC234',
      mode: 'oidc',
      two_factor: true,
      values: { email: JSON.parse(values.email) },
    });
    assert.equal((await userinfo(answer.body.access_token)).status, 200);
  });

  test('a code lives for 60 seconds', async () => {
    const shop = await app();
    const [early, late] = [await codeFor(platform(), shop), await codeFor(platform(), shop)];
    platform().clock.advance(59_999);
    assert.equal((await exchange(platform(), shop, early)).status, 200);
    platform().clock.advance(1);
    const answer = await exchange(platform(), shop, late);
    assert.equal(answer.status, 400);
    proves('limit:signInCodeSeconds');
    assert.match(answer.body.error_description, /expired/);
  });

  test('a second use is refused, and ends what the first gave', async () => {
    const shop = await app();
    const code = await codeFor(platform(), shop);
    const first = await exchange(platform(), shop, code);
    assert.equal((await userinfo(first.body.access_token)).status, 200);
    const second = await exchange(platform(), shop, code);
    proves('error:invalid_grant');
    assert.deepEqual(
      [second.status, second.body.error, second.body.error_key],
      [400, 'invalid_grant', 'invalid_grant'],
    );
    assert.match(second.body.error_description, /used before/);
    const revoked = await userinfo(first.body.access_token);
    assert.deepEqual([revoked.status, revoked.body.error_key], [401, 'auth.invalid']);
    assert.match(revoked.headers.get('www-authenticate') ?? '', /invalid_token/);
  });

  test('the audit log of the company tells of a code that was used again, once for each', async () => {
    const company = await registerCompany(platform());
    const shop = await createApp(platform(), company);
    const code = await codeFor(platform(), shop);
    await codeFor(platform(), shop);
    for (let use = 0; use < 4; use++) await exchange(platform(), shop, code);
    const { items } = await platform().must('GET', '/api/account/audit-log', { token: company.token });
    const told = items.filter(({ action }: { action: string }) => action === 'oauth_app.code_reused');
    assert.deepEqual(
      told.map(({ actor, target }: { actor: { kind: string }; target: string }) => [actor.kind, target]),
      [['platform', shop.clientId]],
    );
  });

  test('userinfo is read by POST as well, with the token in the header or in a form', async () => {
    const shop = await app();
    const { access_token: token } = (await exchange(platform(), shop, await codeFor(platform(), shop))).body;
    const post = (options: Parameters<ReturnType<typeof platform>['call']>[2]) =>
      platform().call('POST', '/api/oauth/userinfo', options);
    const form = (members: Record<string, string>) => ({ body: new URLSearchParams(members) });
    const expected = await userinfo(token);
    for (const options of [{ token }, form({ access_token: token })]) {
      const answer = await post(options);
      proves('route:POST /api/oauth/userinfo');
      assert.deepEqual([answer.status, answer.body], [200, expected.body]);
    }
    const both = await post({ token, ...form({ access_token: token }) });
    assert.deepEqual([both.status, both.body.error_key], [400, 'invalid_request']);
    for (const options of [{}, form({}), form({ access_token: `${token.slice(0, -10)}AAAAAAAAAA` })]) {
      const refused = await post(options);
      assert.deepEqual([refused.status, refused.body.error_key], [401, 'auth.invalid']);
      assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
  });

  test('of many at once exactly one succeeds', async () => {
    const shop = await app();
    const code = await codeFor(platform(), shop);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(platform(), shop, code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'));
  });

  test('a refusal says what is wrong and uses nothing up', async () => {
    const shop = await app();
    const other = await app();
    const { verifier, challenge } = pkce();
    const code = await codeFor(platform(), shop, { codeChallenge: challenge });
    const plain = await codeFor(platform(), shop);
    const wrong: [Awaited<ReturnType<typeof exchange>>, number, string, RegExp][] = [
      [await exchange(platform(), shop, code, { client_secret: 'no' }), 401, 'invalid_client', /failed/],
      [await exchange(platform(), shop, code, { client_secret: undefined }), 401, 'invalid_client', /failed/],
      [await exchange(platform(), other, code), 400, 'invalid_grant', /another app/],
      [await exchange(platform(), shop, 'unknown'), 400, 'invalid_grant', /unknown/],
      [await exchange(platform(), shop, `${code.slice(0, -4)}AAAA`), 400, 'invalid_grant', /unknown/],
      [
        await exchange(platform(), shop, code, { redirect_uri: 'https://shop.example/back/' }),
        400,
        'invalid_grant',
        /redirect_uri is not the one/,
      ],
      [
        await exchange(platform(), shop, code, { redirect_uri: undefined }),
        400,
        'invalid_grant',
        /redirect_uri is missing/,
      ],
      [await exchange(platform(), shop, code), 400, 'invalid_grant', /code_verifier is missing/],
      [
        await exchange(platform(), shop, code, { code_verifier: pkce().verifier }),
        400,
        'invalid_grant',
        /code_verifier does not match/,
      ],
      [
        await exchange(platform(), shop, plain, { code_verifier: verifier }),
        400,
        'invalid_grant',
        /had no code_challenge/,
      ],
    ];
    for (const [{ status, body }, expected, error, text] of wrong) {
      assert.deepEqual([status, body.error], [expected, error], body.error_description);
      assert.match(body.error_description, text);
    }
    assert.equal((await exchange(platform(), shop, code, { code_verifier: verifier })).status, 200);
    assert.equal((await exchange(platform(), shop, plain)).status, 200);
  });

  test('a public app has no secret and proves itself by PKCE; Basic works for a confidential one', async () => {
    const phone = await app({ app_type: 'public' });
    const { verifier, challenge } = pkce();
    const code = await codeFor(platform(), phone, { codeChallenge: challenge });
    const withSecret = await exchange(platform(), phone, code, {
      client_secret: 'x',
      code_verifier: verifier,
    });
    assert.equal(withSecret.status, 401);
    assert.equal((await exchange(platform(), phone, code, { code_verifier: verifier })).status, 200);
    const shop = await app();
    const basic = await platform().call('POST', '/oauth2/token', {
      body: exchangeForm(shop, await codeFor(platform(), shop), { client_secret: undefined }),
      headers: {
        authorization: `Basic ${Buffer.from(`${shop.clientId}:${shop.secret}`).toString('base64')}`,
      },
    });
    assert.equal(basic.status, 200);
  });

  test('an app of either kind exchanges no more codes than its limit, and a refusal uses none up', async () => {
    const { rateLimits } = platform().context;
    for (const app_type of ['confidential', 'public']) {
      const one = await app({ app_type });
      const { verifier, challenge } = pkce();
      const code = await codeFor(platform(), one, { codeChallenge: challenge });
      const tryIt = () => exchange(platform(), one, code, { code_verifier: verifier });
      const consume = mock.method(rateLimits, 'consume', async (limit: string, key: string) => {
        if (limit === 'exchanges' && key === one.clientId) throw new PlatformError('rate_limit.exceeded');
      });
      const refused = await tryIt();
      consume.mock.restore();
      assert.deepEqual([refused.status, refused.body.error], [429, 'temporarily_unavailable'], app_type);
      assert.equal((await tryIt()).status, 200, app_type);
    }
  });

  test('works while saving is paused: a code is used once all the same, and later that is saved', async () => {
    const { database, maintenance, usedCodes } = platform().context;
    const shop = await app();
    const [code, other] = [await codeFor(platform(), shop), await codeFor(platform(), shop)];
    const pause = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'writes_paused', on, null));
      await maintenance.apply();
    };
    const used = async () =>
      (
        await database.reader
          .selectFrom('sign_ins')
          .select('id')
          .where('company_id', '=', shop.companyId)
          .where('used_at', 'is not', null)
          .execute()
      ).length;
    await pause(true);
    const answers = await Promise.all([1, 2, 3].map(() => exchange(platform(), shop, code)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    const good = await exchange(platform(), shop, other);
    assert.equal((await userinfo(good.body.access_token)).status, 200);
    const revoked = answers.find(({ status }) => status === 200)?.body.access_token;
    assert.equal((await userinfo(revoked)).status, 401);
    assert.equal(await used(), 0);
    await pause(false);
    assert.equal((await exchange(platform(), shop, code)).body.error, 'invalid_grant');
    await usedCodes.settle();
    assert.equal(await used(), 2);
    assert.equal((await userinfo(revoked)).status, 401);
    assert.equal((await userinfo(good.body.access_token)).status, 200);
  });

  test('the token opens userinfo alone, for an hour, and ends with the app', async () => {
    const company = await registerCompany(platform());
    const shop = await createApp(platform(), company);
    const { body } = await exchange(platform(), shop, await codeFor(platform(), shop));
    const elsewhere = await platform().call('GET', '/api/account', { token: body.access_token });
    assert.deepEqual([elsewhere.status, elsewhere.body.error_key], [403, 'auth.forbidden']);
    platform().clock.advance(3_600_000);
    assert.equal((await userinfo(body.access_token)).body.error_key, 'auth.expired');
    const again = (await exchange(platform(), shop, await codeFor(platform(), shop))).body;
    assert.equal((await userinfo(again.access_token)).status, 200);
    await platform().must('DELETE', `/api/account/oauth-apps/${shop.clientId}`, { token: company.token });
    assert.equal((await userinfo(again.access_token)).body.error_key, 'auth.invalid');
  });

  test('a new password of the person ends codes and tokens from before, and no later ones', async () => {
    const shop = await app();
    const person = await registerPerson(platform());
    const codeOf = (personEpoch: number) => codeFor(platform(), shop, { personId: person.id, personEpoch });
    const { body: before } = await exchange(platform(), shop, await codeOf(1));
    const unused = await codeOf(1);
    assert.equal((await userinfo(before.access_token)).status, 200);
    await platform().must('PUT', '/api/person/password', {
      token: person.token,
      body: { current_login_secret: person.loginSecret, ...newPassword() },
    });
    assert.equal((await userinfo(before.access_token)).body.error_key, 'auth.invalid');
    const late = await exchange(platform(), shop, unused);
    assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant']);
    assert.match(late.text, /new credentials/);
    const { body: after } = await exchange(platform(), shop, await codeOf(2));
    assert.equal((await userinfo(after.access_token)).status, 200);
  });

  test('readable claims stand in the id_token, and nowhere else', async () => {
    const shop = await app({ claims_delivery: 'plaintext' });
    const plaintext = { name: 'Ada', email: 'ada@example.com', email_verified: true };
    const code = await codeFor(platform(), shop, { scope: 'openid profile email', plaintext });
    const { body } = await exchange(platform(), shop, code);
    const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString());
    assert.deepEqual([claims.name, claims.email, claims.email_verified], ['Ada', 'ada@example.com', true]);
    assert.deepEqual(await (await userinfo(body.access_token)).body, {
      sub: 'ABC234',
      share_code: 'ABC234',
      mode: 'oidc',
      two_factor: false,
    });
    const left = await platform()
      .context.database.reader.selectFrom('sign_in_plaintexts')
      .select('id')
      .where('company_id', '=', shop.companyId)
      .execute();
    assert.equal(left.length, 0);
  });

  test('an app that chose EdDSA gets its id_tokens under that', async () => {
    const shop = await app({ id_token_signed_response_alg: 'EdDSA' });
    const { body } = await exchange(platform(), shop, await codeFor(platform(), shop));
    const keys = createLocalJWKSet({ keys: await platform().context.signingKeys.published() });
    const { protectedHeader } = await jwtVerify(body.id_token, keys, {
      currentDate: new Date(platform().clock.now()),
    });
    assert.equal(protectedHeader.alg, 'EdDSA');
  });
});

onPlatform(
  'the exchange of a code under its limits',
  (platform) => {
    test('counts for the app, not for the address, and not what others send under its name', async () => {
      const company = await registerCompany(platform());
      const [shop, other] = [await createApp(platform(), company), await createApp(platform(), company)];
      for (let n = 0; n < 3; n++) {
        const wrong = await exchange(platform(), { ...shop, secret: 'no' }, 'x');
        assert.equal(wrong.status, 401);
      }
      for (let n = 0; n < 2; n++) {
        assert.equal((await exchange(platform(), shop, await codeFor(platform(), shop))).status, 200);
      }
      const over = await exchange(platform(), shop, await codeFor(platform(), shop));
      proves('rate:exchanges');
      assert.deepEqual([over.status, over.body.error], [429, 'temporarily_unavailable']);
      assert.match(over.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal((await exchange(platform(), other, await codeFor(platform(), other))).status, 200);
    });

    test('what fails counts for its address, and keeps no good code from it', async () => {
      const shop = await createApp(platform(), await registerCompany(platform()));
      const tries: number[] = [];
      for (let n = 0; n < 6; n++) {
        tries.push((await exchange(platform(), { ...shop, secret: 'no' }, 'x')).status);
      }
      assert.equal(tries.at(-1), 429);
      assert.equal((await exchange(platform(), shop, await codeFor(platform(), shop))).status, 200);
    });
  },
  { SYMBOLON_RATE_EXCHANGES: '2', SYMBOLON_RATE_FAILURES: '5' },
);
