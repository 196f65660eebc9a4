import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, type World } from '@symbolon/testkit/cli/world';

describe('symbolon api and whoami', { concurrency: true }, () => {
  let world: World;
  let signedIn: SignedIn;
  before(async () => {
    world = await createWorld();
    signedIn = await signIn(world);
  });
  after(async () => {
    signedIn?.[Symbol.dispose]();
    await world?.clear();
  });

  test('call as the data client of a file, with a query', async () => {
    const config = ['--config', world.credentials.config_file];
    const page = await symbolon([
      'api',
      'GET',
      '/api/company-data/connections',
      '--query',
      'limit=1',
      ...config,
    ]);
    assert.equal(page.code, 0, page.stderr);
    assert.deepEqual([JSON.parse(page.stdout).total, JSON.parse(page.stdout).items.length], [3, 1]);
    const who = JSON.parse((await symbolon(['whoami', '--json', ...config])).stdout);
    assert.deepEqual([who.kind, who.service_id], ['data client', signedIn.serviceId]);
    const { stdout } = await symbolonProcess(['whoami', ...config]);
    // Another test renames the service.
    assert.match(stdout, new RegExp(`^[^ ].* of ${who.company_name}  data client at `));
    assert.deepEqual([who.company_name, typeof who.service_name], ['Harbour Bikes', 'string']);
  });

  test('call as the session that login keeps, with a body from text, file and stdin', async () => {
    const name = (body: readonly string[], input?: string) =>
      symbolon(['api', 'put', `/api/services/${signedIn.serviceId}`, ...body], {
        env: signedIn.env,
        ...(input !== undefined && { input }),
      });
    const renamed = await name(['--json', JSON.stringify({ name: 'By text' })]);
    assert.equal(JSON.parse(renamed.stdout).name, 'By text', renamed.stderr);
    const piped = await name(['--file', '-'], JSON.stringify({ name: 'By stdin' }));
    assert.equal(JSON.parse(piped.stdout).name, 'By stdin', piped.stderr);
    assert.match((await signedIn.run('whoami')).stdout, /portal session at .*profile default/);
  });

  test('call as an account client, whose file account clients create writes', async () => {
    const file = `${signedIn.folder}/robot.json`;
    await signedIn.run('clients', 'create', '--name', 'Robot', '--out', file);
    const who = await symbolon(['whoami', '--json', '--config', file]);
    assert.equal(JSON.parse(who.stdout).kind, 'account client', who.stderr);
    const { client_id, client_secret, base_url } = JSON.parse(readFileSync(file, 'utf8'));
    const env = {
      SYMBOLON_ACCOUNT_CLIENT_ID: client_id,
      SYMBOLON_ACCOUNT_CLIENT_SECRET: client_secret,
      SYMBOLON_URL: base_url,
    };
    assert.equal((await symbolonProcess(['api', 'GET', '/api/account'], { env })).code, 0);
  });

  test('call with a token of the environment', async () => {
    const { client_id, client_secret } = world.credentials;
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await fetch(`${world.url}/oauth2/token`, { method: 'POST', body });
    const { access_token: SYMBOLON_TOKEN } = (await answer.json()) as { access_token: string };
    const env = { SYMBOLON_TOKEN, SYMBOLON_URL: world.url };
    const who = JSON.parse((await symbolon(['whoami', '--json'], { env })).stdout);
    assert.equal(who.service_id, signedIn.serviceId);
    assert.equal((await symbolon(['whoami'], { env: { SYMBOLON_TOKEN } })).code, 2);
  });

  test('exit with 4 for a refusal, whose body is printed all the same', async () => {
    const { code, stdout, stderr } = await signedIn.run('api', 'GET', '/api/services/none');
    assert.equal(code, 4);
    assert.equal(JSON.parse(stdout).error_key, 'services.not_found');
    assert.match(stderr, /^error: 404 services\.not_found, request \S+\n$/);
  });

  test('exit with 2 for a call that makes no sense, and with 1 where nothing answers', async () => {
    for (const args of [
      ['GET', 'https://elsewhere.example/api'],
      ['GET', '//elsewhere.example/api'],
      ['FETCH', '/api/account'],
      ['PUT', '/api/account', '--json', '{'],
      ['PUT', '/api/account', '--json', '{}', '--file', 'x'],
      ['GET', '/api/account', '--query', 'limit'],
      ['GET', '/api/account', '--config', 'a', '--profile', 'b'],
    ]) {
      assert.equal((await signedIn.run('api', ...args)).code, 2, args.join(' '));
    }
    assert.equal((await symbolon(['whoami'])).code, 2);
    const env = { SYMBOLON_TOKEN: 'x', SYMBOLON_URL: 'http://127.0.0.1:1' };
    const { code, stderr } = await symbolon(['api', 'GET', '/api/account'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /does not answer \([^)]+\)\. Check the address, [^\n]+\n$/);
  });
});
