import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ChangePump, DataClient } from '@symbolon/sdk';
import { RunningCommand, symbolon, symbolonProcess } from '@symbolon/testkit/cli/command';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('a company at its terminal', () => {
  let world: World;
  let config: string[];
  let phones = 0;
  before(async () => {
    world = await createWorld();
    config = ['--config', world.credentials.config_file];
  });
  after(() => world.clear());

  async function changePhone(): Promise<string> {
    const phone = `+4940555${String(++phones).padStart(4, '0')}`;
    const { mira } = world.players;
    await mira.client.editField(mira.field('mobile').id, phone);
    return phone;
  }

  async function emptyFeed(): Promise<void> {
    await using client = DataClient.fromFile(world.credentials.config_file);
    while ((await client.changes()).length > 0);
  }

  describe('symbolon connections', { concurrency: true }, () => {
    test('prints everyone, decrypted', async () => {
      const { code, stdout } = await symbolonProcess(['connections', '--json', ...config]);
      assert.equal(code, 0);
      const people = lines(stdout);
      assert.deepEqual(
        people.map(({ displayName }) => displayName),
        ['Mira', 'Jonas', 'Aiko'],
      );
      assert.equal(people[0].values.celebrate_on.value, '1991-07-16');
      assert.equal(people[0].values.email.verified, true);
      assert.equal(people[0].values.card.value.expiry, '09/31');
      assert.equal(people[0].values.card.live, false);
    });

    test('stops at a limit', async () => {
      const { stdout } = await symbolon(['connections', '--json', '--limit', '1', ...config]);
      assert.equal(lines(stdout).length, 1);
    });

    test('leaves values sealed when asked to', async () => {
      const { stdout } = await symbolon(['connections', '--sealed', '--json', ...config]);
      assert.notEqual(stdout, '');
      for (const { values } of lines(stdout)) {
        assert.equal(JSON.parse(values.full_name.sealed)._enc, 1);
        assert.equal('value' in values.full_name, false);
      }
    });

    test('is readable without --json, configured by the environment', async () => {
      const { client_id: id, client_secret: secret, private_key_file: key } = world.credentials;
      const { code, stdout, stderr } = await symbolon(['connections'], {
        env: {
          SYMBOLON_URL: world.url,
          SYMBOLON_CLIENT_ID: id,
          SYMBOLON_CLIENT_SECRET: secret,
          SYMBOLON_PRIVATE_KEY_FILE: key,
          SYMBOLON_CONFIG: world.credentials.config_file,
        },
      });
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^Mira {2}\w{6} {2}since \d{4}/);
      assert.match(stdout, /^ {2}email +mira\.okafor@post\.example {2}✓ verified$/m);
      assert.match(stdout, /^ {2}home +Skeppargatan, 9, Stockholm, 114 52, SE$/m);
    });

    test('says what is wrong with the credentials', async () => {
      const env = { SYMBOLON_CONFIG: world.credentials.config_file, SYMBOLON_CLIENT_SECRET: 'wrong' };
      const { code, stderr } = await symbolon(['connections'], { env });
      assert.equal(code, 1);
      assert.match(stderr, /^error: [^\n]+ Check client_id and client_secret; [^\n]+\n$/);
    });
  });

  describe('symbolon pump', () => {
    const folder = temporaryFolder();
    after(() => folder[Symbol.dispose]());
    let buffer: string;
    let files = 0;
    beforeEach(async () => {
      buffer = folder.file(`changes-${++files}.db`);
      await emptyFeed();
    });
    const pump = (...args: string[]) => symbolon(['pump', ...args, ...config, '--buffer', buffer]);

    test('--once prints what waits, opened, and then nothing more', async () => {
      const phone = await changePhone();
      const first = await pump('--once', '--json');
      assert.deepEqual([first.code, first.stderr], [0, '']);
      const [change, ...rest] = lines(first.stdout);
      assert.deepEqual(rest, []);
      assert.deepEqual(
        [change.event, change.slug, change.value, change.live],
        ['field_updated', 'phone', phone, true],
      );
      assert.equal(statSync(buffer).mode & 0o777, 0o600);
      assert.deepEqual(await pump('--once', '--json'), { code: 0, stdout: '', stderr: '' });
    });

    test('follows the feed until it is stopped', async () => {
      const running = new RunningCommand(['pump', ...config, '--buffer', buffer]);
      const first = await changePhone();
      await running.line(new RegExp(`field_updated +\\w+ +phone {2}\\${first}`));
      const second = await symbolon(['pump', '--once', ...config, '--buffer', buffer]);
      assert.equal(second.code, 1);
      assert.match(second.stderr, /^error: The buffer file [^\n]+ is in use[^\n]+\n$/);
      assert.equal((await running.end('SIGTERM')).code, 0);
    });

    test('loses nothing when its reader goes away', async () => {
      const running = new RunningCommand(['pump', '--json', ...config, '--buffer', buffer]);
      running.child.stdout?.destroy();
      const phone = await changePhone();
      assert.equal((await running.ended()).code, 0);
      const [change] = lines((await pump('--once', '--json')).stdout);
      assert.equal(change.value, phone);
    });

    test('lists what was given up and puts it back in line', async () => {
      const phone = await changePhone();
      await using client = DataClient.fromFile(world.credentials.config_file);
      const { promise: failed, resolve } = Promise.withResolvers<void>();
      const broken = new ChangePump({
        client,
        file: buffer,
        retries: 0,
        handle: () => {
          throw new Error(`cannot book ${phone}`);
        },
        onError: () => resolve(),
      });
      broken.start();
      await failed;
      await broken.stop();

      assert.deepEqual(await pump('--once', '--json'), { code: 0, stdout: '', stderr: '' });
      const [letter] = lines((await symbolon(['pump', 'dead', '--json', '--buffer', buffer])).stdout);
      assert.deepEqual([letter.event, letter.error], ['field_updated', 'Error: cannot book [removed]']);
      const unknown = await symbolon(['pump', 'redrive', 'nobody', '--buffer', buffer]);
      assert.match(unknown.stderr, /no dead letter nobody/);
      const redriven = await symbolon(['pump', 'redrive', letter.id, '--buffer', buffer]);
      assert.equal(redriven.stdout, '1 change is back in line.\n');
      const [change] = lines((await pump('--once', '--json')).stdout);
      assert.equal(change.value, phone);
    });

    test('gives up at once when the credentials are refused', async () => {
      const env = { SYMBOLON_CONFIG: world.credentials.config_file, SYMBOLON_CLIENT_SECRET: 'wrong' };
      const { code, stderr } = await symbolon(['pump', '--buffer', buffer], { env });
      assert.equal(code, 1);
      assert.match(stderr, /Check client_id and client_secret/);
    });
  });
});
