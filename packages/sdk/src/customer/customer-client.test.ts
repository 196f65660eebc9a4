import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  buildFileEnvelope,
  generateKeyPair,
  importPrivateKey,
  openText,
  sealValue,
  serializeWrapper,
} from '@symbolon/crypto';
import { systemRegistry } from '@symbolon/field-types';
import type { CustomerConnectRequest, CustomerDecisionsRequest, DeclineRequest } from '@symbolon/protocol';
import { temporaryFolder } from '@symbolon/testkit/folder';
import {
  ConfigurationError,
  DecryptionError,
  InvalidRequestError,
  NotFoundError,
  TransportError,
  ValueError,
} from '../http/errors.ts';
import { ChangePump } from '../pump/change-pump.ts';
import { FakePlatform } from '../testing/fake-platform.ts';
import type { CustomerChange } from './customer-change.ts';
import { CustomerClient, type CustomerClientOptions } from './customer-client.ts';

const pair = await generateKeyPair();
const privateKey = await importPrivateKey(pair.privateKey);
const company = { user_id: 'p', display_name: 'Acme', share_code: 'ACME' };
const service = {
  id: 's',
  name: 'Shop',
  share_code: 'SHOP',
  audience: 'both',
  public_key: pair.publicKey,
  public_key_sha256: hash('sha256', Buffer.from(pair.publicKey, 'base64')),
};
const row = (slug: string, type = 'text', one_time = false) => ({
  id: `row-${slug}`,
  slug,
  label: slug,
  type,
  field_type: type,
  one_time,
});
const rows = [row('vat'), row('email', 'email'), row('po', 'text', true)];
const link = {
  service_link_id: 'l',
  service_id: 's',
  service_name: 'Shop',
  service_code: 'SHOP',
  mappings: [
    { request_field_id: 'row-vat', slug: 'vat', kind: 'typed' },
    { request_field_id: 'row-gone', slug: 'gone', kind: 'typed' },
  ],
};
const ref = { connectionId: 'c', serviceLinkId: 'l' };

async function setUp(options: Partial<CustomerClientOptions> = {}) {
  const platform: FakePlatform = await FakePlatform.start({
    'POST /oauth2/token': () => ({
      body: { token_type: 'Bearer', expires_in: 3600, access_token: 't', api_url: platform.url },
    }),
    'GET /api/contact-field-types': () => ({ body: systemRegistry.rows }),
    'GET /api/company-connections/lookup/ACME/SHOP': () => ({
      body: { company, service, request_fields: rows, shared: [] },
    }),
    'POST /api/company-connections': () => ({ status: 201, body: { id: 'c', company, services: [link] } }),
    'GET /api/company-connections/c': () => ({ body: { id: 'c', company, services: [link] } }),
    'PUT /api/company-connections/c/services/l/mappings': () => ({ body: link }),
    'GET /api/company-connections/consents': () => ({
      body: { consents: [{ id: 'k', service, request_fields: rows }] },
    }),
    'POST /api/company-connections/consents/k/provide': () => ({ body: link }),
    'POST /api/company-connections/consents/k/decline': () => ({ body: link }),
  });
  const client = new CustomerClient({
    url: platform.url,
    clientId: 'acct_1',
    clientSecret: 'secret',
    ...options,
  });
  return { platform, client, [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose]() };
}

/** What was sent last: row, kind, opened value. */
async function sent(platform: FakePlatform): Promise<unknown[]> {
  const { decisions } = platform.requests.at(-1)!.json<CustomerDecisionsRequest>();
  return Promise.all(
    decisions.map(async ({ request_field_id, kind, value }) => [
      request_field_id,
      kind,
      value === undefined ? undefined : await openText(value as string, privateKey),
    ]),
  );
}

test('a company that connects seals each answer to the service, as a lasting or a one-time value', async () => {
  await using world = await setUp();
  const { platform, client } = world;
  await client.connect('ACME', 'SHOP', {
    vat: { value: 'DE123' },
    email: { value: 'office@buyer.example', oneTime: true },
    po: { value: '77' },
  });
  assert.deepEqual(await sent(platform), [
    ['row-vat', 'typed', 'DE123'],
    ['row-email', 'one_time', 'office@buyer.example'],
    ['row-po', 'one_time', '77'],
  ]);
  const request = platform.requests.at(-1)!;
  assert.equal(request.token, 't');
  const { company_code, service_code } = request.json<CustomerConnectRequest>();
  assert.deepEqual([company_code, service_code], ['ACME', 'SHOP']);
  assert.ok(!request.text.includes('DE123'));
});

