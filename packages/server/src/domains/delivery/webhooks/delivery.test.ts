import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { afterEach, before, beforeEach, test } from 'node:test';
import type { Webhook } from '@symbolon/protocol';
import {
  connect,
  createField,
  createService,
  createWebhook,
  dataToken,
  registerCompany,
  registerPerson,
  sealed,
  type TestPerson,
  type TestService,
} from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { type Received, Sink } from '@symbolon/testkit/servers/sink';
import { webhookPace } from './pace.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A service with one webhook at a sink, and a person with a field shared live. */
class Scene {
  readonly platform: TestPlatform;
  readonly sink: Sink;
  readonly service: TestService;
  readonly person: TestPerson;
  readonly webhook: { id: string; hmac_secret_once: string };
  connection = '';
  field = '';

  private constructor(parts: Pick<Scene, 'platform' | 'sink' | 'service' | 'person' | 'webhook'>) {
    this.platform = parts.platform;
    this.sink = parts.sink;
    this.service = parts.service;
    this.person = parts.person;
    this.webhook = parts.webhook;
  }

  static async set(platform: TestPlatform, sink: Sink, options: object = {}): Promise<Scene> {
    const company = await registerCompany(platform);
    const service = await createService(platform, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
    const webhook = await createWebhook(platform, service, { url: sink.url, ...options });
    return new Scene({ platform, sink, service, person: await registerPerson(platform), webhook });
  }

  async connect(): Promise<void> {
    this.field = await createField(this.platform, this.person, { type: 'text', slug: 'nick', value: 'zero' });
    this.connection = await connect(this.platform, this.person, this.service, {
      nick: { field: this.field, value: 'zero' },
    });
  }

  async edit(value: string): Promise<void> {
    await this.platform.must('PUT', `/api/person/fields/${this.field}`, {
      token: this.person.token,
      body: {
        value: await sealed(value),
        copies: [
          {
            connection_id: this.connection,
            request_field_id: this.service.rows.nick,
            value: await sealed(value),
          },
        ],
      },
    });
  }

  /** Everything that may be sent has been. */
  settle = async () => {
    // PostgreSQL's signals come in their own time; a look at what is due does not wait for them.
    await this.platform.context.dispatcher.scan();
    await this.platform.context.dispatcher.idle();
  };

  async probeNow(): Promise<void> {
    this.platform.clock.advance(webhookPace.probePauseMs);
    await this.settle();
  }

  /** Its events are gone from the queue when its run has ended. */
  async look(): Promise<Pick<Webhook, 'health' | 'backlog' | 'next_probe_at' | 'last_failure'>> {
    return this.platform.must('GET', `/api/services/${this.service.id}/webhooks/${this.webhook.id}`, {
      token: this.service.company.token,
    });
  }

  /** What is in the queue, as the database has it. */
  async waiting(): Promise<{ id: string }[]> {
    return this.platform.context.database.reader
      .selectFrom('webhook_events')
      .select('id')
      .where('webhook_id', '=', this.webhook.id)
      .execute();
  }

  async transitions(): Promise<string[]> {
    const rows = await this.platform.context.database.reader
      .selectFrom('service_logs')
      .select('message')
      .where('service_id', '=', this.service.id)
      .where('message', 'like', 'Webhook health%')
      .orderBy('id')
      .execute();
    return rows.map((row) => row.message.replace('Webhook health: ', ''));
  }

  async values(deliveries: readonly Received[] = this.sink.received): Promise<string[]> {
    return Promise.all(
      deliveries
        .filter(({ body }) => body.event === 'field_updated')
        .map(({ body }) => this.service.open(body.value)),
    );
  }
}

onEachEngine(
  'delivering webhooks',
  (platform) => {
    let sink: Sink;
    before(() => platform().context.dispatcher.start());
    beforeEach(async () => {
      sink = await Sink.start();
    });
    afterEach(() => sink.stop());

    test('sends every change once, in order, signed, as soon as it happens', async () => {
      const scene = await Scene.set(platform(), sink);
      await scene.connect();
      await sink.count(1);
      await scene.edit('one');
      await sink.count(2);
      await scene.edit('two');
      await sink.count(3);
      await scene.settle();
      assert.deepEqual(
        sink.received.map(({ body }) => body.event),
        ['connection_created', 'field_updated', 'field_updated'],
      );
      assert.deepEqual(await scene.values(), ['one', 'two']);
      for (const { headers, text, body } of sink.received) {
        const signature = createHmac('sha256', scene.webhook.hmac_secret_once).update(text).digest('hex');
        assert.equal(headers['x-platform-signature'], signature);
        assert.equal(headers['x-platform-webhook-id'], scene.webhook.id);
        assert.equal(headers['x-platform-event'], body.event);
        assert.equal(headers['content-type'], 'application/json');
        assert.match(headers['user-agent'] ?? '', /^Symbolon\//);
        assert.equal(body.person_user_id, scene.person.id);
      }
      assert.deepEqual(await scene.transitions(), ['unknown → running']);
      assert.equal((await scene.look()).backlog, 0);
      proves('limit:webhook-in-flight');
    });

    test('delivering a webhook leaves the pull feed as it is', async () => {
      const scene = await Scene.set(platform(), sink);
      const token = await dataToken(platform(), scene.service);
      await scene.connect();
      await sink.count(1);
      const { changes } = await platform().must('GET', '/api/company-data/changes', { token });
      assert.deepEqual(
        changes.map((change: { event: string }) => change.event),
        ['connection_created'],
      );
    });

    test('a webhook sends only the events it is subscribed to', async () => {
      const scene = await Scene.set(platform(), sink, { events: ['connection_deleted'] });
      await scene.connect();
      await scene.edit('one');
      await platform().must('DELETE', `/api/person/connections/${scene.connection}`, {
        token: scene.person.token,
      });
      await sink.count(1);
      await scene.settle();
      assert.deepEqual(
        sink.received.map(({ body }) => body.event),
        ['connection_deleted'],
      );
    });

    test('a webhook does not hear of a change that has become one that it is not subscribed to', async () => {
      const scene = await Scene.set(platform(), sink, { events: ['field_updated'] });
      await scene.connect();
      sink.react = () => 500;
      await scene.edit('one');
      await sink.count(1);
      await scene.settle();
      const { field, connection, service } = scene;
      const map = async (decision: object) =>
        platform().must('PUT', `/api/person/connections/${connection}/mappings`, {
          token: scene.person.token,
          body: { decisions: [{ request_field_id: service.rows.nick, ...decision }] },
        });
      await map({ kind: 'remove' });
      sink.react = () => 200;
      await scene.probeNow();
      assert.deepEqual([sink.received.length, await scene.waiting()], [1, []]);
      assert.equal((await scene.look()).health, 'unknown', 'nothing was sent that could tell');
      await map({ kind: 'live', field_id: field, value: await sealed('one') });
      await scene.edit('two');
      await sink.count(2);
      await scene.settle();
      assert.deepEqual(await scene.values(sink.received.slice(1)), ['two']);
      assert.equal((await scene.look()).health, 'running');
    });

    for (const status of [201, 202, 204, 302, 400, 404, 500] as const) {
      test(`takes ${status} for a failure, parks all, and replays in order after a good probe`, async () => {
        const scene = await Scene.set(platform(), sink);
        await scene.connect();
        await sink.count(1);
        await scene.settle();
        sink.react = () => status;
        await scene.edit('one');
        await sink.count(2);
        await scene.settle();
        await scene.edit('two');
        await scene.settle();
        assert.equal(sink.received.length, 2, 'nothing follows a failure');
        const parked = await scene.look();
        assert.deepEqual([parked.health, parked.backlog], ['bad', 2]);
        const failure = {
          at: new Date(platform().clock.now()).toISOString(),
          status,
          kind: 'status',
          reason: `answered ${status}, not 200`,
        };
        assert.deepEqual(parked.last_failure, failure);
        await scene.probeNow();
        assert.equal(sink.received.length, 3, 'a probe sends the oldest row alone');
        assert.equal((await scene.look()).health, 'bad');
        sink.react = () => 200;
        await scene.edit('three');
        await scene.probeNow();
        await sink.count(6);
        const good = sink.received.slice(3);
        assert.deepEqual(
          await scene.values(good),
          ['three', 'three', 'three'],
          'each carries the state at delivery',
        );
        const ids = good.map(({ body }) => body.id);
        assert.equal(ids[0], sink.received[2]?.body.id, 'a replay carries the id of its row');
        assert.deepEqual([...ids].sort(), ids);
        assert.deepEqual(await scene.transitions(), [
          'unknown → running',
          'running → bad',
          'bad → unknown',
          'unknown → bad',
          'bad → unknown',
          'unknown → running',
        ]);
        await scene.settle();
        const healed = await scene.look();
        assert.deepEqual([healed.health, healed.backlog, healed.next_probe_at], ['running', 0, null]);
        assert.deepEqual(
          healed.last_failure?.status,
          status,
          'what failed last stays visible when it runs again',
        );
        proves(
          'limit:webhook-retry-cycle',
          'state:webhook.bad-unknown',
          'state:webhook.created-unknown',
          'state:webhook.running-bad',
          'state:webhook.unknown-bad',
          'state:webhook.unknown-running',
        );
      });
    }

    // The law asks for the status 200 and says nothing of a body: pages of a framework may come with it.
    for (const [status, health] of [
      [200, 'running'],
      [500, 'bad'],
    ] as const) {
      test(`an answer ${status} with a body that nobody reads to its end is an answer ${status}`, async () => {
        const scene = await Scene.set(platform(), sink);
        sink.react = () => ({ status, body: 'a'.repeat(200_000) });
        await scene.connect();
        await sink.count(1);
        await scene.settle();
        const look = await scene.look();
        assert.equal(look.health, health);
        assert.equal(look.last_failure?.status, status === 200 ? undefined : status);
        assert.equal((await scene.waiting()).length, status === 200 ? 0 : 1);
      });
    }

    test('a connection reset fails a webhook delivery', async () => {
      const scene = await Scene.set(platform(), sink);
      sink.react = () => 'reset';
      await scene.connect();
      await sink.count(1);
      await scene.settle();
      const { health, last_failure } = await scene.look();
      assert.deepEqual([health, last_failure?.kind, last_failure?.status], ['bad', 'reset', null]);
    });

    test('an endpoint that is gone is a failure', async () => {
      const scene = await Scene.set(platform(), sink);
      await sink.stop();
      await scene.connect();
      await scene.settle();
      const { health, backlog, last_failure } = await scene.look();
      assert.deepEqual([health, backlog, last_failure?.kind], ['bad', 1, 'connect']);
      assert.match(last_failure?.reason ?? '', /^connect: /);
    });

    test('one webhook that hangs slows no other', async () => {
      const slow = await Scene.set(platform(), sink);
      sink.react = () => 'hang';
      await slow.connect();
      await sink.count(1);
      await using quickSink = await Sink.start();
      const quick = await Scene.set(platform(), quickSink);
      await quick.connect();
      await quick.edit('one');
      await quickSink.count(2);
      await sink.stop();
      await slow.settle();
    });

    test('a webhook that is switched off receives nothing, and what happened meanwhile never comes', async () => {
      const scene = await Scene.set(platform(), sink);
      const path = `/api/services/${scene.service.id}/webhooks/${scene.webhook.id}`;
      const { token } = scene.service.company;
      await platform().must('PUT', path, { token, body: { url: sink.url, enabled: false } });
      await scene.connect();
      await platform().must('PUT', path, { token, body: { url: sink.url, enabled: true } });
      await scene.edit('one');
      await sink.count(1);
      await scene.settle();
      assert.deepEqual(
        sink.received.map(({ body }) => body.event),
        ['field_updated'],
      );
    });

    test('a deleted webhook drops its backlog', async () => {
      const scene = await Scene.set(platform(), sink);
      sink.react = () => 500;
      await scene.connect();
      await sink.count(1);
      await scene.settle();
      await platform().must('DELETE', `/api/services/${scene.service.id}/webhooks/${scene.webhook.id}`, {
        token: scene.service.company.token,
      });
      assert.deepEqual(await scene.waiting(), []);
    });

    test('the backlog of a deleted webhook goes in steps when it is long', async () => {
      const scene = await Scene.set(platform(), sink);
      sink.react = () => 500;
      await scene.connect();
      await sink.count(1);
      await scene.settle();
      const { database, jobWorker } = platform().context;
      const [row] = await database.reader
        .selectFrom('webhook_events')
        .selectAll()
        .where('webhook_id', '=', scene.webhook.id)
        .execute();
      assert.ok(row);
      const { seq: _, ...copy } = row;
      await database.write((writer) =>
        writer
          .insertInto('webhook_events')
          .values(Array.from({ length: 300 }, (_, index) => ({ ...copy, id: `${row.id}-${index}` })))
          .execute(),
      );
      await platform().must('DELETE', `/api/services/${scene.service.id}/webhooks/${scene.webhook.id}`, {
        token: scene.service.company.token,
      });
      assert.equal((await scene.waiting()).length, 201);
      await jobWorker.run();
      assert.deepEqual(await scene.waiting(), []);
    });

    test('after the deletion of its service nothing is sent', async () => {
      const scene = await Scene.set(platform(), sink);
      await scene.connect();
      await sink.count(1);
      await scene.settle();
      let answer = (_status: number) => {};
      sink.react = () => new Promise<number>((resolve) => (answer = resolve));
      for (const value of ['one', 'two', 'three']) await scene.edit(value);
      await sink.count(2);
      await platform().must('DELETE', `/api/services/${scene.service.id}?confirm=true`, {
        token: scene.service.company.token,
      });
      sink.react = () => 200;
      answer(200);
      await scene.settle();
      assert.equal(sink.received.length, 2);
      assert.equal((await scene.waiting()).length, 2, 'a job deletes them');
    });

    test('the backlog can be drained by hand, and then the probe finds nothing', async () => {
      const scene = await Scene.set(platform(), sink);
      const token = await dataToken(platform(), scene.service);
      const drain = (limit = 100) =>
        platform().must('GET', `/api/company-data/changes?webhook_id=${scene.webhook.id}&limit=${limit}`, {
          token,
        });
      sink.react = () => 500;
      await scene.connect();
      await sink.count(1);
      await scene.edit('one');
      await scene.settle();
      const first = await drain(1);
      assert.deepEqual(
        first.changes.map((change: { event: string }) => change.event),
        ['connection_created'],
      );
      const rest = (await drain()).changes as { event: string }[];
      assert.deepEqual(
        rest.map((change) => change.event),
        ['field_updated'],
      );
      assert.deepEqual((await drain()).changes, []);
      // What was drained is deleted once its answer has arrived.
      await eventually('the backlog is empty', async () =>
        (await scene.look()).backlog === 0 ? true : undefined,
      );
      sink.react = () => 200;
      await scene.probeNow();
      assert.equal(sink.received.length, 1);
      await scene.edit('two');
      await scene.probeNow();
      await sink.count(2);
      await scene.settle();
      assert.equal((await scene.look()).health, 'running');
      const unknown = await platform().call('GET', '/api/company-data/changes?webhook_id=nothing', { token });
      proves('error:company_data.webhook_not_found');
      assert.deepEqual([unknown.status, unknown.body.error_key], [404, 'company_data.webhook_not_found']);
    });

    test('an envelope is under the account key, signed over its own bytes', async () => {
      const scene = await Scene.set(platform(), sink, { encrypt_payload: true, format: 'xml' });
      await scene.connect();
      const [delivery] = await sink.count(1);
      assert.equal(delivery?.headers['content-type'], 'application/json');
      assert.deepEqual(Object.keys(delivery?.body), ['_enc', 'k', 'iv', 'd']);
      const signature = createHmac('sha256', scene.webhook.hmac_secret_once)
        .update(delivery?.text ?? '')
        .digest('hex');
      assert.equal(delivery?.headers['x-platform-signature'], signature);
      const account = await platform().must('GET', '/api/account', { token: scene.service.company.token });
      const key = createPublicKey({
        key: Buffer.from(account.account_public_key, 'base64'),
        format: 'der',
        type: 'spki',
      });
      assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
    });

    test('a webhook of format XML sends XML', async () => {
      const scene = await Scene.set(platform(), sink, { format: 'xml', auth_type: 'none' });
      await scene.connect();
      const [delivery] = await sink.count(1);
      assert.equal(delivery?.headers['content-type'], 'application/xml');
      assert.equal(delivery?.headers['x-platform-signature'], undefined);
      assert.match(
        delivery?.text ?? '',
        /^<\?xml version="1.0" encoding="UTF-8"\?><response><id>.*<event>connection_created<\/event>/,
      );
    });

    for (const [mode, options, expected] of [
      ['bearer', { auth_token: 'a-token' }, { authorization: 'Bearer a-token' }],
      [
        'basic',
        { auth_username: 'me', auth_password: 'open: sesame' },
        { authorization: `Basic ${btoa('me:open: sesame')}` },
      ],
      ['header', { auth_header_name: 'X-My-Key', auth_header_value: 'a value' }, { 'x-my-key': 'a value' }],
    ] as const) {
      test(`authenticates by ${mode}`, async () => {
        const scene = await Scene.set(platform(), sink, { auth_type: mode, ...options });
        await scene.connect();
        const [delivery] = await sink.count(1);
        for (const [name, value] of Object.entries(expected)) assert.equal(delivery?.headers[name], value);
        assert.equal(delivery?.headers['x-platform-signature'], undefined);
      });
    }

    test('a stale queue is reported by mail, after an hour, daily and then hourly, and ends at seven days', async () => {
      const scene = await Scene.set(platform(), sink);
      sink.react = () => 500;
      await scene.connect();
      await sink.count(1);
      await scene.settle();
      const run = () => platform().context.staleQueues.run();
      const logged = async (type: 'email' | 'purge') => {
        const rows = await platform()
          .context.database.reader.selectFrom('service_logs')
          .select('message')
          .where('service_id', '=', scene.service.id)
          .where('type', '=', type)
          .execute();
        return rows.length;
      };
      const mails: number[] = [];
      const raised = platform().clock.now();
      while (platform().clock.now() - raised < 7 * DAY) {
        await run();
        mails.push(await logged('email'));
        platform().clock.advance(60 * MINUTE);
      }
      assert.deepEqual([mails[0], mails[1], mails[47]], [0, 1, 1], 'once in the first two days');
      assert.equal(mails[48], 2);
      assert.equal(mails[71], 2);
      assert.equal(mails[72], 3, 'daily');
      assert.equal(mails[120], 5, 'at five days');
      assert.equal(mails[123], 8, 'hourly');
      platform().clock.advance(1);
      await run();
      assert.equal((await scene.waiting()).length, 0);
      assert.equal(await logged('purge'), 1);
      proves('limit:stale-queue-mails', 'limit:webhookRetentionMs');
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
