import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKeyPair, sealAccountEnvelope } from '@symbolon/crypto';
import type { ChangeEvent } from '@symbolon/protocol';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { toXml } from '../../../server/src/http/xml.ts';
import { fakeService, sealed } from '../testing/fake-service.ts';
import { deliveryKey } from './delivery-key.ts';
import { MemorySeenDeliveries } from './seen-deliveries.ts';
import { documentSigned, fieldUpdated, SECRET, signed, WEBHOOK_ID } from './testing/deliveries.ts';
import type { Webhook } from './webhook.ts';
import { type Delivery, WebhookReceiver, type WebhookReceiverOptions } from './webhook-receiver.ts';

const hmac: Webhook = { authType: 'hmac', secret: SECRET };

/** A receiver that notes deliveries and reported failures. */
function noting(options: Partial<WebhookReceiverOptions> = {}) {
  const handed: [ChangeEvent, Delivery][] = [];
  const errors: unknown[] = [];
  const receiver = new WebhookReceiver({
    webhooks: hmac,
    onEvent: async (...received) => void handed.push(received),
    onError: (error) => errors.push(error),
    ...options,
  });
  return { receiver, handed, errors };
}

test('the receiver passes an event to the handler with the facts of its delivery', async () => {
  const { receiver, handed, errors } = noting();
  assert.deepEqual(await receiver.handle(signed(fieldUpdated())), { status: 200, body: '{"received":true}' });
  const key = await deliveryKey(fieldUpdated());
  const delivery = { format: 'json', enveloped: false, webhookId: WEBHOOK_ID, key, test: false };
  assert.deepEqual(handed, [[fieldUpdated(), delivery]]);
  assert.deepEqual(errors, []);
});

test('the receiver answers 200 only after the handler has finished', async () => {
  const work = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const { receiver } = noting({
    onEvent: () => {
      started.resolve();
      return work.promise;
    },
  });
  let answered = false;
  const reply = receiver.handle(signed(fieldUpdated())).finally(() => {
    answered = true;
  });
  await started.promise;
  await new Promise(setImmediate);
  assert.equal(answered, false);
  work.resolve();
  assert.equal((await reply).status, 200);
});

test('the receiver answers 500 when the handler fails, and runs it again for the next delivery', async () => {
  let fails = true;
  const done: ChangeEvent[] = [];
  const { receiver, errors } = noting({
    onEvent: (event) => {
      if (fails) throw new Error('database password hunter2 is wrong');
      done.push(event);
    },
  });
  assert.deepEqual(await receiver.handle(signed(fieldUpdated())), {
    status: 500,
    body: '{"error":"internal"}',
  });
  assert.match(String(errors[0]), /hunter2/, 'the reason is for this side alone');
  fails = false;
  const replay = fieldUpdated({ id: 'the id of the backlog row' });
  assert.equal((await receiver.handle(signed(replay))).status, 200);
  assert.deepEqual(done, [replay]);
});

test('the receiver answers a refused delivery with its status and does not call the handler', async () => {
  const { receiver, handed, errors } = noting({ maxBytes: 2000 });
  const refusals = [
    [signed(fieldUpdated(), 'another'), 401, 'signature_wrong'],
    [{ ...signed(fieldUpdated()), headers: {} }, 401, 'signature_missing'],
    [signed('{"id":1}'), 400, 'body_malformed'],
    [signed('<!DOCTYPE a><response/>'), 400, 'body_malformed'],
    [signed('{"_enc":1,"k":"","iv":"","d":""}'), 400, 'envelope_unreadable'],
    [signed('x'.repeat(2001)), 413, 'too_large'],
  ] as const;
  for (const [raw, status, error] of refusals) {
    assert.deepEqual(await receiver.handle(raw), { status, body: JSON.stringify({ error }) });
  }
  assert.equal(errors.length, refusals.length);
  assert.deepEqual(handed, []);
});

