import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ChangeEvent, WebhookRequest } from '@symbolon/protocol';
import { DataClient } from '@symbolon/sdk';
import { PersonClient } from '@symbolon/sdk/person';
import { PortalClient } from '@symbolon/sdk/portal';
import {
  type Delivery,
  fastifyPlugin,
  nodeHandler,
  type Webhook,
  WebhookReceiver,
} from '@symbolon/sdk/webhooks';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { listening } from '@symbolon/testkit/servers/listening';
import { without } from '@symbolon/testkit/tools';
import { fastify } from 'fastify';

/*
 * From a person's act to the company's handler: the platform delivers, the receiver of the SDK verifies and opens, in
 * every way a webhook can be configured. Both sides are the real ones; nothing is known to the test but what a company knows.
 */

const PASSPHRASE = 'of the account key';

/** Everything that XML and JSON have to escape, and what takes four bytes. */
const NICK = `<&amp;> "it's" \\ ü 😀`;

const MODES: readonly { request: Partial<WebhookRequest>; webhook: Webhook }[] = [
  { request: { auth_type: 'hmac', hmac_secret: 'sécret' }, webhook: { authType: 'hmac', secret: 'sécret' } },
  {
    request: { auth_type: 'bearer', auth_token: 'a-token' },
    webhook: { authType: 'bearer', token: 'a-token' },
  },
  {
    request: { auth_type: 'basic', auth_username: 'me', auth_password: 'open: sésame' },
    webhook: { authType: 'basic', credentials: { username: 'me', password: 'open: sésame' } },
  },
  {
    request: { auth_type: 'header', auth_header_name: 'X-My-Key', auth_header_value: 'a value' },
    webhook: { authType: 'header', name: 'X-My-Key', value: 'a value' },
  },
  { request: { auth_type: 'none' }, webhook: { authType: 'none' } },
];
const CONFIGURATIONS = MODES.flatMap((mode) =>
  (['json', 'xml'] as const).flatMap((format) =>
    [false, true].map((encrypt_payload) => ({
      webhook: mode.webhook,
      request: { ...mode.request, format, encrypt_payload },
    })),
  ),
);

/** A company with one service, and a person that is not connected yet. */
async function setScene(platform: TestPlatform) {
  const unique = Math.random().toString(36).slice(2);
  const account = {
    baseUrl: platform.url,
    email: `owner-${unique}@example.com`,
    password: 'a long password',
  };
  const { client: portal } = await PortalClient.register({ ...account, name: 'Acme' });
  const { service, pem, passphrase } = await portal.createService({
    name: 'Shop',
    adminEmail: 'a@example.com',
  });
  await portal.publishRequestFields(service.id, [{ slug: 'nick', label: 'Nick', type: 'text' }]);
  const { client_id: clientId, client_secret: clientSecret } = await portal.registerDataClient(service.id);
  const url = platform.url;
  const client = new DataClient({ url, clientId, clientSecret, privateKey: { pem, passphrase }, threads: 1 });
  const email = `person-${unique}@example.com`;
  const registered = await PersonClient.register({
    ...{ baseUrl: platform.url, email, displayName: 'Ada', password: 'another long password' },
  });
  const person = registered.client;
  const field = await person.createField({ type: 'text', label: 'Nick', slug: 'nick', value: 'zero' });
  return {
    ...{ portal, service, client, person, password: account.password },
    async connect() {
      const { company_code, share_code } = service;
      const connection = await person.connect(company_code, share_code, { nick: { field: 'nick' } });
      return connection.connection_id;
    },
    edit: (value: string) => person.editField(field.id, value),
  };
}

/** A server with the receiver behind the adapter, at the address of the webhooks. */
const ADAPTERS: Readonly<
  Record<string, (receiver: WebhookReceiver) => Promise<{ url: string; stop(): Promise<void> }>>
