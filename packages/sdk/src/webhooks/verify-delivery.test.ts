import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { fieldUpdated, SECRET, signed, WEBHOOK_ID } from './testing/deliveries.ts';
import { verifyDelivery } from './verify-delivery.ts';
import type { Webhook } from './webhook.ts';
import { WebhookRejected } from './webhook-rejected.ts';

const body = Buffer.from(JSON.stringify(fieldUpdated()));
const hmac: Webhook = { authType: 'hmac', secret: SECRET };

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** Each mode with headers that it takes, that it misses, and that are wrong. */
const modes: {
  webhook: Webhook;
  right: Record<string, string>[];
  wrong: Record<string, string>[];
  word: 'signature' | 'credentials';
}[] = [
  {
    webhook: hmac,
    right: [signed(body).headers],
    wrong: [
      signed(body, 'another').headers,
      { 'x-platform-signature': signed(body).headers['x-platform-signature']!.toUpperCase() },
      { 'x-platform-signature': signed(body).headers['x-platform-signature']!.slice(2) },
      { 'x-platform-signature': 'g'.repeat(64) },
      { 'x-platform-signature': 'ü'.repeat(64) },
    ],
    word: 'signature',
  },
  {
    webhook: { authType: 'bearer', token: 't0ken' },
    right: [{ authorization: 'Bearer t0ken' }, { Authorization: 'bearer t0ken' }],
    wrong: [
      { authorization: 'Bearer t0ke' },
      { authorization: 'Bearer t0ken2' },
      { authorization: 't0ken' },
      { authorization: 'Basic t0ken' },
      { authorization: 'Bearer' },
    ],
    word: 'credentials',
  },
  {
    webhook: { authType: 'basic', credentials: { username: 'üser', password: 'pa:ss' } },
    right: [{ authorization: basic('üser:pa:ss') }],
    wrong: [
      { authorization: basic('üser:pa:s') },
      { authorization: basic('other:pa:ss') },
      { authorization: basic('') },
      { authorization: 'Bearer üser:pa:ss' },
    ],
    word: 'credentials',
  },
  {
    webhook: { authType: 'header', name: 'X-Api-Key', value: 'k3y' },
    right: [{ 'x-api-key': 'k3y' }, { 'X-API-KEY': 'k3y' }],
    wrong: [{ 'x-api-key': 'k3' }, { 'x-api-key': 'K3Y' }],
    word: 'credentials',
  },
];

for (const { webhook, right, wrong, word } of modes) {
  const { authType } = webhook;

  test(`${authType}: a delivery with the right secret is accepted`, async () => {
    for (const headers of right) {
      assert.deepEqual(await verifyDelivery({ headers, body }, webhook), {
        webhookId: headers['x-platform-webhook-id'] ?? null,
      });
      await verifyDelivery({ headers: new Headers(headers), body }, webhook);
    }
  });

  test(`${authType}: a delivery without a secret is refused`, async () => {
    for (const headers of [{}, { 'x-platform-signature': '', authorization: '', 'x-api-key': '' }]) {
      await assert.rejects(verifyDelivery({ headers, body }, webhook), {
        code: `${word}_missing`,
        status: 401,
      });
    }
  });

  test(`${authType}: a delivery with a wrong secret is refused`, async () => {
    for (const headers of wrong) {
      await assert.rejects(verifyDelivery({ headers, body }, webhook), {
        code: `${word}_wrong`,
        status: 401,
      });
    }
  });

  test(`${authType}: a delivery that sends a header twice is refused`, async () => {
    const [[name, value] = ['', '']] = Object.entries(right[0]!).filter(([key]) => !/type|id$/.test(key));
    for (const headers of [{ [name]: [value, value] }, { [name]: value, [name.toUpperCase()]: value }]) {
      await assert.rejects(verifyDelivery({ headers, body }, webhook), { code: `${word}_wrong` });
    }
  });

  test(`${authType}: secrets are compared in constant time`, async (t) => {
    const compare = mock.method(crypto.subtle, 'verify');
    t.after(() => compare.mock.restore());
    const rotation = twice(webhook);
    await verifyDelivery({ headers: right[0]!, body }, rotation);
    assert.equal(compare.mock.callCount(), 2, 'the second secret is tried though the first one fits');
    await assert.rejects(verifyDelivery({ headers: wrong[0]!, body }, rotation));
    assert.equal(compare.mock.callCount(), 4);
  });
}

test('authentication `none` accepts every delivery', async () => {
  assert.deepEqual(await verifyDelivery({ headers: {}, body }, { authType: 'none' }), { webhookId: null });
});

test('a delivery is refused when any byte of its body differs from the signed one', async () => {
  const delivery = signed(body);
  for (const at of [0, 100, body.length - 1]) {
    const tampered = Uint8Array.from(body);
    tampered[at]! ^= 1;
    await assert.rejects(verifyDelivery({ ...delivery, body: tampered }, hmac), { code: 'signature_wrong' });
  }
  for (const other of [body.subarray(1), Buffer.concat([body, Buffer.from('\n')]), Buffer.alloc(0)]) {
    await assert.rejects(verifyDelivery({ ...delivery, body: other }, hmac), { code: 'signature_wrong' });
  }
});

test('the signature covers the raw bytes of a body that is not UTF-8', async () => {
  await verifyDelivery(signed(Uint8Array.from([0xff, 0xfe, 0x00, 0x80])), hmac);
});