test('the receiver answers 500 for its own failures: a lookup, a body already parsed, a listener', async () => {
  const raw = signed(fieldUpdated());
  const broken = noting({ webhooks: () => Promise.reject(new Error('no database')) });
  assert.equal((await broken.receiver.handle(raw)).status, 500);
  const parsed = noting();
  assert.equal((await parsed.receiver.handle({ ...raw, body: {} as Uint8Array })).status, 500);
  assert.match(String(parsed.errors[0]), /already parsed/);
  const listener = noting({
    onError: () => {
      throw new Error('no log');
    },
  });
  assert.equal((await listener.receiver.handle({ ...raw, headers: {} })).status, 401);
});

test('the receiver gives the handler the same event from JSON, XML and an envelope', async () => {
  const account = await generateKeyPair();
  const webhooks = new Map<string, Webhook>([
    [WEBHOOK_ID, hmac],
    ['w2', { authType: 'bearer', token: 't0ken' }],
  ]);
  const { receiver, handed } = noting({ webhooks, accountKey: account.privateKey });
  const event = documentSigned();
  const envelope = JSON.stringify(await sealAccountEnvelope(toXml(event), account.publicKey));
  const bearer = { 'x-platform-webhook-id': 'w2', authorization: 'Bearer t0ken' };
  assert.equal((await receiver.handle(signed(event))).status, 200);
  assert.equal((await receiver.handle({ ...signed(envelope), headers: bearer })).status, 200);
  assert.deepEqual(
    handed.map(([{ ...members }, { webhookId, format, enveloped }]) => ({
      members,
      webhookId,
      format,
      enveloped,
    })),
    [
      { members: event, webhookId: WEBHOOK_ID, format: 'json', enveloped: false },
      { members: event, webhookId: 'w2', format: 'xml', enveloped: true },
    ],
  );
});

test('the receiver answers a repeated delivery with 200 without calling the handler again', async () => {
  const { receiver, handed } = noting();
  await receiver.handle(signed(fieldUpdated()));
  const replay = fieldUpdated({ id: 'the id of the backlog row' });
  assert.equal((await receiver.handle(signed(replay))).status, 200);
  assert.equal((await receiver.handle(signed(toXml(replay)))).status, 200);
  assert.equal(handed.length, 1);
  await receiver.handle(signed(fieldUpdated({ at: '2026-01-02T03:04:05.679Z' })));
  assert.equal(handed.length, 2);
  const everything = noting({ seen: false });
  await everything.receiver.handle(signed(fieldUpdated()));
  await everything.receiver.handle(signed(fieldUpdated()));
  assert.equal(everything.handed.length, 2);
});

test('the receiver handles the same event once for each webhook', async () => {
  const webhooks = new Map<string, Webhook>([
    [WEBHOOK_ID, hmac],
    ['w2', hmac],
  ]);
  const { receiver, handed } = noting({ webhooks });
  const { body, headers } = signed(fieldUpdated());
  await receiver.handle({ body, headers });
  await receiver.handle({ body, headers: { ...headers, 'x-platform-webhook-id': 'w2' } });
  assert.equal(handed.length, 2);
});

test('a delivery that repeats one in progress waits for it and gets the same answer', async (t) => {
  for (const [end, status] of [
    ['resolve', 200],
    ['reject', 500],
  ] as const) {
    const work = Promise.withResolvers<void>();
    let calls = 0;
    const { receiver } = noting({
      onEvent: () => {
        calls++;
        return work.promise;
      },
    });
    const digest = t.mock.method(crypto.subtle, 'digest');
    const replies = Promise.all([
      receiver.handle(signed(fieldUpdated())),
      receiver.handle(signed(fieldUpdated())),
    ]);
    // The key of the event is the last that a delivery needs before it is handed out.
    await eventually('both are read', () => digest.mock.callCount() === 2 || undefined);
    await Promise.all(digest.mock.calls.map(({ result }) => result));
    await new Promise(setImmediate);
    digest.mock.restore();
    work[end]();
    assert.deepEqual(
      (await replies).map((reply) => reply.status),
      [status, status],
    );
    assert.equal(calls, 1);
  }
});

