import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptPrivateKey, encryptPrivateKey, generateKeyPair } from '@symbolon/crypto';
import { registerCompany } from '../../../testing/actors.ts';
import { proves } from '../../../testing/evidence.ts';
import { onEachEngine } from '../../../testing/platform.ts';

const pair = await generateKeyPair();
const recovery_key = {
  public_key: pair.publicKey,
  encrypted_private_key: await encryptPrivateKey(pair.privateKey, 'correct horse battery'),
};
const registration = { name: 'Acme', password: 'correct horse battery', recovery_key };

onEachEngine('registering a company', (platform) => {
  test('gives a code, an account key and a session; the recovery key comes back as it was sent', async () => {
    const company = await registerCompany(platform());
    const account = await platform().must('GET', '/api/account', { token: company.token });
    assert.equal(account.company_user_id, company.id);
    assert.match(account.company_code, /^[2-9A-HJKMNP-Z]{6}$/);
    assert.equal(Buffer.from(account.account_public_key, 'base64').length, 294);
    const key = await platform().must('GET', '/api/account/recovery-key', { token: company.token });
    assert.ok(await decryptPrivateKey(key.encrypted_private_key, company.password));
  });

  test('takes an e-mail address once, whatever its case', async () => {
    const email = 'Taken@Example.com';
    const first = { ...registration, email };
    const answers = await Promise.all(
      [first, { ...registration, email: 'taken@example.COM' }].map((body) =>
        platform().call('POST', '/api/portal/register', { body }),
      ),
    );
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409]);
    proves('error:account.email_taken');
    assert.equal(answers.find((answer) => answer.status === 409)?.body.error_key, 'account.email_taken');
  });

  for (const [title, change, error] of [
    ['no address', { email: 'nobody' }, 'account.email_invalid'],
    ['two addresses in one', { email: 'a@example.com,b@example.com' }, 'account.email_invalid'],
    ['a missing address', { email: undefined }, 'account.email_invalid'],
    ['a short password', { password: 'short' }, 'account.password_weak'],
    [
      'a recovery key that is none',
      { recovery_key: { ...recovery_key, public_key: 'AAAA' } },
      'account.recovery_key_invalid',
    ],
    ['an unknown member', { level: 'enterprise' }, 'request.invalid'],
  ] as const) {
    test(`refuses ${title}`, async () => {
      const answer = await platform().call('POST', '/api/portal/register', {
        body: { ...registration, email: 'fresh@example.com', ...change },
      });
      assert.equal(answer.status, 400, answer.text);
      proves(`error:${error}`);
      assert.equal(answer.body.error_key, error);
      const signIn = await platform().call('POST', '/api/portal/sign-in', {
        body: { email: 'fresh@example.com', password: registration.password },
      });
      assert.equal(signIn.status, 401);
    });
  }
});

onEachEngine('a portal session', (platform) => {
  test('opens with e-mail and password, and ends at sign-out', async () => {
    const company = await registerCompany(platform());
    const { token } = await platform().must('POST', '/api/portal/sign-in', {
      body: { email: company.email.toUpperCase(), password: company.password },
    });
    assert.equal((await platform().call('GET', '/api/account', { token })).status, 200);
    assert.equal((await platform().call('POST', '/api/portal/sign-out', { token })).status, 204);
    assert.equal((await platform().call('GET', '/api/account', { token })).body.error_key, 'auth.invalid');
    assert.equal((await platform().call('GET', '/api/account', { token: company.token })).status, 200);
  });

  test('lasts twelve hours', async () => {
    const { token } = await registerCompany(platform());
    platform().clock.advance(12 * 3_600_000);
    const answer = await platform().call('GET', '/api/account', { token });
    assert.deepEqual([answer.status, answer.body.error_key], [401, 'auth.expired']);
  });

  test('answers an unknown address and a wrong password alike, and slows guessing down', async () => {
    const company = await registerCompany(platform());
    const signIn = (email: string, password: string) =>
      platform().call('POST', '/api/portal/sign-in', { body: { email, password } });
    const unknown = await signIn('nobody@example.com', 'whatever it is');
    const wrong = await signIn(company.email, 'whatever it is');
    assert.equal(unknown.status, 401);
    assert.deepEqual(unknown.body, wrong.body);
    for (let tries = 1; tries < 10; tries++) await signIn(company.email, 'whatever it is');
    const throttled = await signIn(company.email, company.password);
    assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
    const seconds = Number(throttled.headers.get('retry-after'));
    proves('limit:failed-sign-ins');
    assert.ok(seconds > 600 && seconds <= 900, String(seconds));
  });

  test('a burst of guesses gets as many tries as a sequence', async () => {
    const { email } = await registerCompany(platform());
    const guesses = Array.from({ length: 120 }, () =>
      platform().call('POST', '/api/portal/sign-in', { body: { email, password: 'whatever it is' } }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 10);
    assert.equal(statuses.filter((status) => status === 429).length, 110);
  });
});