test('while secrets rotate, a delivery with either secret is accepted', async () => {
  const webhook: Webhook = { authType: 'hmac', secret: ['old', 'new'] };
  await verifyDelivery(signed(body, 'old'), webhook);
  await verifyDelivery(signed(body, 'new'), webhook);
  await assert.rejects(verifyDelivery(signed(body, 'older'), webhook), { code: 'signature_wrong' });
});

test('while the platform signs with two secrets, a receiver that knows either accepts the delivery', async () => {
  const delivery = signed(body, 'old');
  const next = signed(body, 'new').headers['x-platform-signature'] ?? '';
  const headers = { ...delivery.headers, 'x-platform-signature-next': next };
  for (const secret of ['old', 'new', ['older', 'new']])
    await verifyDelivery({ ...delivery, headers }, { authType: 'hmac', secret });
  const other: Webhook = { authType: 'hmac', secret: 'older' };
  await assert.rejects(verifyDelivery({ ...delivery, headers }, other), { code: 'signature_wrong' });
  // The signature that every receiver knows is always there.
  const alone = { 'x-platform-signature-next': next };
  await assert.rejects(verifyDelivery({ body, headers: alone }, hmac), { code: 'signature_missing' });
});

test('deliveries of several webhooks are verified with the secret of their webhook id', async () => {
  const other: Webhook = { authType: 'bearer', token: 't0ken' };
  const map = new Map<string, Webhook>([
    [WEBHOOK_ID, hmac],
    ['other', other],
  ]);
  for (const webhooks of [map, (id: string) => map.get(id), async (id: string) => map.get(id)]) {
    const { headers } = signed(body);
    assert.deepEqual(await verifyDelivery({ headers, body }, webhooks), { webhookId: WEBHOOK_ID });
    const as = (id: string) =>
      verifyDelivery({ headers: { ...headers, 'x-platform-webhook-id': id }, body }, webhooks);
    await assert.rejects(as('other'), { code: 'credentials_missing' });
    await assert.rejects(as('constructor'), { code: 'webhook_unknown', status: 401 });
    await assert.rejects(as('x'.repeat(10_000)), { code: 'webhook_unknown' });
    await assert.rejects(as(''), { code: 'webhook_id_missing' });
  }
});

test('a webhook lookup that fails is reported as a failure, not as a refusal', async () => {
  const broken = async () => Promise.reject(new Error('no database'));
  await assert.rejects(verifyDelivery(signed(body), broken), { message: 'no database' });
});

test("the operator's word in the header names can be configured", async () => {
  const { 'x-platform-signature': signature } = signed(body).headers;
  const headers = { 'x-acme-signature': signature, 'x-acme-webhook-id': 'w1' };
  assert.deepEqual(await verifyDelivery({ headers, body }, hmac, { headerName: 'Acme' }), {
    webhookId: 'w1',
  });
  await assert.rejects(verifyDelivery({ headers, body }, hmac), { code: 'signature_missing' });
});

test('a webhook without a secret accepts no delivery', async () => {
  const empty = undefined as unknown as string;
  const webhooks: Webhook[] = [
    { authType: 'hmac', secret: '' },
    { authType: 'hmac', secret: empty },
    { authType: 'hmac', secret: [] },
    { authType: 'hmac', secret: ['good', ''] },
    { authType: 'bearer', token: '' },
    { authType: 'basic', credentials: { username: 'ada', password: empty } },
    { authType: 'header', name: 'x-key', value: '' },
    { authType: 'header', name: '', value: 'v' },
    { authType: 'hamc', secret: 'x' } as unknown as Webhook,
  ];
  for (const webhook of webhooks) {
    const delivery = {
      ...signed(body, 'x'),
      headers: { ...signed(body, 'x').headers, authorization: 'Bearer ' },
    };
    await assert.rejects(verifyDelivery(delivery, webhook), { errorKey: 'sdk.configuration' });
  }
});

test('a body over the limit is refused before its signature is computed', async () => {
  const large = new Uint8Array(1024 * 1024 + 1);
  await assert.rejects(verifyDelivery({ headers: {}, body: large }, hmac), {
    code: 'too_large',
    status: 413,
  });
  await assert.rejects(verifyDelivery(signed(body), hmac, { maxBytes: 10 }), { code: 'too_large' });
});

test('the error about a parsed body says that raw bytes are needed', async () => {
  const parsed = JSON.parse(body.toString());
  await assert.rejects(verifyDelivery({ ...signed(body), body: parsed }, hmac), {
    errorKey: 'sdk.webhook_body_parsed',
    message: /raw bytes/,
  });
});

test('no error of the verification contains a secret', async () => {
  for (const { webhook, wrong } of modes) {
    const error: unknown = await verifyDelivery({ headers: wrong[0]!, body }, webhook).catch(
      (reason) => reason,
    );
    assert.ok(error instanceof WebhookRejected);
    const told = `${error.stack} ${JSON.stringify(error)} ${error.cause}`;
    for (const secret of [SECRET, 't0ken', 'pa:ss', 'k3y', ...Object.values(wrong[0]!)]) {
      assert.ok(!told.includes(secret));
    }
  }
});

function twice(webhook: Webhook): Webhook {
  switch (webhook.authType) {
    case 'hmac':
      return { ...webhook, secret: [SECRET, 'other'] };
    case 'bearer':
      return { ...webhook, token: ['t0ken', 'other'] };
    case 'basic':
      return { ...webhook, credentials: [webhook.credentials, { username: 'o', password: 'p' }].flat() };
    case 'header':
      return { ...webhook, value: ['k3y', 'other'] };
    default:
      return webhook;
  }
}
