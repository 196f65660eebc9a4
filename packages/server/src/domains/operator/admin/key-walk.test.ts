import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  createDataClient,
  createService,
  registerCompany,
  registerPerson,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import { signIn } from '@symbolon/testkit/actors/portal-logins';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import { engines } from '@symbolon/testkit/platform/engines';
import { insidesOf } from '@symbolon/testkit/platform/insides';
import { OPERATOR, startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { pino } from 'pino';
import { createContext } from '../../../context.ts';
import { ConfigError } from '../../../core/config-error.ts';

/** The procedure of the operating page, with everything that hangs on a key used before, during and after. */

const log = pino({ level: 'silent' });
const HOUR_MS = 60 * 60_000;
const secret = () => randomBytes(32).toString('base64');

const keys = (platform: TestPlatform, method: string, path: string) =>
  platform.call(method, `/api/admin/keys${path}`, { token: OPERATOR });
const versionOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
/** Walks from version 1 to version 2 and lets go of version 1. */
async function walk(platform: TestPlatform): Promise<void> {
  const company = await registerCompany(platform);
  const service = await createService(platform, company);
  const client = await createDataClient(platform, service);
  const clientToken = () => tokenFor(platform, client.clientId, client.clientSecret);
  const person = await registerPerson(platform);
  const tokens = { client: await clientToken(), person: person.token };
  const status = async (path: string, token: string) => (await platform.call('GET', path, { token })).status;
  const works = async (session: string, token: string) =>
    assert.deepEqual(
      [
        await status('/api/account', session),
        await status('/api/company-data/request-fields', token),
        await status('/api/person/me', tokens.person),
      ],
      [200, 200, 200],
    );
  assert.equal(versionOf(tokens.client), '1');

  assert.equal((await keys(platform, 'POST', '/rotate')).body.remaining, 0);

  // What was made before works on, and what is made from now on is of version 2.
  await works(company.token, tokens.client);
  const newToken = await clientToken();
  assert.equal(versionOf(newToken), '2');
  const newSession = await signIn(platform, company);
  await works(newSession, newToken);
  const rehashed = await platform.context.database.reader
    .selectFrom('clients')
    .select('secret_hash')
    .executeTakeFirstOrThrow();
  assert.match(rehashed.secret_hash, /^2:[0-9a-f]{64}$/, 'the hash of a secret that was shown is replaced');
  await works(newSession, await clientToken());

  // Version 1 still has access tokens, a session, and two recovery codes.
  const early = await keys(platform, 'DELETE', '/1');
  assert.deepEqual([early.status, early.body.error_key], [409, 'admin.key_in_use']);
  assert.deepEqual([early.body.encrypted, early.body.hashes], [0, 3]);
  assert.ok(Date.parse(early.body.tokens_until) > platform.clock.now());
  platform.clock.advance(13 * HOUR_MS);
  await platform.must('POST', '/api/admin/purge', { token: OPERATOR });
  const later = await keys(platform, 'DELETE', '/1');
  assert.deepEqual(
    [later.status, later.body.hashes, later.body.tokens_until],
    [409, 2, null],
    'the recovery codes of person and company are left',
  );
  const recovery = { email: person.email, recovery_secret: person.recoverySecret };
  const ask = () => platform.call('POST', '/api/person/recover/key', { body: recovery });
  assert.equal((await ask()).status, 200);
  assert.equal((await keys(platform, 'DELETE', '/1?force=true')).status, 204);
  assert.equal((await ask()).body.error_key, 'account.recovery_invalid', 'it ends with the version');

  const view = (await keys(platform, 'GET', '')).body;
  assert.deepEqual(
    [view.current, view.versions.filter((row: { available: boolean }) => row.available).length],
    [2, 1],
  );
  const account = await platform.call('POST', '/api/account-key', {
    token: await signIn(platform, company),
    body: { login_secret: company.loginSecret, passphrase: 'a passphrase of ours' },
  });
  assert.equal(account.status, 200);
  assert.equal(await status('/api/company-data/request-fields', await clientToken()), 200);
  assert.equal(await status('/api/person/me', tokens.person), 401);
}

for (const engine of engines) {
  describe(`every key can be changed without an outage (${engine})`, () => {
    test('with keys in the data folder', async () => {
      await using platform = await startPlatform(engine);
      proves('error:admin.key_in_use');
      await walk(platform);
      const again = insidesOf(await createContext(platform.context.config, { clock: platform.clock, log }));
      assert.deepEqual(again.secrets.keys.versions, [2]);
      await again.stop();
    });

    test('with keys in SYMBOLON_SECRET', async () => {
      const [first, second] = [secret(), secret()];
      await using platform = await startPlatform(engine, {
        SYMBOLON_SECRET: `${first},2:${second}`,
      });
      const startWith = (changed: string) =>
        createContext({ ...platform.context.config, secret: changed }, { clock: platform.clock, log });
      await assert.rejects(
        startWith(`2:${second}`),
        (error: Error) => error instanceof ConfigError && /lacks version 1 .*keys drop 1/.test(error.message),
        'a version is not left out before it was dropped',
      );
      await walk(platform);
      const again = insidesOf(await startWith(`2:${second}`));
      assert.deepEqual(again.secrets.keys.versions, [2]);
      await again.stop();
      const both = insidesOf(await startWith(`${first},2:${second}`));
      assert.deepEqual(both.secrets.keys.versions, [2], 'a dropped version is not taken up again');
      await both.stop();
    });

    test('and a database with rows refuses another secret', async () => {
      await using platform = await startPlatform(engine, { SYMBOLON_SECRET: secret() });
      const start = (changed: string | undefined, dataDir = platform.dataDir) =>
        createContext(
          { ...platform.context.config, dataDir, secret: changed },
          { clock: platform.clock, log },
        );
      const refused = (error: Error) =>
        error instanceof ConfigError && !error.message.includes('\n') && /another secret/.test(error.message);
      using elsewhere = temporaryFolder();
      const company = await registerCompany(platform);
      await assert.rejects(start(secret()), refused);
      if (engine === 'sqlite') await cp(platform.dataDir, elsewhere.path, { recursive: true });
      await assert.rejects(start(undefined, elsewhere.path), refused, 'a secret.key that was just made');
      await insidesOf(await start(platform.context.config.secret)).stop();
      assert.equal((await platform.call('GET', '/api/account', { token: company.token })).status, 200);
    });
  });
}