test("a file that answers a row of a company is uploaded, sealed to the service's key, and named", async () => {
  await using world = await setUp();
  const { platform, client } = world;
  const uploads: string[] = [];
  platform.route('POST /api/company-connections/uploads', ({ json }) => {
    uploads.push(json<{ value: string }>().value);
    return { status: 201, body: { upload_id: `u${uploads.length}` } };
  });
  platform.route('GET /api/company-connections/lookup/ACME/SHOP', () => ({
    body: { company, service, request_fields: [...rows, row('licence', 'pdf_document')], shared: [] },
  }));
  const file = { bytes: new TextEncoder().encode('%PDF-1.7'), mimeType: 'application/pdf' };
  const envelope = buildFileEnvelope({ file: { ...file, originalName: 'licence.pdf' } });
  await client.connect('ACME', 'SHOP', { licence: { value: envelope } });
  const { decisions } = platform.requests.at(-1)!.json<CustomerConnectRequest>();
  assert.deepEqual(decisions, [{ request_field_id: 'row-licence', kind: 'typed', upload_id: 'u1' }]);
  const sealedText = await openText(uploads[0] ?? '', privateKey);
  assert.deepEqual(JSON.parse(sealedText), JSON.parse(envelope));
  await assert.rejects(client.connect('ACME', 'SHOP', { licence: { value: 'no envelope' } }), ValueError);
  assert.equal(uploads.length, 1);
});

test("a company's answers that cannot be right are refused before anything is sent", async () => {
  await using world = await setUp();
  const { platform, client } = world;
  await assert.rejects(client.connect('ACME', 'SHOP', { email: { value: 'no mail' } }), ValueError);
  await assert.rejects(client.connect('ACME', 'SHOP', { shoe: { value: '42' } }), InvalidRequestError);
  const thief = await generateKeyPair();
  platform.route('GET /api/company-connections/lookup/ACME/SHOP', () => ({
    body: { company, service: { ...service, public_key: thief.publicKey }, request_fields: rows },
  }));
  await assert.rejects(client.connect('ACME', 'SHOP', { vat: { value: 'x' } }), TransportError);
  assert.equal(platform.count('/api/company-connections'), 0);
});

test('`remap` sends what changes and nothing else', async () => {
  await using world = await setUp();
  const { platform, client } = world;
  const change = { vat: { value: 'DE456' } };
  await assert.rejects(client.remap(ref, change), { errorKey: 'sdk.service_key_changed' }, 'it is not known');
  await client.confirmKey('ACME', 'SHOP', service.public_key_sha256);
  await client.remap(ref, { vat: { value: 'DE456' }, po: { value: '78' }, gone: { remove: true } });
  assert.deepEqual(await sent(platform), [
    ['row-vat', 'typed', 'DE456'],
    ['row-po', 'one_time', '78'],
    ['row-gone', 'remove', undefined],
  ]);
  await assert.rejects(client.remap({ ...ref, serviceLinkId: 'x' }, {}), NotFoundError);
  await assert.rejects(client.remap(ref, { gone: { value: 'x' } }), InvalidRequestError);
});

test('a company provides and declines the rows of a consent by slug', async () => {
  await using world = await setUp();
  const { platform, client } = world;
  await client.confirmKey('ACME', 'SHOP', service.public_key_sha256);
  await client.provideConsent('k', { vat: { value: 'DE123' } });
  assert.deepEqual(await sent(platform), [['row-vat', 'typed', 'DE123']]);
  await client.declineConsent('k', ['email']);
  const body = () => platform.requests.at(-1)!.json<DeclineRequest>();
  assert.deepEqual(body(), { request_field_ids: ['row-email'] });
  await client.declineConsent('k');
  assert.deepEqual(body(), {});
  await assert.rejects(client.provideConsent('x', {}), NotFoundError);
});

test("a service's changed key gets nothing before it is confirmed, also in the next process", async (t) => {
  const { path: folder } = temporaryFolder(t);
  const knownKeysFile = join(folder, 'known.json');
  await using world = await setUp({ knownKeysFile });
  const { platform, client } = world;
  const answer = { vat: { value: 'DE123' } };
  await client.connect('ACME', 'SHOP', answer);
  const changed = await generateKeyPair();
  const public_key_sha256 = hash('sha256', Buffer.from(changed.publicKey, 'base64'));
  platform.route('GET /api/company-connections/lookup/ACME/SHOP', () => ({
    body: {
      company,
      service: { ...service, public_key: changed.publicKey, public_key_sha256 },
      request_fields: rows,
    },
  }));
  const next = new CustomerClient({ url: platform.url, clientId: 'a', clientSecret: 's', knownKeysFile });
  const { length } = platform.requests;
  for (const each of [client, next]) {
    await assert.rejects(each.remap(ref, answer), { errorKey: 'sdk.service_key_changed' });
    await assert.rejects(each.connect('ACME', 'SHOP', answer), { errorKey: 'sdk.service_key_changed' });
  }
  assert.ok(
    platform.requests.slice(length).every(({ method, path }) => method === 'GET' || path === '/oauth2/token'),
  );
  const wrong = client.confirmKey('ACME', 'SHOP', service.public_key_sha256);
  await assert.rejects(wrong, { errorKey: 'sdk.key_unknown' });
  await client.confirmKey('ACME', 'SHOP', public_key_sha256);
  await next.connect('ACME', 'SHOP', answer);
  assert.equal((await stat(knownKeysFile)).mode & 0o777, 0o600);
  await writeFile(knownKeysFile, '{"broken');
  const broken = new CustomerClient({ url: platform.url, clientId: 'a', clientSecret: 's', knownKeysFile });
  await assert.rejects(broken.connect('ACME', 'SHOP', answer), ConfigurationError);
});

