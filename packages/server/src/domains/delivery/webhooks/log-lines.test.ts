import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, createWebhook, registerCompany } from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { FakeClock, startPlatform } from '@symbolon/testkit/platform/platform';
import { raise } from '@symbolon/testkit/platform/raised-events';
import { insertCustomer } from '@symbolon/testkit/platform/rows';
import { Sink } from '@symbolon/testkit/servers/sink';
import { writesPaused } from '../../../db/paused-writes.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { Attempts } from './attempts.ts';

const LOOPBACK = { SYMBOLON_DANGEROUSLY_ALLOW_LOOPBACK_WEBHOOKS: 'true' };

test('the line about a delivery that failed says why', async (t) => {
  const { log, matching } = keptLog();
  await using platform = await startPlatform('sqlite', LOOPBACK, new FakeClock(), { log });
  const sink = await Sink.start();
  t.after(() => sink.stop());
  sink.react = () => 500;
  const service = await createService(platform, await registerCompany(platform));
  const { id } = await createWebhook(platform, service, { url: sink.url });
  await raise(platform, service, await insertCustomer(platform, service), 'connection_created');
  const { dispatcher } = platform.context;
  await eventually('it is logged', async () => {
    await dispatcher.scan();
    await dispatcher.idle();
    return matching(/^webhook delivery failed$/).length > 0 ? true : undefined;
  });
  const [line] = matching(/^webhook delivery failed$/);
  assert.deepEqual([line?.webhook, line?.status, line?.reason], [id, 500, 'answered 500, not 200']);
});

test('acknowledgements that cannot be stored are logged once, and once when they are', async () => {
  await using platform = await startPlatform('sqlite', { SYMBOLON_LOG_LEVEL: 'silent' });
  const { log, lines } = keptLog();
  const timers = new FakeTimers();
  let broken = true;
  let tries = 0;
  const { database } = platform.context;
  const acknowledgements = new Acknowledgements({
    timers,
    log,
    attempts: new Attempts(platform.context),
    database: {
      ...database,
      write: async (work) => {
        tries++;
        if (broken) throw writesPaused();
        return database.write(work);
      },
    },
  });
  acknowledgements.add('hook', 1);
  acknowledgements.add('hook', 2);
  const tried = (count: number) =>
    eventually('it is tried', () => {
      timers.advance(250);
      return tries >= count ? true : undefined;
    });
  await tried(3);
  assert.deepEqual(
    lines.map(({ level, msg, events }) => [level, msg.slice(0, 46), events]),
    [[50, 'delivered webhook events cannot be removed: th', 2]],
  );
  broken = false;
  await eventually('it goes on', () => {
    timers.advance(250);
    return lines.length === 2 ? true : undefined;
  });
  assert.equal(lines[1]?.msg, 'delivered webhook events are removed again');
});
