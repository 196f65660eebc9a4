import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';
import type { WebhookAttempt, WebhookAttemptPage } from '@symbolon/protocol';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { type Receiver, startReceiver } from '@symbolon/testkit/servers/receiver';
import { Acknowledgements } from './acknowledgements.ts';
import { Attempts } from './attempts.ts';

const LOOPBACK = { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' };
const SENT = { id: 'the id that was sent', event: 'connection_created' };
const ARRIVED = { delivered: true, status: 200, durationMs: 3, answer: 'ok' } as const;

onEachEngine(
  'attempts of webhooks',
  (platform) => {
    let receiver: Receiver;
    let react: (response: ServerResponse, body: string) => void;
    beforeEach(async () => {
      react = (response) => response.end('thank you');
      receiver = await startReceiver((_request, body, response) => react(response, body.toString()));
    });
    afterEach(() => receiver.stop());

    const set = async (more: object = {}) => {
      const service = await createService(platform(), await registerCompany(platform()));
      const webhook = await createWebhook(platform(), service, { url: receiver.url, ...more });
      const customer = await insertCustomer(platform(), service);
      const at = `/api/services/${service.id}/webhooks/${webhook.id}`;
      const { token } = service.company;
      const call = (method: string, path = '') => platform().must(method, `${at}${path}`, { token });
      return {
        service,
        id: webhook.id,
        call,
        attempts: (query = ''): Promise<WebhookAttemptPage> => call('GET', `/attempts${query}`),
        async send() {
          await raise(platform(), service, customer, 'connection_created');
          await settle(platform());
        },
      };
    };

    test('tell of each delivery and example what was answered, newest first', async () => {
      const { attempts, call, send } = await set();
      assert.deepEqual(await attempts(), { total: 0, items: [] });
      await send();
      react = (response) => response.writeHead(503, { 'retry-after': '600' }).end('<h1>not ready</h1>');
      await send();
      await call('POST', '/test');
      const { total, items } = await attempts();
      assert.equal(total, 3);
      const [example, failed, arrived] = items as [WebhookAttempt, WebhookAttempt, WebhookAttempt];
      assert.deepEqual(
        [example.test, example.status, example.event, example.event_id.slice(0, 9)],
        [true, 503, 'connection_created', '00000000-'],
      );
      assert.deepEqual(
        [failed.test, failed.delivered, failed.status, failed.kind, failed.reason, failed.answer],
        [false, false, 503, 'status', 'answered 503, not 200', '<h1>not ready</h1>'],
      );
      assert.deepEqual(
        [arrived.delivered, arrived.status, arrived.kind, arrived.reason, arrived.answer],
        [true, 200, null, null, 'thank you'],
      );
      for (const { at, duration_ms } of items) assert.ok(Date.parse(at) > 0 && duration_ms >= 0);
      const ids = async (query: string) => (await attempts(query)).items.map(({ id }) => id);
      assert.deepEqual(await ids('?only=failed'), [example.id, failed.id]);
      assert.deepEqual(await ids('?only=tests'), [example.id]);
      assert.deepEqual(await ids('?limit=1&offset=1'), [failed.id]);
      proves('route:GET /api/services/{id}/webhooks/{webhookId}/attempts');
    });

    test('say why there was no answer', async () => {
      const { attempts, send } = await set();
      react = (response) => response.destroy();
      await send();
      const [only] = (await attempts()).items;
      assert.deepEqual([only?.status, only?.kind, only?.answer], [null, 'reset', null]);
      assert.match(only?.reason ?? '', /^reset: /);
    });

    test('keep no credential that an endpoint answers with', async () => {
      const credentials = { auth_type: 'basic', auth_username: 'shop', auth_password: 'pass "word"' };
      const { attempts, call } = await set(credentials);
      const authorization = `Basic ${Buffer.from('shop:pass "word"').toString('base64')}`;
      react = (response) => response.end(JSON.stringify({ authorization, password: 'pass "word"' }));
      await call('POST', '/test');
      const [only] = (await attempts()).items;
      assert.deepEqual(JSON.parse(only?.answer ?? ''), { authorization: 'Basic ••••', password: '••••' });
    });

    test('the latest 200 of a webhook are kept, and little more is stored', async () => {
      const { id, service, attempts } = await set();
      const own = new Attempts(platform().context);
      const webhook = { id, company_id: service.company.id };
      const note = (name: number) => own.note(webhook, { ...SENT, event: `event ${name}` }, ARRIVED);
      const save = () => platform().context.database.write((writer) => own.save(writer, own.take()));
      for (let name = 0; name < 950; name++) note(name);
      assert.ok(own.isWaiting);
      await save();
      assert.ok(!own.isWaiting);
      for (let name = 950; name < 1000; name++) {
        note(name);
        await save();
      }
      const { total, items } = await attempts('?limit=500');
      assert.equal(total, 200);
      assert.deepEqual(
        items.map(({ event }) => event),
        Array.from({ length: 200 }, (_, back) => `event ${999 - back}`),
      );
      const stored = await rowsOf(platform(), id);
      assert.ok(stored.reduce((sum, size) => sum + size, 0) <= 250, `${stored}`);
      proves('limit:webhookAttemptsKept');
    });

    test('go with their webhook, and are not written for one that is gone', async () => {
      const { id, call, send, service } = await set();
      await send();
      assert.equal((await rowsOf(platform(), id)).length, 1);
      await call('DELETE');
      assert.deepEqual(await rowsOf(platform(), id), []);
      const own = new Attempts(platform().context);
      own.note({ id, company_id: service.company.id }, SENT, ARRIVED);
      await platform().context.database.write((writer) => own.save(writer, own.take()));
      assert.deepEqual(await rowsOf(platform(), id), []);
    });

    test('that cannot be written do not keep deliveries from becoming durable', async () => {
      const { id, service } = await set();
      const { database } = platform().context;
      const { log } = keptLog();
      const timers = new FakeTimers();
      const own = new Attempts(platform().context);
      const save = () => Promise.reject(new Error('this company is frozen'));
      const attempts = { isWaiting: true, take: () => own.take(), save };
      const acknowledgements = new Acknowledgements({ database, log, timers, attempts });
      own.note({ id, company_id: service.company.id }, SENT, ARRIVED);
      acknowledgements.add(id, 1);
      await assert.rejects(acknowledgements.flush(), /frozen/);
      Object.assign(attempts, { save: own.save.bind(own) });
      await acknowledgements.flush();
      assert.equal(await acknowledgements.deliveredThrough(id), 0);
    });

    test('of a busy webhook are written together', async () => {
      const { id, service } = await set();
      const { database, log } = platform().context;
      const timers = new FakeTimers();
      const own = new Attempts(platform().context);
      const acknowledgements = new Acknowledgements({ database, log, timers, attempts: own });
      const deliver = () => own.note({ id, company_id: service.company.id }, SENT, ARRIVED);
      await acknowledgements.flush();
      const acknowledged = async (seq: number) => {
        acknowledgements.add(id, seq);
        timers.advance(10);
        while ((await acknowledgements.deliveredThrough(id)) !== 0) await new Promise(setImmediate);
      };
      deliver();
      await acknowledged(1);
      assert.deepEqual(await rowsOf(platform(), id), [1]);
      for (const seq of [2, 3]) {
        deliver();
        await acknowledged(seq);
      }
      assert.deepEqual(await rowsOf(platform(), id), [1]);
      timers.advance(2000);
      await acknowledgements.flush();
      assert.deepEqual(await rowsOf(platform(), id), [1, 2]);
    });

    test('a webhook that is bad is tried at once on request', async () => {
      const { attempts, call, send } = await set();
      react = (response) => response.writeHead(500).end();
      await send();
      assert.equal((await call('GET')).health, 'bad');
      react = (response) => response.end();
      const { next_probe_at: probe } = await call('POST', '/probe');
      await settle(platform());
      assert.ok(probe === null || Date.parse(probe) <= platform().clock.now());
      const { health, backlog } = await call('GET');
      assert.deepEqual([health, backlog], ['running', 0]);
      assert.deepEqual(
        (await attempts()).items.map(({ status }) => status),
        [200, 500],
      );
      const after = await call('POST', '/probe');
      assert.deepEqual([after.health, after.next_probe_at], ['running', null]);
      proves('route:POST /api/services/{id}/webhooks/{webhookId}/probe');
    });

    test('what is sent next is shown as JSON and as XML; while nothing waits, an example', async () => {
      const { call, send } = await set({ events: ['connection_created', 'connection_deleted'] });
      const example = await call('GET', '/preview');
      assert.deepEqual([example.event, example.example], ['connection_created', true]);
      assert.equal(JSON.parse(example.json).test, true);
      let sent = '';
      react = (response, body) => {
        sent = body;
        response.writeHead(500).end();
      };
      await send();
      const { json, xml, ...waiting } = await call('GET', '/preview');
      assert.deepEqual(waiting, { event: 'connection_created', example: false });
      const { id: _, ...members } = JSON.parse(json);
      const { id: __, ...membersSent } = JSON.parse(sent);
      assert.deepEqual(members, membersSent);
      assert.match(xml, /^<\?xml .*<event>connection_created<\/event>/s);
      proves('route:GET /api/services/{id}/webhooks/{webhookId}/preview');
    });
  },
  LOOPBACK,
);

async function settle({ context }: TestPlatform): Promise<void> {
  await context.dispatcher.scan();
  await context.dispatcher.idle();
}

/** How many attempts each row of a webhook has. */
async function rowsOf({ context }: TestPlatform, webhookId: string): Promise<number[]> {
  const rows = await context.database.reader
    .selectFrom('webhook_attempts')
    .select('size')
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .execute();
  return rows.map(({ size }) => Number(size));
}