test('the receiver answers 200 when the store cannot record finished work, and 500 when the store cannot be read', async () => {
  const no = () => Promise.reject(new Error('no database'));
  const forgetful = noting({ seen: { has: () => false, add: no } });
  assert.equal((await forgetful.receiver.handle(signed(fieldUpdated()))).status, 200);
  assert.equal(forgetful.errors.length, 1);
  const mute = noting({ seen: { has: no, add: no } });
  assert.equal((await mute.receiver.handle(signed(fieldUpdated()))).status, 500);
  assert.equal(mute.handed.length, 0);
});

test('the delivery key is stable, and differs when the content differs', async () => {
  const event = fieldUpdated();
  const key = await deliveryKey(event);
  assert.match(key, /^[0-9a-f]{64}$/);
  const backwards = Object.fromEntries(Object.entries(event).reverse()) as ChangeEvent;
  assert.equal(await deliveryKey(backwards), key);
  assert.equal(
    await deliveryKey({ ...event, id: 'other', share_code: null, more: undefined } as ChangeEvent),
    key,
  );
  const others = [
    'event',
    'person_user_id',
    'share_code',
    'at',
    'slug',
    'value',
    'value_url',
    'connection_id',
  ];
  const keys = await Promise.all(others.map((name) => deliveryKey({ ...event, [name]: 'other' })));
  for (const more of [{ document_id: 'd' }, { request_id: 'd' }, { live: false }, { list: ['a', 'b'] }]) {
    keys.push(await deliveryKey({ ...event, ...more } as ChangeEvent));
  }
  keys.push(await deliveryKey({ ...event, list: { a: 'b' } } as ChangeEvent));
  assert.equal(new Set([key, ...keys]).size, keys.length + 1);
});

test('the memory of deliveries is bounded and forgets the least recently seen first', () => {
  const seen = new MemorySeenDeliveries(2);
  seen.add('a');
  seen.add('b');
  assert.equal(seen.has('a'), true);
  seen.add('c');
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => seen.has(key)),
    [true, false, true],
  );
});

test('a receiver with a data client passes the opened value to the handler', async () => {
  await using service = await fakeService({ email: 'email' });
  const { receiver, handed } = noting({ decrypt: (event) => service.client.openChange(event) });
  const { value } = sealed('ada@example.org');
  assert.equal((await receiver.handle(signed(toXml(fieldUpdated({ value }))))).status, 200);
  assert.equal(handed[0]?.[1].change?.value?.value, 'ada@example.org');
  assert.equal((await receiver.handle(signed(fieldUpdated()))).status, 200);
  assert.equal(handed[1]?.[1].change?.value?.unreadable, true, 'sealed for another key');
});

test('the receiver answers 500 when opening the value fails', async () => {
  const failing = noting({ decrypt: () => Promise.reject(new Error('registry out of reach')) });
  assert.equal((await failing.receiver.handle(signed(fieldUpdated()))).status, 500);
  assert.equal(failing.handed.length, 0);
});

test('the receiver marks an example delivery that the company requested', async () => {
  const { receiver, handed } = noting();
  const example = { ...fieldUpdated(), test: true };
  await receiver.handle(signed(example));
  await receiver.handle(signed(toXml({ ...example, at: 'later' })));
  assert.deepEqual(
    handed.map(([, delivery]) => delivery.test),
    [true, true],
  );
});

test('the constructor of a receiver refuses options that cannot work', () => {
  assert.throws(() => noting({ webhooks: { authType: 'hmac', secret: '' } }), {
    errorKey: 'sdk.configuration',
  });
  const map = new Map<string, Webhook>([['w', { authType: 'bearer', token: [] }]]);
  assert.throws(() => noting({ webhooks: map }), { errorKey: 'sdk.configuration' });
  assert.throws(() => noting({ accountKey: { pem: 'x' } }), { errorKey: 'sdk.private_key' });
});
