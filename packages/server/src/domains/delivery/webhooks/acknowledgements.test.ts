import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { Acknowledgements } from './acknowledgements.ts';
import { Attempts } from './attempts.ts';

const MANY = 200;

onPlatform('acknowledging what webhooks were sent', (platform) => {
  const acknowledging = () => {
    const timers = new FakeTimers();
    const { database, log } = platform().context;
    const attempts = new Attempts(platform().context);
    return { timers, acknowledgements: new Acknowledgements({ database, log, timers, attempts }) };
  };

  test('few delivered events are removed at once', async () => {
    const { timers, acknowledgements } = acknowledging();
    const [first = 0, second = 0, third = 0] = await queue(platform(), 'few', 3);
    await acknowledgements.flush();
    acknowledgements.add('few', first);
    acknowledgements.add('few', second);
    assert.equal(await acknowledgements.deliveredThrough('few'), second);
    timers.advance(10);
    await saved(timers, 'few', 1);
    assert.deepEqual(await waiting(platform(), 'few'), [third]);
    await acknowledgements.flush();
    assert.equal(await acknowledgements.deliveredThrough('few'), 0);
  });

  test('many deliveries become durable together, so that a killed process sends none of them again', async () => {
    const { timers, acknowledgements } = acknowledging();
    const { engine } = platform().context.database;
    const seqs = await queue(platform(), 'many', MANY + 1);
    await acknowledgements.flush();
    for (const seq of seqs.slice(0, MANY)) acknowledgements.add('many', seq);
    timers.advance(10);
    await saved(timers, 'many', 1);
    assert.equal((await waiting(platform(), 'many')).length, engine === 'sqlite' ? MANY + 1 : 1);

    const successor = acknowledging().acknowledgements;
    assert.equal(await successor.deliveredThrough('many'), 0);
    assert.deepEqual(await waiting(platform(), 'many'), [seqs[MANY]]);
  });

  test('noted deliveries are removed as soon as the load falls, and nothing else', async () => {
    const { timers, acknowledgements } = acknowledging();
    const { engine } = platform().context.database;
    const [one, other] = [await queue(platform(), 'one', MANY), await queue(platform(), 'other', MANY)];
    await acknowledgements.flush();
    for (const seq of one) acknowledgements.add('one', seq);
    for (const seq of other.slice(0, 1)) acknowledgements.add('other', seq);
    timers.advance(10);
    await saved(timers, 'one', 0);
    if (engine === 'sqlite') assert.equal(await acknowledgements.deliveredThrough('other'), other[0]);
    timers.advance(10);
    await saved(timers, 'one', 0);
    assert.deepEqual(await waiting(platform(), 'one'), []);
    await acknowledgements.flush();
    assert.deepEqual(await waiting(platform(), 'other'), other.slice(1));
    assert.equal(await acknowledgements.deliveredThrough('one'), 0);
  });

  test('a delivery waits while too many others are not durable yet', async () => {
    const { acknowledgements } = acknowledging();
    const seqs = await queue(platform(), 'crowded', 300);
    const waits = seqs.map((seq) => acknowledgements.add('crowded', seq));
    assert.equal(
      waits.findIndex((wait) => wait !== undefined),
      255,
    );
    await Promise.all(waits);
    await acknowledgements.flush();
    assert.deepEqual(await waiting(platform(), 'crowded'), []);
  });

  /** What was added of a queue is durable. On SQLite the next look tells: what was noted is to be removed. */
  async function saved(timers: FakeTimers, webhookId: string, left: number): Promise<void> {
    for (let turn = 0; turn < 1000; turn++) {
      if (timers.size > 0 || (await waiting(platform(), webhookId)).length === left) return;
      await new Promise(setImmediate);
    }
    throw new Error('Nothing was saved.');
  }
});

/** Rows of a queue; gives their places. */
async function queue(platform: TestPlatform, webhookId: string, many: number): Promise<number[]> {
  const { database, ids, clock } = platform.context;
  const rows = Array.from({ length: many }, () => ({
    id: ids.uuid(),
    company_id: 'company',
    service_id: 'service',
    webhook_id: webhookId,
    connection_id: null,
    customer_id: 'person',
    customer_type: 'person' as const,
    share_code: null,
    event: 'connection_created',
    request_field_id: null,
    slug: null,
    payload: '{}',
    at: clock.now(),
  }));
  await database.write((writer) => writer.insertInto('webhook_events').values(rows).execute());
  return waiting(platform, webhookId);
}

async function waiting(platform: TestPlatform, webhookId: string): Promise<number[]> {
  const rows = await platform.context.database.reader
    .selectFrom('webhook_events')
    .select('seq')
    .where('webhook_id', '=', webhookId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => Number(row.seq));
}
