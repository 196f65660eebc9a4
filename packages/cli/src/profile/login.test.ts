import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PortalClient } from '@symbolon/sdk/portal';
import { fromBase32, totpCode } from '@symbolon/testkit/actors/totp';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';
import { codeFromOutbox } from '../demo/outbox.ts';

describe('symbolon login', { concurrency: true }, () => {
  let world: World;
  before(async () => {
    world = await createWorld();
  });
  after(() => world.clear());

  test('keeps the session where only its owner reads it, and never the password', async () => {
    using user = await signIn(world);
    const file = join(user.folder, 'symbolon', 'profiles', 'default.json');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(user.folder, 'symbolon')).mode & 0o777, 0o700);
    const text = readFileSync(file, 'utf8');
    assert.ok(!text.includes(world.credentials.portal_password));
    const { token, ...profile } = JSON.parse(text);
    assert.match(token, /^sps_/);
    assert.deepEqual(Object.keys(profile), [
      'base_url',
      'email',
      'expires_at',
      'login_version',
      'recovery_key_fingerprint',
    ]);

    const secret = await user.run('listen', '--print-secret');
    assert.match(secret.stdout, /^whsec_[\w-]{43}\n$/);
    assert.deepEqual(await user.run('listen', '--print-secret'), secret, 'the same every time');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const account = `${world.url}/api/account`;
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(account, { headers })).status, 200);
    const logout = await user.run('logout');
    assert.deepEqual([logout.code, logout.stdout], [0, 'Signed out; the profile default is gone.\n']);
    assert.equal((await fetch(account, { headers })).status, 401);
    assert.equal((await user.run('logout')).code, 2);
  });

  test('says in one line what is missing or wrong', async () => {
    using folder = temporaryFolder();
    const env = { XDG_CONFIG_HOME: folder.path };
    const nobody = await symbolon(['login', '--url', world.url], { env });
    assert.deepEqual(
      [nobody.code, nobody.stderr],
      [2, 'error: Give the e-mail with --email or in SYMBOLON_EMAIL.\n'],
    );
    const email = world.credentials.portal_email;
    const silent = await symbolon(['login', '--url', world.url, '--email', email], { env });
    assert.deepEqual([silent.code, silent.stderr], [2, 'error: Give the password in SYMBOLON_PASSWORD.\n']);
    const wrong = await symbolonProcess(['login', '--url', world.url, '--email', email], {
      env: { ...env, SYMBOLON_PASSWORD: 'not this one' },
    });
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /^error: The e-mail address or the password is wrong\. [^\n]+\n$/);
    const before = await symbolon(['listen'], { env });
    assert.deepEqual(
      [before.code, before.stderr],
      [2, 'error: You are not signed in: symbolon login does that.\n'],
    );
    const named = await symbolon(['trigger', 'field_updated', '--profile', 'staging'], { env });
    assert.match(named.stderr, /There is no profile staging: symbolon login --profile staging makes it\./);
    const odd = await symbolon(['listen', '--profile', '../x'], { env });
    assert.equal(odd.code, 2);
  });

  test('asks for the second factor when it is on', async () => {
    using folder = temporaryFolder();
    const account = { baseUrl: world.url, email: 'factor@example.com', password: 'correct horse battery' };
    const code = async () => (await codeFromOutbox(world.folder, account.email)).code;
    const { security } = (await PortalClient.register({ ...account, name: 'Acme', code })).client;
    await security.mailCode('enrolTwoFactor');
    const { secret } = await security.enrolTwoFactor({ ...account, mailedCode: await code() });
    const [recoveryCode = ''] = await security.confirmTwoFactor(totpCode(fromBase32(secret), Date.now()));
    const env = {
      XDG_CONFIG_HOME: folder.path,
      SYMBOLON_EMAIL: account.email,
      SYMBOLON_PASSWORD: account.password,
    };
    const args = ['login', '--url', world.url];
    const silent = await symbolon(args, { env });
    assert.deepEqual([silent.code, silent.stderr], [2, 'error: Give the code in SYMBOLON_CODE.\n']);
    const wrong = await symbolon(args, { env: { ...env, SYMBOLON_CODE: '000000' } });
    assert.match(wrong.stderr, /^error: The code is wrong or was used before\. /);
    const given = await symbolon(args, { env: { ...env, SYMBOLON_CODE: recoveryCode } });
    assert.deepEqual([given.code, given.stderr], [0, '']);
  });

  test('several profiles are kept apart; a session that has ended asks to sign in again', async () => {
    using user = await signIn(world);
    const { portal_email, portal_password } = world.credentials;
    const env = { ...user.env, SYMBOLON_PASSWORD: portal_password };
    const args = ['login', '--url', world.url, '--email', portal_email, '--profile', 'second'];
    assert.equal((await symbolon(args, { env })).code, 0);
    assert.equal((await user.run('logout', '--profile', 'second')).code, 0);
    const file = join(user.folder, 'symbolon', 'profiles', 'default.json');
    const profile = { ...JSON.parse(readFileSync(file, 'utf8')), token: 'sps_gone' };
    // As an editor may have left it.
    writeFileSync(file, `\ufeff${JSON.stringify(profile)}`);
    const ended = await user.run('trigger', 'field_updated');
    assert.deepEqual(
      [ended.code, ended.stderr],
      [
        2,
        'error: The session of the profile default has ended. Sign in again: symbolon login --profile default\n',
      ],
    );
    writeFileSync(file, '{"token": 1}');
    assert.match((await user.run('trigger', 'field_updated')).stderr, /is not a profile\. Delete it/);
  });
});
