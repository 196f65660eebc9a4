import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createDecipheriv, createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { decryptPem, inspectPem } from '@symbolon/crypto';
import {
  connect,
  createService,
  dataToken,
  registerCompany,
  registerPerson,
} from '@symbolon/testkit/actors/actors';
import { addDelegate, enrolSecondFactor, WRONG_SECRET } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { Sink } from '@symbolon/testkit/servers/sink';
import { without } from '@symbolon/testkit/tools';

const PATH = '/api/account-key';
const PASSPHRASE = 'a passphrase of ours';
const ask = (platform: TestPlatform, login: { token: string; loginSecret: string }, more: object = {}) =>
  platform.call('POST', PATH, {
    token: login.token,
    body: { login_secret: login.loginSecret, passphrase: PASSPHRASE, ...more },
  });
const skip = without('openssl');

onPlatform(
  'the account key',
  (platform) => {
    before(() => platform().context.dispatcher.start());

    test('is shown with its fingerprint, the one people and machines see', async () => {
      const company = await registerCompany(platform());
      const answer = await platform().call('GET', PATH, { token: company.token });
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const account = await platform().must('GET', '/api/account', { token: company.token });
      const { account_public_key: public_key, account_public_key_sha256: public_key_sha256 } = account;
      assert.deepEqual(answer.body, { public_key, public_key_sha256 });
      const der = Buffer.from(public_key, 'base64');
      assert.equal(createHash('sha256').update(der).digest('hex'), public_key_sha256);
    });

    test('comes with the login secret, as a PEM under a passphrase, and is recorded', async () => {
      const company = await registerCompany(platform());
      const { token } = company;
      const { body: shown } = await platform().call('GET', PATH, { token });
      const answer = await ask(platform(), company);
      proves('route:GET /api/account-key', 'route:POST /api/account-key');
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const { private_key_pem, ...half } = answer.body;
      assert.deepEqual(half, shown);
      assert.match(private_key_pem, /^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
      assert.deepEqual(inspectPem(private_key_pem), {
        cipher: 'AES-256-CBC',
        kdf: 'PBKDF2',
        prf: 'HMAC-SHA256',
        iterations: 100_000,
      });
      const key = createPrivateKey({ key: private_key_pem, passphrase: PASSPHRASE });
      const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
      assert.equal(spki.toString('base64'), shown.public_key);
      const { items } = await platform().must('GET', '/api/account/audit-log', { token });
      assert.deepEqual([items[0].action, items[0].actor.name], ['account_key.opened', company.email]);
    });

    test('is for admins, who send the code of their second factor too', async () => {
      const company = await registerCompany(platform());
      const developer = await addDelegate(platform(), company, 'developer');
      const refused = await ask(platform(), developer);
      assert.deepEqual([refused.status, refused.body.error_key], [403, 'auth.role_forbidden']);
      const admin = await addDelegate(platform(), company, 'admin');
      const { code } = await enrolSecondFactor(platform(), admin);
      platform().clock.advance(30_000);
      assert.equal((await ask(platform(), admin)).body.error_key, 'auth.two_factor_required');
      assert.equal((await ask(platform(), admin, { code: code() })).status, 200);
      const short = await ask(platform(), company, { passphrase: '12345678901' });
      assert.deepEqual([short.status, short.body.error_key], [400, 'request.invalid']);
    });

    test('is not given to a wrong login secret, and guessing is slowed down', async () => {
      const company = await registerCompany(platform());
      const guess = { ...company, loginSecret: WRONG_SECRET };
      const wrong = await ask(platform(), guess);
      assert.deepEqual([wrong.status, wrong.body.error_key], [401, 'auth.credentials_invalid']);
      assert.ok(!wrong.text.includes('PRIVATE KEY'));
      for (let tries = 1; tries < 10; tries++) await ask(platform(), guess);
      const throttled = await ask(platform(), company);
      assert.deepEqual([throttled.status, throttled.body.error_key], [429, 'auth.throttled']);
      assert.ok(Number(throttled.headers.get('retry-after')) > 0);
      // Guesses here are guesses of the same secret as at the front door.
      const { email, loginSecret: login_secret } = company;
      const signIn = await platform().call('POST', '/api/portal/sign-in', { body: { email, login_secret } });
      assert.equal(signIn.body.error_key, 'auth.throttled');
    });

    test('is not stored readable, and never given to a machine or a person', async () => {
      const company = await registerCompany(platform());
      const pem = (await ask(platform(), company)).body.private_key_pem;
      const der = Buffer.from(await decryptPem(pem, PASSPHRASE)).toString('base64');
      const rows = await platform().context.database.reader.selectFrom('companies').selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(der.slice(40, 80)));
      const machine = await dataToken(platform(), await createService(platform(), company));
      const person = await registerPerson(platform());
      for (const [token, key] of [
        [machine, 'auth.client_endpoint_forbidden'],
        [person.token, 'auth.forbidden'],
      ] as const) {
        const refused = await ask(platform(), { ...company, token });
        assert.deepEqual([refused.status, refused.body.error_key], [403, key]);
      }
    });

    for (const format of ['json', 'xml'] as const) {
      // The recipe of the documentation: OpenSSL's own default digest, which is SHA-1 (wire 6.4).
      test(`opens the envelope of a real ${format} delivery with openssl`, { skip }, async (t) => {
        const sink = await Sink.start();
        t.after(() => sink.stop());
        const company = await registerCompany(platform());
        const { token } = company;
        const service = await createService(platform(), company);
        await platform().must('POST', `/api/services/${service.id}/webhooks`, {
          token,
          body: { url: sink.url, format, encrypt_payload: true, auth_type: 'none' },
        });
        const person = await registerPerson(platform());
        await connect(platform(), person, service);
        const [delivery] = await sink.count(1);
        assert.ok(delivery);
        const { k, iv, d } = delivery.body;
        const { private_key_pem } = (await ask(platform(), company)).body;

        const aesKey = unwrapByOpenssl(private_key_pem, k);
        const sealed = Buffer.from(d, 'base64');
        const decipher = createDecipheriv('aes-256-gcm', aesKey, Buffer.from(iv, 'base64'));
        decipher.setAuthTag(sealed.subarray(-16));
        const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString();
        if (format === 'json') {
          const event = JSON.parse(text);
          assert.deepEqual([event.event, event.person_user_id], ['connection_created', person.id]);
        } else {
          assert.match(text, /^<\?xml version="1\.0" encoding="UTF-8"\?><response>/);
          assert.ok(text.includes(`<person_user_id>${person.id}</person_user_id>`));
        }
      });
    }
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);

/** The AES key of an envelope, by another program than ours. */
function unwrapByOpenssl(pem: string, k: string): Buffer {
  using folder = temporaryFolder();
  const key = folder.file('account.pem');
  writeFileSync(key, pem, { mode: 0o600 });
  const options = ['-inkey', key, '-passin', `pass:${PASSPHRASE}`, '-pkeyopt', 'rsa_padding_mode:oaep'];
  const input = Buffer.from(k, 'base64');
  const { status, stdout, stderr } = spawnSync('openssl', ['pkeyutl', '-decrypt', ...options], { input });
  assert.equal(status, 0, stderr.toString());
  assert.equal(stdout.length, 32);
  return stdout;
}