> = {
  async nodeHandler(receiver) {
    const server = createServer(nodeHandler(receiver));
    const { port } = await listening(server);
    return {
      url: `http://127.0.0.1:${port}/webhooks`,
      async stop() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
  async fastifyPlugin(receiver) {
    const app = fastify({ forceCloseConnections: true });
    await app.register(fastifyPlugin(receiver), { prefix: '/webhooks' });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    return { url: `${address}/webhooks`, stop: () => app.close() };
  },
};

onPlatform(
  'receiving webhooks',
  (platform) => {
    before(() => platform().context.dispatcher.start());

    for (const [name, serve] of Object.entries(ADAPTERS)) {
      test(`by ${name}: every authentication, format and envelope, verified and opened`, async (t) => {
        const { portal, service, client, person, password, connect, edit } = await setScene(platform());
        t.after(() => client.close());
        const webhooks = new Map<string, Webhook>();
        const received = new Map<string, { event: ChangeEvent; delivery: Delivery }[]>();
        const errors: unknown[] = [];
        const { private_key_pem: pem } = await portal.accountKey({ password }, PASSPHRASE);
        const receiver = new WebhookReceiver({
          webhooks,
          accountKey: { pem, passphrase: PASSPHRASE },
          decrypt: (event) => client.openChange(event),
          onEvent: (event, delivery) => {
            received.get(delivery.webhookId ?? '')?.push({ event, delivery });
          },
          onError: (error) => errors.push(error),
        });
        const { url, stop } = await serve(receiver);
        t.after(stop);
        const configured = new Map<string, (typeof CONFIGURATIONS)[number]['request']>();
        for (const { request, webhook } of CONFIGURATIONS) {
          const { id } = await portal.createWebhook(service.id, { url, ...request });
          webhooks.set(id, webhook);
          received.set(id, []);
          configured.set(id, request);
        }
        // A field's event carries its value at delivery, so each act waits until all have heard of the one before.
        const all = (count: number) =>
          eventually(`${count} events at all webhooks`, () => {
            if (errors.length > 0) throw errors[0];
            return [...received.values()].every((events) => events.length === count) || undefined;
          });

        const connection = await connect();
        await all(1);
        await edit(NICK);
        await all(2);
        await person.remap(connection, { nick: { remove: true } });
        await all(3);
        await person.disconnect(connection);
        await all(4);

        for (const [id, events] of received) {
          const request = configured.get(id);
          const told = JSON.stringify(request);
          assert.deepEqual(
            events.map(({ event }) => [event.event, event.slug]),
            [
              ['connection_created', undefined],
              ['field_updated', 'nick'],
              ['field_deleted', 'nick'],
              ['connection_deleted', undefined],
            ],
            told,
          );
          for (const { event, delivery } of events) {
            assert.deepEqual(
              [delivery.format, delivery.enveloped, delivery.test],
              [request?.format, request?.encrypt_payload, false],
              told,
            );
            assert.equal(event.person_user_id, person.person.person_user_id);
            assert.equal(event.share_code, person.person.share_code);
          }
          const updated = events[1]?.delivery.change?.value;
          assert.deepEqual([updated?.value, updated?.live, updated?.unreadable], [NICK, true, false], told);
        }
        const left = await eventually('empty queues', async () => {
          const list = await portal.webhooks(service.id);
          return list.every(({ backlog }) => backlog === 0) ? list : undefined;
        });
        assert.deepEqual([...new Set(left.map(({ health }) => health))], ['running']);
        assert.equal(left.length, CONFIGURATIONS.length);
        assert.deepEqual(errors, []);
      });
    }

    test('a receiver that knows another secret refuses, and the platform keeps the event', async (t) => {
      const { portal, service, connect } = await setScene(platform());
      const errors: { code?: string }[] = [];
      let handed = 0;
      const receiver = new WebhookReceiver({
        webhooks: { authType: 'hmac', secret: 'another secret' },
        onEvent: () => {
          handed++;
        },
        onError: (error) => errors.push(error as { code?: string }),
      });
      const { url, stop } = await (ADAPTERS.nodeHandler as NonNullable<typeof ADAPTERS.nodeHandler>)(
        receiver,
      );
      t.after(stop);
      const { id } = await portal.createWebhook(service.id, { url });
      await connect();
      const webhook = await eventually('a failed delivery', async () => {
        const now = await portal.webhook(service.id, id);
        return now.health === 'bad' ? now : undefined;
      });
      assert.deepEqual([webhook.backlog, handed], [1, 0]);
      assert.deepEqual(
        errors.map(({ code }) => code),
        ['signature_wrong'],
      );
    });

    const skip = without('python3');
    test('a receiver in plain Python verifies what the platform sends', { skip }, async (t) => {
      const script = new URL('../../packages/sdk/src/webhooks/testing/receiver.py', import.meta.url);
      const secret = 'a secret for Python';
      const python = spawn('python3', [fileURLToPath(script)], {
        env: { ...process.env, WEBHOOK_SECRET: secret, PYTHONDONTWRITEBYTECODE: '1' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(async () => {
        if (python.kill()) await once(python, 'exit');
      });
      const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
      const line = async () => JSON.parse((await lines.next()).value ?? 'null');
      const url = `http://127.0.0.1:${await line()}/`;
      const { portal, service, client, person, connect, edit } = await setScene(platform());
      t.after(() => client.close());
      const json = await portal.createWebhook(service.id, { url, hmac_secret: secret });
      await connect();
      assert.equal((await line()).event, 'connection_created');
      await edit(NICK);
      const event = await line();
      assert.deepEqual([event.event, event.slug, event.live], ['field_updated', 'nick', true]);
      assert.equal((await client.openChange(event)).value?.value, NICK);
      await portal.deleteWebhook(service.id, json.id);

      const xml = await portal.createWebhook(service.id, { url, hmac_secret: secret, format: 'xml' });
      await edit('again');
      const text = await line();
      // In XML all is text to a reader that does not know better.
      assert.deepEqual(
        [text.event, text.slug, text.live, text.person_user_id],
        ['field_updated', 'nick', 'true', person.person.person_user_id],
      );
      const health = await eventually('a good delivery', async () => {
        const now = await portal.webhook(service.id, xml.id);
        return now.health === 'running' ? now.health : undefined;
      });
      assert.equal(health, 'running');
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
