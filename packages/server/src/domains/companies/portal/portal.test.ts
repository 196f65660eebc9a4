import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fingerprint, generateKeyPair } from '@symbolon/crypto';
import { portalAccount } from '@symbolon/testkit/actors/accounts';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onPlatform } from '@symbolon/testkit/platform/platform';

const { publicKey } = await generateKeyPair();
const account = portalAccount(publicKey);

onPlatform('registering a company', (platform) => {
  test('gives a code, an account key and a session with the key of the login', async () => {
    const own = portalAccount(publicKey);
    const body = { email: 'own-key@example.com', account: own };
    const made = await platform().call('POST', '/api/portal/register', { body });
    assert.equal(made.status, 201, made.text);
    const { token, company, encrypted_private_key, key } = made.body;
    proves('route:POST /api/portal/register');
    assert.deepEqual(encrypted_private_key, own.encrypted_private_key);
    assert.deepEqual(key, { public_key: publicKey, public_key_sha256: await fingerprint(publicKey) });
    const read = await platform().must('GET', '/api/account', { token });
    proves('route:GET /api/account');
    assert.equal(read.company_user_id, company.company_user_id);
    assert.match(read.company_code, /^[2-9A-HJKMNP-Z]{6}$/);
    assert.equal(Buffer.from(read.account_public_key, 'base64').length, 294);
    const recovery = await platform().must('GET', '/api/account/recovery-key', { token });
    assert.deepEqual(recovery, { public_key: publicKey, public_key_sha256: await fingerprint(publicKey) });
  });

  test('takes an e-mail address once, whatever its case', async () => {
    const email = 'Taken@Example.com';
    const answers = await Promise.all(
      [email, 'taken@example.COM'].map((address) =>
        platform().call('POST', '/api/portal/register', { body: { email: address, account } }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409]);
    proves('error:account.email_taken');
    assert.equal(answers.find((answer) => answer.status === 409)?.body.error_key, 'account.email_taken');
  });

  test('takes a mailbox once, however its domain is spelled', async () => {
    for (const [email, status] of [
      ['uma@bücher.example', 201],
      ['uma@xn--bcher-kva.example', 409],
      ['uma@bu\u0308cher.example', 409],
    ] as const) {
      const answer = await platform().call('POST', '/api/portal/register', { body: { email, account } });
      assert.equal(answer.status, status, email);
    }
  });

  for (const [title, change, error] of [
    ['no address', { email: 'nobody' }, 'account.email_invalid'],
    ['two addresses in one', { email: 'a@example.com,b@example.com' }, 'account.email_invalid'],
    ['a missing address', { email: undefined }, 'account.email_invalid'],
    ['a short login secret', { account: { ...account, login_secret: 'short' } }, 'account.key_invalid'],
    ['an invalid login key', { account: { ...account, key: { public_key: 'AAAA' } } }, 'account.key_invalid'],
    ['a name of two lines', { account: { ...account, name: 'Acme\r\nX' } }, 'profile.display_name_invalid'],
    [
      'an invalid recovery key',
      { account: { ...account, recovery_key: { ...account.recovery_key, public_key: 'AAAA' } } },
      'account.recovery_key_invalid',
    ],
    [
      'a recovery key that is not sealed',
      { account: { ...account, recovery_key: { public_key: publicKey, sealed: 'readable' } } },
      'account.recovery_key_invalid',
    ],
    [
      'a recovery key sealed by halves',
      {
        account: {
          ...account,
          recovery_key: { public_key: publicKey, sealed: { ...account.recovery_key.sealed, iv: 'AAAA' } },
        },
      },
      'account.recovery_key_invalid',
    ],
    ['a password', { account: { ...account, password: 'correct horse battery' } }, 'request.invalid'],
    ['an unknown member', { level: 'enterprise' }, 'request.invalid'],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const email = `refused-${randomBytes(6).toString('hex')}@example.com`;
      const answer = await platform().call('POST', '/api/portal/register', {
        body: { account, email, ...change },
      });
      assert.equal(answer.status, 400, answer.text);
      proves(`error:${error}`);
      assert.equal(answer.body.error_key, error);
      const signIn = await platform().call('POST', '/api/portal/sign-in', {
        body: { email, login_secret: account.login_secret },
      });
      assert.equal(signIn.status, 401);
    });
  }
});

onPlatform('a portal session', (platform) => {
  test('opens with e-mail and login secret, and ends at sign-out', async () => {
    const company = await registerCompany(platform());
    const { token } = await platform().must('POST', '/api/portal/sign-in', {
      body: { email: company.email.toUpperCase(), login_secret: company.loginSecret },
    });
    assert.equal((await platform().call('GET', '/api/account', { token })).status, 200);
    assert.equal((await platform().call('POST', '/api/portal/sign-out', { token })).status, 204);
    proves('route:POST /api/portal/sign-out');
    assert.equal((await platform().call('GET', '/api/account', { token })).body.error_key, 'auth.invalid');
    assert.equal((await platform().call('GET', '/api/account', { token: company.token })).status, 200);
  });

  test('lasts twelve hours', async () => {
    const { token } = await registerCompany(platform());
    platform().clock.advance(12 * 3_600_000);
    const answer = await platform().call('GET', '/api/account', { token });
    assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.expired']);
  });

  test('answers an unknown address and a wrong login secret alike, and slows guessing down', async () => {
    const company = await registerCompany(platform());
    const signIn = (email: string, login_secret: string) =>
      platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret } });
    const unknown = await signIn('nobody@example.com', WRONG_SECRET);
    const wrong = await signIn(company.email, WRONG_SECRET);
    assert.equal(unknown.status, 401);
    assert.deepEqual(unknown.body, wrong.body);
    for (let tries = 1; tries < 10; tries++) await signIn(company.email, WRONG_SECRET);
    const throttled = await signIn(company.email, company.loginSecret);
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
    const seconds = Number(throttled.headers.get('retry-after'));
    proves('limit:failed-sign-ins');
    assert.ok(seconds > 600 && seconds <= 900, String(seconds));
  });

  test('tells how its login secret is derived, for every address alike', async () => {
    const email = 'parameters@example.com';
    await platform().must('POST', '/api/portal/register', { body: { email, account } });
    const ask = async (address: string) => {
      const path = '/api/portal/login/parameters';
      const answer = await platform().call('POST', path, { body: { email: address } });
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    assert.deepEqual(await ask(email.toUpperCase()), { version: 1, salt: account.salt });
    const unknown = await ask('unknown@example.com');
    assert.deepEqual(await ask(' Unknown@example.com'), unknown);
    assert.deepEqual([unknown.version, Buffer.from(unknown.salt, 'base64').length], [1, 16]);
    assert.notDeepEqual(await ask('other@example.com'), unknown);
    const asPerson = await platform().must('POST', '/api/person/login/parameters', {
      body: { email: 'unknown@example.com' },
    });
    assert.notEqual(asPerson.salt, unknown.salt);
  });

  test('a burst of guesses gets as many tries as a sequence', async () => {
    const { email } = await registerCompany(platform());
    const guesses = Array.from({ length: 120 }, () =>
      platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret: WRONG_SECRET } }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 110);
  });
});
