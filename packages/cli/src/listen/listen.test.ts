import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { ChangeEvent } from '@symbolon/protocol';
import { DataClient } from '@symbolon/sdk';
import { parseDelivery, verifyDelivery } from '@symbolon/sdk/webhooks';
import type { RunningCommand } from '@symbolon/testkit/cli/command';
import { Endpoint } from '@symbolon/testkit/cli/endpoint';
import { type SignedIn, signIn } from '@symbolon/testkit/cli/signed-in';
import { createWorld, temporaryFolder, type World } from '@symbolon/testkit/cli/world';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { without } from '@symbolon/testkit/tools';
import { Forwarder } from './forwarder.ts';
import { LocalReceiver } from './local-receiver.ts';
import { isThisMachine } from './this-machine.ts';

type Line = ChangeEvent & {
  type: string;
  sealed?: string;
  forwarded: { status?: number; error?: string } | null;
  answered: number | null;
  webhook_id: string;
  webhook_secret: string;
};

/** Lines so far, and the first that fits. */
async function lineWith(command: RunningCommand, fits: string): Promise<Line> {
  const [text] = await command.line(new RegExp(`^\\{[^\\n]*${fits}[^\\n]*\\}$`, 'm'));
  return JSON.parse(text);
}

const ready = (command: RunningCommand) => lineWith(command, '"type":"ready"');
const delivered = (command: RunningCommand, fits: string) =>
  lineWith(command, `"type":"delivery"[^\\n]*${fits}`);

