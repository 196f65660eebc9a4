/**
 * A backlog that is larger than anybody would hold in memory: it is replayed in order, a page at a time.
 *
 *   node scripts/test.ts test/faults/webhook-backlog.test.ts
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { onEachEngine } from '@symbolon/testkit/platform/platform';
import { insertConnections, insertPeople } from '@symbolon/testkit/platform/rows';
import { Sink } from '@symbolon/testkit/servers/sink';

const PARKED = 20_000;
const REPLAYED = 1_000;
/** Rows that a run may have read before it sends them (delivery/webhooks/delivery.ts). */
const PAGE = 50;
const ROWS_OF_ONE_INSERT = 1_000;

onEachEngine(
  'a backlog of many thousand events',
  (platform) => {
    before(() => platform().context.dispatcher.start());

    test('is replayed in order, and no more than a page of it is held', async () => {
      const { context, clock } = platform();
      const { database, dispatcher, ids } = context;
      await using sink = await Sink.start();
      const company = await registerCompany(platform());
      const service = await createService(platform(), company);
      const webhook = await createWebhook(platform(), service, { url: sink.url });
      const [person] = await insertPeople(platform(), 1);
      assert.ok(person);
      const [connection] = await insertConnections(platform(), service, [person]);
      await database.write(async (writer) => {
        // As after a failure: bad, everything parked, and the probe is due.
        await writer
          .updateTable('webhooks')
          .set({ health: 'bad', probe_at: clock.now(), parked_through: Number.MAX_SAFE_INTEGER })
          .where('id', '=', webhook.id)
          .execute();
        for (let first = 0; first < PARKED; first += ROWS_OF_ONE_INSERT) {
          const rows = Array.from({ length: ROWS_OF_ONE_INSERT }, (_, index) => ({
            id: ids.uuid(),
            company_id: company.id,
            service_id: service.id,
            webhook_id: webhook.id,
            connection_id: connection ?? null,
            customer_id: person.id,
            customer_type: 'person' as const,
            share_code: person.share_code,
            event: 'document_created',
            request_field_id: null,
            slug: null,
            payload: JSON.stringify({ n: first + index }),
            at: clock.now(),
          }));
          await writer.insertInto('webhook_events').values(rows).execute();
        }
      });

      // What is deleted in the middle of the replay and arrives all the same had been read before.
      let deleting: Promise<unknown> = Promise.resolve();
      let deletedAt = Number.POSITIVE_INFINITY;
      sink.react = () => {
        if (sink.received.length === REPLAYED) {
          deleting = database
            .write((writer) =>
              writer
                .deleteFrom('webhook_events')
                .where('webhook_id', '=', webhook.id)
                .where('seq', 'not in', (eb) =>
                  eb
                    .selectFrom('webhook_events')
                    .select('seq')
                    .where('webhook_id', '=', webhook.id)
                    .orderBy('seq', 'desc')
                    .limit(1),
                )
                .execute(),
            )
            .then(() => {
              deletedAt = sink.received.length;
            });
        }
        return 200;
      };
      await dispatcher.scan();
      await dispatcher.idle();
      await deleting;
      const numbers = sink.received.map(({ body }) => body.n as number);
      const whole = numbers.slice(0, -1);
      assert.deepEqual(
        whole,
        whole.map((_, index) => index),
      );
      assert.equal(numbers.at(-1), PARKED - 1, 'the last of all is there');
      assert.ok(whole.length > REPLAYED);
      assert.ok(whole.length <= deletedAt + PAGE, `${whole.length - deletedAt} were held at once`);
    });
  },
  { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' },
);
