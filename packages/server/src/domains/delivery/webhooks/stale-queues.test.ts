import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { onPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { startReceiver } from '@symbolon/testkit/servers/receiver';
import { StaleQueues } from './stale-queues.ts';

const MINUTE_MS = 60_000;

onPlatform(
  'mails about events that wait',
  (platform) => {
    test('come after an hour of failures with their reason, once until all has arrived', async (context) => {
      let status = 500;
      const receiver = await startReceiver((_request, _body, response) => response.writeHead(status).end());
      context.after(() => receiver.stop());
      const service = await createService(platform(), await registerCompany(platform()));
      const { id } = await createWebhook(platform(), service, { url: receiver.url });
      const customer = await insertCustomer(platform(), service);
      const { clock, context: parts } = platform();
      const mails: { subject: string; text: string }[] = [];
      const queues = new StaleQueues({
        ...parts,
        logs: parts.logs,
        mail: { send: async (mail) => void mails.push(mail) },
      });
      const settle = async () => {
        await parts.dispatcher.scan();
        await parts.dispatcher.idle();
      };
      const fail = async () => {
        await raise(platform(), service, customer, 'connection_created');
        await settle();
      };
      const pass = async (minutes: number) => {
        clock.advance(minutes * MINUTE_MS);
        await queues.run();
        return mails.length;
      };
      await fail();
      assert.equal(await pass(59), 0);
      assert.equal(await pass(1), 1);
      assert.match(mails[0]?.subject ?? '', /: events wait for 1 h$/);
      assert.match(mails[0]?.text ?? '', /The last attempt failed at \S+: answered 500, not 200\./);
      assert.equal(await pass(600), 1, 'once');
      status = 200;
      await settle();
      status = 500;
      await fail();
      assert.equal(await pass(61), 2, 'for the next failure');
      const set = (values: { enabled: 0 | 1; paused: 0 | 1 }) =>
        parts.database.write((writer) =>
          writer
            .updateTable('webhooks')
            .set({ ...values, health: 'bad', alerted_at: null })
            .where('id', '=', id)
            .execute(),
        );
      await set({ enabled: 0, paused: 0 });
      assert.equal(await pass(1), 2, 'not of one that is switched off');
      await set({ enabled: 1, paused: 1 });
      assert.equal(await pass(1), 2, 'not of one that is paused');
      assert.equal(await pass(2 * 24 * 60), 3, 'but before what it holds is lost');
      assert.match(mails[2]?.text ?? '', /The webhook is paused: they are sent, the oldest first, once it/);
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