test('the customer client opens with the account key what is sealed for the company', async () => {
  await using world = await setUp({ accountKey: { pkcs8: pair.privateKey } });
  const wrapper = await sealValue('a document', pair.publicKey);
  assert.equal(world.client.openValue(wrapper), 'a document');
  assert.equal(world.client.openValue(serializeWrapper(wrapper)), 'a document');
  const other = await generateKeyPair();
  const foreign = await sealValue('x', other.publicKey);
  assert.throws(() => world.client.openValue(foreign), DecryptionError);
  await using keyless = await setUp();
  assert.throws(() => keyless.client.openValue(wrapper), DecryptionError);
});

test('the customer client opens files of documents, and cancels documents', async () => {
  await using world = await setUp({ accountKey: { pkcs8: pair.privateKey } });
  const bytes = Buffer.from('%PDF-1.7');
  const envelope = buildFileEnvelope({
    file: { bytes, mimeType: 'application/pdf', originalName: 'lease.pdf' },
  });
  const document = { connectionId: 'c', documentId: 'd' };
  const at = '/api/company-connections/c/documents/d';
  const value = await sealValue(envelope, pair.publicKey);
  for (const body of [{ encrypted: true, value }, JSON.parse(envelope)]) {
    world.platform.route(`GET ${at}/file`, () => ({ body }));
    const file = await world.client.documentFile(document);
    assert.deepEqual([file.name, file.mimeType], ['lease.pdf', 'application/pdf']);
    assert.ok(bytes.equals(file.bytes));
  }
  world.platform.route(`GET ${at}/file`, () => ({ body: { encrypted: true, value: 'no wrapper' } }));
  await assert.rejects(world.client.documentFile(document), DecryptionError);
  world.platform.route(`POST ${at}/cancel`, () => ({ body: { id: 'd', status: 'ended' } }));
  assert.equal((await world.client.cancelDocument(document, 'moving')).status, 'ended');
  assert.deepEqual(world.platform.requests.at(-1)?.json(), { note: 'moving' });
  await world.client.cancelDocument(document);
  assert.deepEqual(world.platform.requests.at(-1)?.json(), {});
});

test('the environment configures a customer client, and the error names the variables that are missing', () => {
  const env = {
    SYMBOLON_URL: 'https://symbolon.example',
    SYMBOLON_ACCOUNT_CLIENT_ID: 'acct_1',
    SYMBOLON_ACCOUNT_CLIENT_SECRET: 'secret',
  };
  CustomerClient.fromEnvironment(env);
  assert.throws(
    () => CustomerClient.fromEnvironment({ SYMBOLON_URL: env.SYMBOLON_URL }),
    (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.deepEqual(error.details.missing, [
        'SYMBOLON_ACCOUNT_CLIENT_ID',
        'SYMBOLON_ACCOUNT_CLIENT_SECRET',
      ]);
      return true;
    },
  );
});

test('a change pump follows the account feed and keeps the order of each connection', async (t) => {
  await using world = await setUp();
  const { platform, client } = world;
  const { path: folder } = temporaryFolder(t);
  const event = (id: string, connection_id: string, more: object = {}) => ({
    id,
    event: 'share_changed',
    person_user_id: 'me',
    share_code: 'ME',
    at: '2026-01-31T09:30:00.000Z',
    customer_type: 'company',
    company_share_code: 'ACME',
    service_share_code: 'SHOP',
    connection_id,
    service_link_id: 'l',
    ...more,
  });
  const batches = [
    [
      event('1', 'a'),
      event('2', 'a', { event: 'service_key_rotated', service_public_key_sha256: 'ff' }),
      event('3', 'b'),
    ],
  ];
  platform.route('GET /api/customer/changes', () => ({ body: { changes: batches.shift() ?? [] } }));
  const handled: CustomerChange[] = [];
  const blocked = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const pump = new ChangePump({
    client,
    file: join(folder, 'changes.db'),
    concurrency: 2,
    handle: async (change) => {
      if (change.id === '1') await blocked.promise;
      handled.push(change);
      // The other connection does not wait for the first.
      if (change.id === '3') blocked.resolve();
      if (handled.length === 3) done.resolve();
    },
  });
  pump.start();
  await done.promise;
  await pump.stop();
  assert.deepEqual(
    handled.map(({ id }) => id),
    ['3', '1', '2'],
  );
  const { raw: _, ...rotated } = handled[2] as CustomerChange;
  assert.deepEqual(rotated, {
    id: '2',
    event: 'service_key_rotated',
    at: '2026-01-31T09:30:00.000Z',
    companyShareCode: 'ACME',
    serviceShareCode: 'SHOP',
    connectionId: 'a',
    serviceLinkId: 'l',
    servicePublicKeySha256: 'ff',
  });
});
