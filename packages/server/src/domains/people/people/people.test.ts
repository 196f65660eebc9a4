import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { generateKeyPair } from '@symbolon/crypto';
import { credentials, personAccount } from '@symbolon/testkit/actors/accounts';
import { createService, dataToken, registerCompany, registerPerson } from '@symbolon/testkit/actors/actors';
import { lastMail, newPassword } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { refused, snapshot } from '@symbolon/testkit/evidence/refusals';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');
const { publicKey } = await generateKeyPair();
let counter = 0;

const registration = (changes: { email?: string; [member: string]: unknown } = {}) => {
  const { email = `someone-${++counter}@example.com`, ...account } = changes;
  return { email, account: { ...personAccount(publicKey), ...account } };
};
const passwordOf = newPassword;
const isAlive = async (platform: TestPlatform, token: string) =>
  (await platform.call('GET', '/api/person/me', { token })).status === 200;

onPlatform('registering a person', (platform) => {
  test('keeps hashes of the secrets and the wrapped keys as they came', async () => {
    const body = registration({ display_name: '  Ada  ' });
    const answer = await platform().call('POST', '/api/person/register', { body });
    assert.equal(answer.status, 201, answer.text);
    const { person, encrypted_private_key, access_token, expires_in, token_type } = answer.body;
    proves('route:POST /api/person/register');
    assert.deepEqual([token_type, expires_in], ['Bearer', 3600]);
    assert.deepEqual(encrypted_private_key, body.account.encrypted_private_key);
    assert.equal(person.display_name, 'Ada');
    assert.match(person.share_code, /^[2-9A-HJKMNP-TV-Z]{6}$/);
    assert.match(person.public_key_sha256, /^[0-9a-f]{64}$/);
    proves('route:GET /api/person/me');
    assert.deepEqual(await platform().must('GET', '/api/person/me', { token: access_token }), person);
    const stored = JSON.stringify(await snapshot(platform()));
    for (const secret of [body.account.login_secret, body.account.recovery.secret])
      assert.ok(!stored.includes(secret));
    assert.ok(stored.includes('$argon2id$'));
  });

  test('takes an address once, however it is written', async () => {
    const body = registration({ email: `Twice-${++counter}@Example.com` });
    await platform().must('POST', '/api/person/register', { body });
    for (const email of [body.email, body.email.toLowerCase(), ` ${body.email} `]) {
      await refused(platform(), [409, 'account.email_taken'], 'POST', '/api/person/register', {
        body: registration({ email }),
      });
    }
  });

  test('one mailbox has one account, and every spelling of it signs in', async () => {
    const spellings = [
      'josé@bücher.example',
      'jose\u0301@bu\u0308cher.example',
      'josé@xn--bcher-kva.example',
    ];
    const body = registration({ email: 'josé@bücher.example' });
    await platform().must('POST', '/api/person/register', { body });
    const { login_secret } = body.account;
    for (const email of spellings) {
      await refused(platform(), [409, 'account.email_taken'], 'POST', '/api/person/register', {
        body: registration({ email }),
      });
      await platform().must('POST', '/api/person/login', { body: { email, login_secret } });
    }
  });

  test('an account whose address is stored in an older spelling is found by every one', async () => {
    const body = registration({ email: 'ida@müller.example' });
    await platform().must('POST', '/api/person/register', { body });
    const stored = 'ida@xn--mller-kva.example';
    const older = 'ida@mu\u0308ller.example';
    await platform().context.database.write(async (writer) => {
      await writer.updateTable('persons').set({ email: older }).where('email', '=', stored).execute();
    });
    const { login_secret } = body.account;
    for (const email of [older, 'ida@müller.example', stored]) {
      await platform().must('POST', '/api/person/login', { body: { email, login_secret } });
      await refused(platform(), [409, 'account.email_taken'], 'POST', '/api/person/register', {
        body: registration({ email }),
      });
    }
  });

  test('one of two concurrent registrations with the same address succeeds', async () => {
    const email = `race-${++counter}@example.com`;
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        platform().call('POST', '/api/person/register', { body: registration({ email }) }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409, 409]);
  });

  const unpadded = base64(32).slice(0, 43);
  for (const [title, key, changes] of [
    ['no address', 'account.email_invalid', { email: 'nobody' }],
    ['two addresses', 'account.email_invalid', { email: 'a@example.com,b@example.com' }],
    ['no key', 'account.key_invalid', { public_key: 'AAAA' }],
    ['a key with a byte too many', 'account.key_invalid', { public_key: `${publicKey}AAAA` }],
    ['a short salt', 'account.key_invalid', { salt: base64(15) }],
    ['a long salt', 'account.key_invalid', { salt: base64(17) }],
    ['a salt of URL base64', 'account.key_invalid', { salt: `${'_'.repeat(22)}==` }],
    ['a short login secret', 'account.key_invalid', { login_secret: base64(31) }],
    ['an unpadded login secret', 'account.key_invalid', { login_secret: unpadded }],
    ['trailing bits', 'account.key_invalid', { login_secret: `${'A'.repeat(42)}B=` }],
    [
      'a short iv',
      'account.key_invalid',
      { encrypted_private_key: { iv: `${base64(11).slice(0, 15)}=`, data: base64(99) } },
    ],
    ['no ciphertext', 'account.key_invalid', { encrypted_private_key: { iv: base64(12), data: base64(16) } }],
    [
      'a bad recovery secret',
      'account.key_invalid',
      {
        recovery: { secret: `${'*'.repeat(43)}=`, encrypted_private_key: passwordOf().encrypted_private_key },
      },
    ],
    ['a blank name', 'profile.display_name_invalid', { display_name: ' ' }],
    ['a readable private key beside', 'request.invalid', { private_key: 'x' }],
  ] as const) {
    test(`refuses ${title}`, async () => {
      await refused(platform(), [400, key], 'POST', '/api/person/register', { body: registration(changes) });
    });
  }
});

