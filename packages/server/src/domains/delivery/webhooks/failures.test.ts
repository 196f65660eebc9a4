import assert from 'node:assert/strict';
import { before, mock, type TestContext, test } from 'node:test';
import {
  connect,
  createField,
  createService,
  registerCompany,
  registerPerson,
  sealed,
} from '@symbolon/testkit/actors/actors';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { Sink } from '@symbolon/testkit/servers/sink';
import { webhookPace } from './pace.ts';

/** A webhook whose health is running, and a person whose edits it hears of. */
async function setScene(platform: TestPlatform, sink: Sink) {
  const company = await registerCompany(platform);
  const service = await createService(platform, company, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
  const path = `/api/services/${service.id}/webhooks`;
  const created = await platform.must('POST', path, { token: company.token, body: { url: sink.url } });
  const person = await registerPerson(platform);
  const field = await createField(platform, person, { type: 'text', slug: 'nick', value: 'zero' });
  const connection = await connect(platform, person, service, { nick: { field, value: 'zero' } });
  await sink.count(1);
  const { dispatcher, database } = platform.context;
  const settle = async () => {
    await dispatcher.scan();
    await dispatcher.idle();
  };
  await settle();
  return {
    service,
    id: created.id as string,
    settle,
    configure: (configuration: object) =>
      platform.must('PUT', `${path}/${created.id}`, {
        token: company.token,
        body: { url: sink.url, ...configuration },
      }),
    async edit() {
      const value = await sealed('one');
      const copy = { connection_id: connection, request_field_id: service.rows.nick, value };
      await platform.must('PUT', `/api/person/fields/${field}`, {
        token: person.token,
        body: { value, copies: [copy] },
      });
    },
    /** How many events wait, as the database has it. */
    async waiting(): Promise<number> {
      const rows = await database.reader
        .selectFrom('webhook_events')
        .select('id')
        .where('webhook_id', '=', created.id)
        .execute();
      return rows.length;
    },
    async transitions(): Promise<string[]> {
      const rows = await database.reader
        .selectFrom('service_logs')
        .select('message')
        .where('service_id', '=', service.id)
        .where('message', 'like', 'Webhook health%')
        .orderBy('id')
        .execute();
      return rows.map((row) => row.message.replace('Webhook health: ', ''));
    },
  };
}

onEachEngine(
  'delivering webhooks while the database fails',
  (platform) => {
    before(() => platform().context.dispatcher.start());

    /** From now on nothing can be written; the function it gives ends that. */
    function breakWrites(t: TestContext): () => void {
      const broken = mock.method(platform().context.database, 'write', async () => {
        throw new Error('The disk is full.');
      });
      t.after(() => broken.mock.restore());
      return () => broken.mock.restore();
    }
    /** Leases that could not be given back have run out. */
    const outlast = () => platform().clock.advance(2 * webhookPace.leaseMs);

    test('an answer that could not be written down does not block the queue, and what was answered does not come again', async (t) => {
      const sink = await Sink.start();
      t.after(() => sink.stop());
      const scene = await setScene(platform(), sink);
      let mend = () => {};
      sink.react = () => {
        mend = breakWrites(t);
        return 200;
      };
      await scene.edit();
      await sink.count(2);
      await platform().context.dispatcher.idle();
      assert.equal(await scene.waiting(), 1);
      mend();
      sink.react = () => 200;
      outlast();
      await scene.edit();
      await sink.count(3);
      await scene.settle();
      assert.equal(sink.received.length, 3);
      assert.equal(await scene.waiting(), 0);
    });

    test('a drain by hand that arrived and could not be deleted is deleted later, and not given again', async (t) => {
      const sink = await Sink.start();
      t.after(() => sink.stop());
      const scene = await setScene(platform(), sink);
      sink.react = () => 500;
      await scene.edit();
      await sink.count(2);
      await scene.settle();
      const drain = () =>
        platform().context.changes.drainBacklog(scene.service.id, scene.id, { clientId: 'client', most: 10 });
      const first = await drain();
      assert.equal(first.events.length, 1);
      const mend = breakWrites(t);
      await assert.rejects(first.confirm());
      await assert.rejects(drain());
      assert.equal(await scene.waiting(), 1);
      mend();
      outlast();
      assert.deepEqual((await drain()).events, []);
      assert.equal(await scene.waiting(), 0);
    });

    test('a failure that comes after the health began again does not count for the new one', async (t) => {
      const sink = await Sink.start();
      t.after(() => sink.stop());
      const scene = await setScene(platform(), sink);
      sink.react = () => 'hang';
      await scene.edit();
      await sink.count(2);
      await scene.configure({ enabled: false });
      await scene.configure({ enabled: true });
      await sink.stop();
      await platform().context.dispatcher.idle();
      await scene.settle();
      assert.deepEqual(await scene.transitions(), [
        'unknown → running',
        'running → unknown',
        'unknown → bad',
      ]);
    });

    for (const [told, health] of [
      ['of a running webhook', 'running'],
      ['of a probe', 'unknown'],
    ] as const) {
      test(`a failure ${told} that comes after the address was changed does not count for the new address`, async (t) => {
        const [sink, replacement] = [await Sink.start(), await Sink.start()];
        t.after(() => replacement.stop());
        const scene = await setScene(platform(), sink);
        const before = ['unknown → running'];
        if (health === 'unknown') {
          sink.react = () => 500;
          await scene.edit();
          await sink.count(2);
          await scene.settle();
          platform().clock.advance(webhookPace.probePauseMs);
          before.push('running → bad', 'bad → unknown');
        }
        sink.react = () => 'hang';
        const sent = sink.received.length;
        if (health === 'running') await scene.edit();
        else await platform().context.dispatcher.scan();
        await sink.count(sent + 1);
        await scene.configure({ url: replacement.url });
        await sink.stop();
        await scene.settle();
        const after = health === 'unknown' ? ['unknown → running'] : [];
        assert.deepEqual(await scene.transitions(), [...before, ...after]);
        assert.equal(replacement.received.length, 1);
        assert.equal(await scene.waiting(), 0);
      });
    }
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true', SYMBOLON_LOG_LEVEL: 'silent' },
);
