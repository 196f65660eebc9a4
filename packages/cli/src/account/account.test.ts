import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';

const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('symbolon account', () => {
  let world: World;
  let user: SignedIn;
  before(async () => {
    world = await createWorld();
    user = await signIn(world);
  });
  after(async () => {
    user[Symbol.dispose]();
    await world.clear();
  });
  const clients = async () => parsed((await user.run('clients', '--json')).stdout);

  test('clients are created, listed, given other capabilities and a new secret, and deleted', async () => {
    assert.equal((await user.run('clients')).stdout, 'There is none yet.\n');
    const created = await user.run(
      ...['clients', 'create', '--name', 'Deploy robot', '--purpose', 'deploy'],
      ...['--capability', 'service_management', 'oauth_apps', '--json'],
    );
    assert.deepEqual([created.code, created.stderr], [0, '']);
    const [made] = parsed(created.stdout);
    assert.match(made.client_secret, /^[\w-]{43}$/);
    const list = await user.run('clients');
    assert.match(
      list.stdout,
      /^client_id .*\nacct_\S+ {2}Deploy robot {2}service_management, oauth_apps {2}deploy\n$/,
    );
    assert.ok(!list.stdout.includes(made.client_secret));

    const regranted = await user.run('clients', 'set', 'deploy', '--capability', 'oauth_apps', '--json');
    assert.deepEqual(parsed(regranted.stdout), [{ client_id: made.client_id, capabilities: ['oauth_apps'] }]);
    const bare = await user.run('clients', 'set', made.client_id, '--capability');
    assert.equal(bare.code, 0, bare.stderr);
    assert.deepEqual((await clients())[0].capabilities, []);

    const file = `${user.folder}/robot.json`;
    const renew = ['clients', 'regenerate', made.client_id, '--out', file, '--yes'];
    const renewed = await user.run(...renew);
    assert.equal(renewed.code, 0, renewed.stderr);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { client_secret, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(rest, { base_url: world.url, client_id: made.client_id });
    assert.notEqual(client_secret, made.client_secret);
    assert.ok(!renewed.stdout.includes(client_secret));
    const over = await user.run(...renew);
    assert.deepEqual([over.code, over.stdout], [1, '']);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).client_secret, client_secret);

    const unasked = await user.run('clients', 'delete', made.client_id);
    assert.deepEqual([unasked.code, (await clients()).length], [2, 1]);
    assert.match(unasked.stderr, /^error: Programs that use it stop at once\. Give --yes for that\.\n$/);
    const deleted = await user.run('account', 'clients', 'delete', made.client_id, '--yes');
    assert.equal(deleted.stdout, `${made.client_id} is deleted.\n`, 'by its former name');
    const again = await user.run('clients', 'delete', made.client_id, '--yes');
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^error: There is no such client\. [^\n]+\n$/);
  });

  test('what is wrong is said in one line', async () => {
    const taken = ['clients', 'create', '--name', 'x', '--purpose', 'crm:hub'];
    assert.match((await user.run(...taken)).stderr, /account_clients\.purpose_reserved/);
    const unknown = await user.run('clients', 'create', '--name', 'x', '--capability', 'root');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /service_management/);
    const stranger = await symbolon(['clients']);
    assert.deepEqual(
      [stranger.code, stranger.stderr],
      [2, 'error: You are not signed in: symbolon login does that.\n'],
    );
  });

  test('a service is created with the recovery key that was confirmed', async () => {
    const { recovery_key_fingerprint: fingerprint } = world.credentials;
    const args = ['services', 'create', '--name', 'Kiosk', '--admin-email', 'ops@acme.example'];
    // As for a delegate who has confirmed no key yet: the owner's login knows it from its registration.
    const file = join(user.folder, 'symbolon', 'profiles', 'default.json');
    const { recovery_key_fingerprint: kept, ...profile } = JSON.parse(readFileSync(file, 'utf8'));
    assert.equal(kept, fingerprint);
    writeFileSync(file, JSON.stringify(profile));
    const unconfirmed = await user.run(...args, '--out', `${user.folder}/kiosk`);
    assert.deepEqual([unconfirmed.code, existsSync(`${user.folder}/kiosk`)], [1, false]);
    assert.match(
      unconfirmed.stderr,
      /^error: Nothing was sealed: [^\n]+symbolon account recovery-key[^\n]*\n$/,
    );
    const [shown] = parsed((await user.run('account', 'recovery-key', '--json')).stdout);
    assert.deepEqual([shown.fingerprint, shown.confirmed], [fingerprint, false]);
    assert.match(shown.words, /^[a-z]+ [a-z]+ [a-z]+ [a-z]+$/);
    const other = await user.run('account', 'recovery-key', '--confirm', '0'.repeat(64));
    assert.deepEqual([other.code, other.stdout], [1, '']);
    const confirmed = await user.run('account', 'recovery-key', '--confirm', fingerprint);
    assert.match(confirmed.stdout, /✓ confirmed {2}profile default\n$/);
    const created = await user.run(...args, '--out', `${user.folder}/kiosk`);
    assert.deepEqual([created.code, created.stderr], [0, '']);
  });

  test('an account client makes and lists services, with a key that only this side can open', async () => {
    const make = ['clients', 'create', '--name', 'Robot', '--capability', 'service_management'];
    const [made] = parsed((await user.run(...make, '--json')).stdout);
    const env = {
      SYMBOLON_URL: world.url,
      SYMBOLON_ACCOUNT_CLIENT_ID: made.client_id,
      SYMBOLON_ACCOUNT_CLIENT_SECRET: made.client_secret,
      SYMBOLON_RECOVERY_KEY_FINGERPRINT: world.credentials.recovery_key_fingerprint,
    };
    const out = `${user.folder}/key`;
    const args = ['services', 'create', '--name', 'Branch', '--admin-email', 'ops@acme.example'];
    const { SYMBOLON_RECOVERY_KEY_FINGERPRINT: _, ...unconfirmed } = env;
    const refused = await symbolon([...args, '--out', out], { env: unconfirmed });
    assert.deepEqual([refused.code, existsSync(out)], [1, false]);
    assert.match(refused.stderr, /^error: Nothing was sealed: [^\n]+RECOVERY_KEY_FINGERPRINT[^\n]+\n$/);
    const created = await symbolon([...args, '--out', out, '--json'], { env });
    assert.deepEqual([created.code, created.stderr], [0, '']);
    const [service] = parsed(created.stdout);
    const pem = readFileSync(service.private_key_file, 'utf8');
    const passphrase = readFileSync(service.passphrase_file, 'utf8').trim();
    assert.ok(createPrivateKey({ key: pem, passphrase }));
    assert.equal(statSync(service.passphrase_file).mode & 0o777, 0o600);
    assert.ok(!created.stdout.includes(passphrase));
    const list = parsed((await symbolonProcess(['account', 'services', '--json'], { env })).stdout);
    assert.ok(list.some(({ id }) => id === service.id));
    assert.match((await user.run('services')).stdout, /Branch +0 /);
    const second = await symbolon([...args, '--out', out], { env });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /may be the only copy of a key/);
    const half = await symbolon(['services'], { env: { SYMBOLON_ACCOUNT_CLIENT_ID: 'acct_x' } });
    assert.equal(half.code, 2);
    assert.match(half.stderr, /SYMBOLON_URL, SYMBOLON_ACCOUNT_CLIENT_SECRET/);
  });

  test('a key is replaced and a service deleted, and the work that this leaves is shown', async () => {
    const args = ['services', 'create', '--name', 'Stall', '--admin-email', 'ops@acme.example'];
    const made = await user.run(...args, '--out', `${user.folder}/stall`, '--json');
    const [{ id }] = parsed(made.stdout);
    const same = await user.run('services', 'replace-key', id, '--out', `${user.folder}/stall`, '--yes');
    assert.equal(same.code, 1);
    assert.match(same.stderr, /may be the only copy of a key/);
    const out = `${user.folder}/stall-2`;
    const replaced = await user.run('services', 'replace-key', id, '--out', out, '--json', '--yes');
    assert.deepEqual([replaced.code, replaced.stderr], [0, '']);
    const [key] = parsed(replaced.stdout);
    const passphrase = readFileSync(key.passphrase_file, 'utf8').trim();
    assert.ok(createPrivateKey({ key: readFileSync(key.private_key_file, 'utf8'), passphrase }));
    const none = await user.run('services', 'jobs', id);
    assert.equal(none.stdout, 'There is none yet.\n');
    const refused = await user.run('services', 'delete', user.serviceId, '--yes');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^error: People are connected [^\n]+ --confirm\.\n$/);
    const deleted = await user.run('services', 'delete', id, '--yes');
    assert.equal(deleted.stdout, `${id} is deleted.\n`);
    const [job] = parsed((await user.run('services', 'jobs', id, '--json')).stdout);
    assert.deepEqual([job.kind, job.state], ['service_deletion', 'done'], 'the command waited for it');
    const gone = await user.run('services', 'delete', id, '--yes');
    assert.equal(gone.code, 1);
  });
});
