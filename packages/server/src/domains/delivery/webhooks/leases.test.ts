import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { onEachEngine, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { pino } from 'pino';
import { SharedLeases } from './leases.ts';
import { webhookPace as pace } from './pace.ts';

const log = pino({ level: 'silent' });

async function hookedService(platform: TestPlatform): Promise<string> {
  const company = await registerCompany(platform);
  const service = await createService(platform, company);
  const { id } = await createWebhook(platform, service, { url: 'https://example.com/hook' });
  return id;
}

onEachEngine('leases of webhooks that processes share', (platform) => {
  const holder = (owner: string) => {
    const { availability, database, clock } = platform().context;
    const timers = new FakeTimers();
    return { leases: new SharedLeases({ availability, database, clock, timers, log, owner, pace }), timers };
  };

  test('the lease of a webhook has one holder at a time, and passes on when it is released', async () => {
    const id = await hookedService(platform());
    const [one, other] = [holder('one').leases, holder('other').leases];
    const lease = await one.acquire(id);
    assert.equal(lease?.valid, true);
    assert.equal(await other.acquire(id), undefined);
    assert.equal(await one.acquire(id), undefined);
    await lease?.release();
    assert.equal((await other.acquire(id))?.valid, true);
  });

  test('a lease that is not renewed ends for its holder before another can take it', async () => {
    const id = await hookedService(platform());
    const { leases, timers } = holder('one');
    const pass = (ms: number) => {
      platform().clock.advance(ms);
      timers.advance(ms);
    };
    const other = holder('other').leases;
    const lease = await leases.acquire(id);
    assert.ok(lease);
    pass(pace.leaseMs - pace.leaseMarginMs - 1);
    assert.deepEqual([lease.valid, lease.lost?.aborted], [true, false]);
    pass(1);
    assert.deepEqual([lease.valid, lease.lost?.aborted], [false, true]);
    assert.equal(await other.acquire(id), undefined);
    pass(pace.leaseMarginMs);
    assert.equal((await other.acquire(id))?.valid, true);
    await lease.release();
    assert.equal(await holder('third').leases.acquire(id), undefined, 'what another has is not given back');
  });
});
