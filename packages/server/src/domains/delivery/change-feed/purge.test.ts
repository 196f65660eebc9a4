import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Event, limits } from '@symbolon/protocol';
import { createDataClient, createService, registerCompany, tokenFor } from '@symbolon/testkit/actors/actors';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { systemTimers } from '../../../core/timers.ts';
import type { Database, Reader } from '../../../db/database.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import { ChangePurge } from './purge.ts';

onEachEngine('the purge of the feed', (platform) => {
  const purge = () => new ChangePurge({ ...platform().context, timers: systemTimers });
  const setUp = async (on: TestPlatform) => {
    const service = await createService(on, await registerCompany(on));
    const client = await createDataClient(on, service);
    // Tokens do not live as long as events.
    const token = () => tokenFor(on, client.clientId, client.clientSecret);
    const tell = async (count: number) => {
      for (let n = 0; n < count; n++) {
        await raise(on, service, await insertCustomer(on, service), Event.connectionCreated);
      }
    };
    const drained = async () =>
      (await on.must('GET', '/api/company-data/changes', { token: await token() })).changes.length;
    const purges = async () => {
      const { items } = await on.must('GET', '/api/company-data/logs', { token: await token() });
      return items.filter((item: { type: string }) => item.type === 'purge');
    };
    return { tell, drained, purges, companyId: service.company.id };
  };

  test('the purge deletes events that were not drained for seven days, and says so in the log of the service', async () => {
    const one = await setUp(platform());
    const two = await setUp(platform());
    const oldest = new Date(platform().clock.now()).toISOString();
    await one.tell(3);
    platform().clock.advance(1000);
    await two.tell(2);
    platform().clock.advance(limits.changeRetentionMs - 1000);
    assert.equal(await purge().run(), 0, 'to the millisecond');
    platform().clock.advance(1);
    await one.tell(1);
    assert.equal(await purge().run(), 3);
    const [entry, ...others] = await one.purges();
    assert.deepEqual(others, []);
    assert.deepEqual(entry.metadata, { channel: 'pull', count: 3, oldest });
    assert.deepEqual(await two.purges(), []);
    assert.equal(await one.drained(), 1);
    assert.equal(await two.drained(), 2);
    proves('limit:changeRetentionMs');
    // The next drain confirms the one before.
    assert.deepEqual([await one.drained(), await two.drained()], [0, 0]);
    assert.equal(await purge().run(), 0);
  });

  test('the purge works in short steps, logs each run once, and stops between steps when asked', async () => {
    const { tell, drained, purges } = await setUp(platform());
    await tell(40);
    platform().clock.advance(limits.changeRetentionMs + 1);
    const first = await purge().run(AbortSignal.abort());
    assert.ok(first > 0 && first <= 16, `the first step took ${first} rows`);
    assert.equal(await purge().run(), 40 - first);
    const counts = (await purges()).map((entry: { metadata: { count: number } }) => entry.metadata.count);
    assert.deepEqual(counts, [40 - first, first]);
    assert.equal(await drained(), 0);
  });

  test('events of a company that is frozen while it moves stay, and those of others are purged', async () => {
    const frozen = await setUp(platform());
    await frozen.tell(3);
    platform().clock.advance(1);
    const other = await setUp(platform());
    await other.tell(20);
    platform().clock.advance(limits.changeRetentionMs + 1);
    const { database } = platform().context;
    const refusing: Database = {
      ...database,
      write: (work) =>
        database.write(async (writer) => {
          const before = await countOf(writer, frozen.companyId);
          const result = await work(writer);
          if ((await countOf(writer, frozen.companyId)) < before) throw writesPaused();
          return result;
        }),
    };
    assert.equal(
      await new ChangePurge({ ...platform().context, timers: systemTimers, database: refusing }).run(),
      20,
    );
    assert.deepEqual([await frozen.drained(), await other.drained()], [3, 0]);
    assert.deepEqual([(await frozen.purges()).length, (await other.purges()).length], [0, 1]);
  });
});

async function countOf(reader: Reader, companyId: string): Promise<number> {
  const rows = await reader.selectFrom('changes').select('seq').where('company_id', '=', companyId).execute();
  return rows.length;
}