onPlatform('signing a person in', (platform) => {
  const login = (email: string, login_secret: string) =>
    platform().call('POST', '/api/person/login', { body: { email, login_secret } });

  test('tells the salt that was registered', async () => {
    const body = registration();
    await platform().must('POST', '/api/person/register', { body });
    assert.deepEqual(
      await platform().must('POST', '/api/person/login/parameters', { body: { email: body.email } }),
      { version: 1, salt: body.account.salt },
    );
    proves('route:POST /api/person/login/parameters');
  });

  test('an unknown address gets a salt too, always the same one', async () => {
    const ask = (email: string) =>
      platform().must('POST', '/api/person/login/parameters', { body: { email } });
    const first = await ask('unknown@example.com');
    assert.deepEqual(await ask(' Unknown@example.com'), first);
    assert.notDeepEqual(await ask('another@example.com'), first);
    assert.equal(first.version, 1);
    assert.equal(Buffer.from(first.salt, 'base64').length, 16);
  });

  test('takes the secret and nothing else, with one answer for all that is wrong', async () => {
    const person = await registerPerson(platform());
    const good = await login(person.email.toUpperCase(), person.loginSecret);
    assert.equal(good.status, 200, good.text);
    assert.ok(await isAlive(platform(), good.body.access_token));
    const wrong = await login(person.email, base64(32));
    const unknown = await login('nobody@example.com', person.loginSecret);
    assert.deepEqual([wrong.status, wrong.body.error_key], [401, 'auth.credentials_invalid']);
    assert.deepEqual(unknown.body, wrong.body);
    assert.equal((await login(person.email, 'x')).body.error_key, 'account.key_invalid');
  });

  test('stops guessing at an account, not at others', async () => {
    const person = await registerPerson(platform());
    for (let tries = 0; tries < 10; tries++) {
      assert.equal((await login(person.email, base64(32))).status, 401);
    }
    const throttled = await login(person.email, person.loginSecret);
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
    assert.ok(Number(throttled.headers.get('retry-after')) > 0);
    const other = await registerPerson(platform());
    assert.equal((await login(other.email, other.loginSecret)).status, 200);
  });

  test('a burst of guesses gets as many tries as a sequence', async () => {
    const person = await registerPerson(platform());
    const guesses = Array.from({ length: 120 }, () => login(person.email, base64(32)));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 110);
  });

  test('the token ends after an hour', async () => {
    const person = await registerPerson(platform());
    platform().clock.advance(3600_000);
    const answer = await platform().call('GET', '/api/person/me', { token: person.token });
    assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.expired']);
  });
});

