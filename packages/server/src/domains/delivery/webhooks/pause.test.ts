import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createService, createWebhook, dataToken, registerCompany } from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { Sink } from '@symbolon/testkit/servers/sink';
import { webhookPace } from './pace.ts';

/** A webhook at a sink, and events of a customer, which are told apart by their order. */
async function setScene(platform: TestPlatform, sink: Sink, options: object = {}) {
  const service = await createService(platform, await registerCompany(platform));
  const { token } = service.company;
  const { id } = await createWebhook(platform, service, { url: sink.url, ...options });
  const path = `/api/services/${service.id}/webhooks/${id}`;
  const customer = await insertCustomer(platform, service);
  const { database, dispatcher } = platform.context;
  return {
    service,
    id: id as string,
    raise: () => raise(platform, service, customer, 'connection_created'),
    async settle() {
      await dispatcher.scan();
      await dispatcher.idle();
    },
    set: (body: object) => platform.must('PUT', path, { token, body }),
    look: () => platform.must('GET', path, { token }),
    call: (act: string) => platform.must('POST', `${path}/${act}`, { token }),
    /** Ids of what is queued, the oldest first. */
    async held(): Promise<string[]> {
      const rows = await database.reader
        .selectFrom('webhook_events')
        .select('id')
        .where('webhook_id', '=', id)
        .orderBy('seq')
        .execute();
      return rows.map((row) => row.id);
    },
  };
}

const idsOf = ({ received }: Sink) => received.map(({ body }) => body.id as string);

onEachEngine(
  'a webhook that is paused',
  (platform) => {
    before(() => platform().context.dispatcher.start());

    test('holds what happens, and sends it in order from the oldest once it is resumed', async () => {
      await using sink = await Sink.start();
      const scene = await setScene(platform(), sink);
      await scene.raise();
      await sink.count(1);
      await scene.settle();
      assert.equal((await scene.set({ paused: true })).paused, true);
      for (let event = 0; event < 3; event++) await scene.raise();
      await scene.settle();
      // What says nothing of it leaves it as it is, and so does a try. An example goes out.
      assert.equal((await scene.set({ format: 'json' })).paused, true);
      await scene.call('probe');
      await scene.settle();
      const held = await scene.held();
      const { backlog, oldest_backlog_at: oldest } = await scene.look();
      assert.deepEqual([held.length, backlog, typeof oldest, sink.received.length], [3, 3, 'string', 1]);
      assert.equal((await scene.call('test')).delivered, true);

      await scene.set({ paused: false });
      await sink.count(5);
      await scene.settle();
      await scene.raise();
      await sink.count(6);
      await scene.settle();
      assert.deepEqual(idsOf(sink).slice(2, 5), held);
      const { health, backlog: left, paused } = await scene.look();
      assert.deepEqual([health, left, paused], ['running', 0, false]);
    });

    test('keeps what it holds over other changes, and gives it up to nothing but age', async () => {
      await using sink = await Sink.start();
      const scene = await setScene(platform(), sink, { paused: true });
      await scene.raise();
      const held = await scene.held();
      await scene.set({ enabled: false });
      await scene.raise();
      await scene.set({ enabled: true });
      await scene.settle();
      assert.deepEqual([await scene.held(), sink.received.length], [held, 0], 'off for the second');
      await scene.set({ paused: false });
      await sink.count(1);
      await scene.settle();
      assert.deepEqual(idsOf(sink), held);
    });

    test('that failed is tried at once when it is resumed', async () => {
      await using sink = await Sink.start();
      const scene = await setScene(platform(), sink);
      sink.react = () => 500;
      await scene.raise();
      await sink.count(1);
      await scene.settle();
      await scene.set({ paused: true });
      sink.react = () => 200;
      await scene.settle();
      platform().clock.advance(webhookPace.probePauseMs);
      await scene.settle();
      assert.equal(sink.received.length, 1, 'no probe meanwhile');
      await scene.set({ paused: false });
      await sink.count(2);
      await scene.settle();
      assert.equal((await scene.look()).health, 'running');
    });

    test('is drained by hand, and sends nothing of that when it is resumed meanwhile', async () => {
      await using sink = await Sink.start();
      const scene = await setScene(platform(), sink);
      await scene.raise();
      await sink.count(1);
      await scene.settle();
      await scene.set({ paused: true });
      await scene.raise();
      const [held] = await scene.held();
      const { changes } = await platform().must('GET', `/api/company-data/changes?webhook_id=${scene.id}`, {
        token: await dataToken(platform(), scene.service),
      });
      assert.deepEqual(
        changes.map(({ id }: { id: string }) => id),
        [held],
      );
      await scene.set({ paused: false });
      await eventually('it is gone', async () => ((await scene.held()).length === 0 ? true : undefined));
      await scene.settle();
      assert.equal(sink.received.length, 1);
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