describe('symbolon listen', () => {
  let world: World;
  let user: SignedIn;
  before(async () => {
    world = await createWorld({ loopback: true });
    user = await signIn(world);
  });
  after(async () => {
    user[Symbol.dispose]();
    await world.clear();
  });

  const webhooks = () => user.portal.webhooks(user.serviceId);
  /** The platform notes what it was answered a moment after the endpoint has answered. */
  const healthIs = async (health: string, backlog: number) => {
    await eventually(`the webhook is ${health} with ${backlog}`, async () => {
      const [webhook] = await webhooks();
      return webhook?.health === health && webhook.backlog === backlog ? true : undefined;
    });
  };
  let edits = 0;
  /** Mira gives herself another phone number. */
  const changePhone = async () => {
    const { client } = world.players.mira;
    const phone = `+49151555${String(++edits).padStart(5, '0')}`;
    await client.editField(world.players.mira.field('mobile').id, phone);
    return phone;
  };
  const opening = () => ['--config', world.credentials.config_file];

  for (const format of ['json', 'xml'] as const) {
    test(`forwards ${format} with the bytes and headers as they came, and shows it opened`, async () => {
      await using endpoint = await Endpoint.start();
      const args = ['--json', '--format', format, '--forward-to', endpoint.url, ...opening()];
      const command = user.start('listen', ...args);
      const { webhook_id, webhook_secret: secret } = await ready(command);
      const phone = await changePhone();
      const [taken] = await endpoint.count(1);
      assert.ok(taken);
      const { webhookId } = await verifyDelivery(taken, { authType: 'hmac', secret });
      assert.equal(webhookId, webhook_id);
      assert.equal(taken.path, '/hook?from=test');
      assert.equal(taken.headers['content-type'], `application/${format}`);
      assert.equal(taken.headers['x-platform-event'], 'field_updated');
      assert.match(taken.headers['user-agent'] ?? '', /^Symbolon\//);
      assert.equal(taken.headers.host, new URL(endpoint.url).host);
      const { event, ...parsed } = await parseDelivery(taken.body);
      assert.equal(parsed.format, format);
      const line = await delivered(command, '"slug":"phone"');
      assert.deepEqual([line.id, line.value, line.answered], [event.id, phone, 200]);
      assert.equal(line.forwarded?.status, 200);
      await healthIs('running', 0);
      const { code, stderr } = await command.end('SIGINT');
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(await webhooks(), []);
    });
  }

  test('tells the platform exactly what the endpoint answered', async () => {
    await using endpoint = await Endpoint.start();
    endpoint.answer = () => ({ status: 204, headers: { 'x-mine': '1' } });
    const command = user.start('listen', '--forward-to', endpoint.url);
    await command.line(/Listening to Harbour Bikes, Bike Club/);
    await changePhone();
    await command.line(/field_updated +\w+ +phone {2}\(sealed\) {2}→ 204 \d+ ms\n +Not a 200/);
    await healthIs('bad', 1);
    assert.equal((await command.end('SIGTERM')).code, 0);
  });

  test('an endpoint that is not there is no delivery either', async () => {
    const command = user.start('listen', '--json', '--forward-to', '127.0.0.1:1');
    await ready(command);
    await changePhone();
    const line = await delivered(command, 'field_updated');
    assert.deepEqual([line.forwarded?.error, line.answered], ['ECONNREFUSED', 502]);
    await healthIs('bad', 1);
    assert.equal((await command.end('SIGINT')).code, 0);
  });

  test('shows without forwarding, the events asked for alone', async () => {
    const command = user.start('listen', '--json', '--events', 'connection_deleted, field_updated');
    await ready(command);
    assert.deepEqual((await webhooks())[0]?.events, ['connection_deleted', 'field_updated']);
    await changePhone();
    const line = await delivered(command, 'field_updated');
    assert.deepEqual([line.forwarded, line.answered, typeof line.sealed], [null, 200, 'string']);
    await healthIs('running', 0);
    assert.equal((await command.end('SIGINT')).code, 0);
  });

  test('removes the webhook when its output is closed', async () => {
    const command = user.start('listen', '--json');
    await ready(command);
    command.child.stdout?.destroy();
    await changePhone();
    assert.equal((await command.ended()).code, 0);
    assert.deepEqual(await webhooks(), []);
  });

  test('removes what a killed listener left, and nothing else', async () => {
    const other = await user.portal.createWebhook(user.serviceId, { url: 'https://example.com/hook' });
    const living = user.start('listen', '--json');
    const { webhook_id: kept } = await ready(living);
    const killed = user.start('listen', '--json');
    const { webhook_id: left } = await ready(killed);
    await killed.end('SIGKILL');
    assert.ok((await webhooks()).some(({ id }) => id === left));
    const next = user.start('listen');
    await next.line(/Webhooks that earlier listeners left behind were removed: 1\./);
    const ids = (await webhooks()).map(({ id }) => id);
    assert.deepEqual([ids.includes(left), ids.includes(kept), ids.includes(other.id)], [false, true, true]);
    await Promise.all([next.end('SIGINT'), living.end('SIGINT')]);
    assert.deepEqual(
      (await webhooks()).map(({ id }) => id),
      [other.id],
    );
    await user.portal.deleteWebhook(user.serviceId, other.id);
  });

  test('refuses what it cannot use', async () => {
    for (const [args, text] of [
      [['--events', 'nothing_such'], /There is no event nothing_such\./],
      [['--events', 'a b'], /It takes names of events/],
      [['--format', 'yaml'], /It takes json or xml/],
      [['--forward-to', 'http://'], /--forward-to takes an address/],
      [['--service', 'NOPE'], /The company has no service NOPE\. It has CLUB \(Bike Club\)\./],
      [['--poll-feed'], /--poll-feed needs a data client/],
      [['--poll-feed', '--format', 'xml'], /--poll-feed gives JSON only/],
    ] as const) {
      const { code, stdout, stderr } = await user.run('listen', ...args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, text);
    }
    assert.deepEqual(await webhooks(), []);
  });

  test('a platform that does not call this machine is reported in one line, with the price of the other way', async () => {
    const strict = await createWorld();
    using visitor = await signIn(strict);
    const { code, stdout, stderr } = await visitor.run('listen', '--forward-to', 'localhost:3000');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^error: The platform does not call this machine \(services\.webhook_url_invalid\)\.[^\n]+--poll-feed, which DRAINS the pull feed[^\n]+\n$/,
    );
    assert.deepEqual(await visitor.portal.webhooks(visitor.serviceId), []);
    // Nothing was taken from the feed meanwhile.
    await using client = DataClient.fromFile(strict.credentials.config_file);
    assert.ok((await client.changes()).length > 0);
    await strict.clear();
  });

  test('--poll-feed drains the feed, says so, and keeps what the endpoint does not take', async () => {
    await using endpoint = await Endpoint.start();
    await using client = DataClient.fromFile(world.credentials.config_file);
    while ((await client.changes({ limit: 500 })).length > 0);
    const statuses = [500, 200];
    endpoint.answer = () => ({ status: statuses.shift() ?? 200 });
    const command = user.start('listen', '--poll-feed', '--forward-to', endpoint.url, ...opening());
    await command.line(/Draining the pull feed: no other client gets the events shown here\./);
    const phone = await changePhone();
    await command.line(new RegExp(`phone {2}\\${phone} {2}→ 500 \\d+ ms`));
    await command.line(new RegExp(`phone {2}\\${phone} {2}→ 200 \\d+ ms`));
    const [first, second] = await endpoint.count(2);
    assert.deepEqual(first?.body, second?.body);
    const secret = (await user.run('listen', '--print-secret')).stdout.trim();
    const signature = createHmac('sha256', secret)
      .update(first?.body ?? '')
      .digest('hex');
    assert.equal(first?.headers['x-platform-signature'], signature);
    assert.equal((await command.end('SIGINT')).code, 0);
    assert.deepEqual(await client.changes(), []);
    assert.deepEqual(await webhooks(), []);
  });
});