onPlatform('changing a password', (platform) => {
  test('ends older tokens at once and the old secret with them', async () => {
    const person = await registerPerson(platform());
    const next = passwordOf();
    const session = await platform().must('PUT', '/api/person/password', {
      token: person.token,
      body: { current_login_secret: person.loginSecret, ...next },
    });
    assert.deepEqual(session.encrypted_private_key, next.encrypted_private_key);
    assert.equal(await isAlive(platform(), person.token), false);
    assert.ok(await isAlive(platform(), session.access_token));
    const login = (login_secret: string) =>
      platform().call('POST', '/api/person/login', { body: { email: person.email, login_secret } });
    assert.equal((await login(person.loginSecret)).status, 401);
    assert.equal((await login(next.login_secret)).status, 200);
    const parameters = await platform().must('POST', '/api/person/login/parameters', {
      body: { email: person.email },
    });
    assert.equal(parameters.salt, next.salt);
    assert.match(await lastMail(platform(), person.email), /Your password has changed/);
  });

  test('needs the present secret, and sound key material', async () => {
    const person = await registerPerson(platform());
    const put = (expected: readonly [number, string], body: object) =>
      refused(platform(), expected, 'PUT', '/api/person/password', { token: person.token, body });
    proves('error:auth.credentials_invalid');
    await put([401, 'auth.credentials_invalid'], { current_login_secret: base64(32), ...passwordOf() });
    const good = { current_login_secret: person.loginSecret, ...passwordOf() };
    await put([400, 'account.key_invalid'], { ...good, salt: base64(12) });
    await put([400, 'account.key_invalid'], { ...good, encrypted_private_key: { iv: 'AAAA', data: 'AAAA' } });
    assert.ok(await isAlive(platform(), person.token));
  });

  test('one of two concurrent password changes succeeds', async () => {
    const person = await registerPerson(platform());
    const answers = await Promise.all(
      [1, 2].map(() =>
        platform().call('PUT', '/api/person/password', {
          token: person.token,
          body: { current_login_secret: person.loginSecret, ...passwordOf() },
        }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 401]);
  });
});

onPlatform('recovering an account', (platform) => {
  test('gives the key that is wrapped under the recovery code, then takes a new password and a new code', async () => {
    const { email, account } = registration();
    const { access_token } = await platform().must('POST', '/api/person/register', {
      body: { email, account },
    });
    const proof = { email, recovery_secret: account.recovery.secret };
    const key = await platform().call('POST', '/api/person/recover/key', { body: proof });
    proves('route:POST /api/person/recover/key');
    assert.deepEqual(key.body, { encrypted_private_key: account.recovery.encrypted_private_key });
    assert.ok(await isAlive(platform(), access_token));
    const next = credentials();
    const recovering = await platform().call('POST', '/api/person/recover', { body: { ...proof, ...next } });
    assert.equal(recovering.status, 200, recovering.text);
    proves('route:POST /api/person/recover');
    assert.equal(recovering.body.person.public_key, account.public_key);
    assert.equal(await isAlive(platform(), access_token), false);
    assert.ok(await isAlive(platform(), recovering.body.access_token));
    assert.match(await lastMail(platform(), email), /reset with your recovery code/);
    const login = await platform().call('POST', '/api/person/login', {
      body: { email, login_secret: next.login_secret },
    });
    assert.equal(login.status, 200);
  });

  test('a recovery code is void once it was used, and once it was replaced', async () => {
    const person = await registerPerson(platform());
    const { email, loginSecret: login_secret } = person;
    const keyBy = async (recovery_secret: string) => {
      const call = { body: { email, recovery_secret } };
      return (await platform().call('POST', '/api/person/recover/key', call)).status;
    };
    const { recovery } = credentials();
    const path = '/api/person/recovery-code';
    await refused(platform(), [401, 'auth.credentials_invalid'], 'PUT', path, {
      token: person.token,
      body: { login_secret: base64(32), recovery },
    });
    const body = { login_secret, recovery };
    const renewed = await platform().call('PUT', path, { token: person.token, body });
    assert.equal(renewed.status, 204, renewed.text);
    assert.match(await lastMail(platform(), email), /new recovery code/);
    // The session goes on.
    assert.ok(await isAlive(platform(), person.token));
    proves('route:PUT /api/person/recovery-code');
    assert.deepEqual([await keyBy(person.recoverySecret), await keyBy(recovery.secret)], [401, 200]);
    const next = credentials();
    const recover = { email, recovery_secret: recovery.secret, ...next };
    await platform().must('POST', '/api/person/recover', { body: recover });
    await refused(platform(), [401, 'account.recovery_invalid'], 'POST', '/api/person/recover', {
      body: { ...recover, ...credentials() },
    });
    assert.deepEqual([await keyBy(recovery.secret), await keyBy(next.recovery.secret)], [401, 200]);
  });

  test('recovering without a new code is refused', async () => {
    const person = await registerPerson(platform());
    const proof = { email: person.email, recovery_secret: person.recoverySecret };
    await refused(platform(), [400, 'request.invalid'], 'POST', '/api/person/recover', {
      body: { ...proof, ...newPassword() },
    });
  });

  test('one of two uses of a recovery code at once succeeds', async () => {
    const person = await registerPerson(platform());
    const proof = { email: person.email, recovery_secret: person.recoverySecret };
    const use = () =>
      platform().call('POST', '/api/person/recover', { body: { ...proof, ...credentials() } });
    const answers = await Promise.all([use(), use(), use()]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 401, 401]);
  });

  test('gives one answer for a wrong code and an unknown address, and counts tries', async () => {
    const person = await registerPerson(platform());
    const ask = (email: string, recovery_secret: string) =>
      platform().call('POST', '/api/person/recover/key', { body: { email, recovery_secret } });
    const wrong = await ask(person.email, base64(32));
    assert.deepEqual([wrong.status, wrong.body.error_key], [401, 'account.recovery_invalid']);
    assert.deepEqual((await ask('nobody@example.com', person.recoverySecret)).body, wrong.body);
    await refused(platform(), [401, 'account.recovery_invalid'], 'POST', '/api/person/recover', {
      body: { email: person.email, recovery_secret: base64(32), ...credentials() },
    });
    await refused(platform(), [400, 'account.key_invalid'], 'POST', '/api/person/recover', {
      body: { email: person.email, recovery_secret: person.recoverySecret, ...credentials(), salt: 'x' },
    });
    for (let tries = 2; tries < 10; tries++) await ask(person.email, base64(32));
    proves('error:auth.throttled');
    assert.equal((await ask(person.email, person.recoverySecret)).body.error_key, 'auth.throttled');
  });
});

onPlatform('a person’s token', (platform) => {
  test('opens nothing of a company', async () => {
    const person = await registerPerson(platform());
    for (const path of ['/api/services', '/api/account', '/api/company-data/whoami']) {
      const answer = await platform().call('GET', path, { token: person.token });
      assert.deepEqual([answer.status, answer.body.error_key], [403, 'auth.forbidden'], path);
    }
  });

  test('is what person routes take, and nothing else', async () => {
    const company = await registerCompany(platform());
    const token = await dataToken(platform(), await createService(platform(), company));
    for (const path of [
      '/api/person/me',
      '/api/person/fields',
      '/api/person/connections',
      '/api/person/consents',
    ]) {
      assert.equal((await platform().call('GET', path)).status, 401);
      assert.equal(
        (await platform().call('GET', path, { token: company.token })).body.error_key,
        'auth.forbidden',
      );
      assert.equal(
        (await platform().call('GET', path, { token })).body.error_key,
        'auth.client_endpoint_forbidden',
      );
    }
  });
});