describe('forwarding', () => {
  test('an answer comes back with its status, headers and body', async () => {
    await using endpoint = await Endpoint.start();
    endpoint.answer = () => ({ status: 418, headers: { 'x-mine': 'a, b' }, body: 'short and stout' });
    const forwarder = new Forwarder(new URL(endpoint.url), {});
    const receiver = await LocalReceiver.start(async (incoming, response) => {
      await forwarder.relay(incoming, response);
    });
    const answer = await fetch(receiver.url, { method: 'POST', body: 'hello' });
    assert.deepEqual(
      [answer.status, answer.headers.get('x-mine'), await answer.text()],
      [418, 'a, b', 'short and stout'],
    );
    const elsewhere = new URL('/', receiver.url);
    assert.equal((await fetch(elsewhere, { method: 'POST' })).status, 404);
    await receiver.stop();
  });

  test('an answer after the platform has hung up is reported as too late', async () => {
    await using endpoint = await Endpoint.start();
    const forwarder = new Forwarder(new URL(endpoint.url), {});
    const told = Promise.withResolvers<unknown>();
    const receiver = await LocalReceiver.start(async (incoming, response) => {
      sender.destroy();
      await new Promise((resolve) => response.once('close', resolve));
      const { durationMs: _, ...outcome } = (await forwarder.relay(incoming, response)) as {
        durationMs: number;
      };
      told.resolve(outcome);
    });
    const sender = request(receiver.url, { method: 'POST' });
    sender.on('error', () => undefined);
    sender.end('hello');
    assert.deepEqual(await told.promise, { kind: 'answered', status: 200, tooLate: true });
    await receiver.stop();
  });

  const skip = without('openssl');
  test('checks the certificate of an endpoint by default', { skip }, async () => {
    using folder = temporaryFolder();
    const key = folder.file('key.pem');
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'],
      ...['-subj', '/CN=localhost', '-days', '1', '-keyout', key],
    ]);
    await using endpoint = await Endpoint.start({
      key: readFileSync(key, 'utf8'),
      cert: made.stdout.toString(),
    });
    const post = { rawHeaders: ['content-length', '2'], body: Buffer.from('{}') };
    const outcomes = [];
    for (const skipVerify of [false, true]) {
      outcomes.push(await new Forwarder(new URL(endpoint.url), { skipVerify }).post(post));
    }
    assert.deepEqual(
      outcomes.map((outcome) => ('reason' in outcome ? outcome.reason : outcome.kind)),
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 'answered'],
    );
  });

  test('knows the addresses of this machine', async () => {
    for (const url of [
      'http://127.0.0.1:8080',
      'http://localhost',
      'http://[::1]:8080',
      'https://127.9.9.9',
    ]) {
      assert.equal(await isThisMachine(url), true, url);
    }
    for (const url of ['https://203.0.113.7', 'https://[2001:db8::1]', 'https://nobody.invalid']) {
      assert.equal(await isThisMachine(url), false, url);
    }
  });
});
