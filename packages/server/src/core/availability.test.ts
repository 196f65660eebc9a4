import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import type { FastifyBaseLogger } from 'fastify';
import { Availability } from './availability.ts';

/** A need whose tries go well, and a time that a test advances. */
function needThatSeemsWell() {
  const timers = new FakeTimers();
  const log: string[] = [];
  const say = (...[first, second]: unknown[]) => void log.push(String(second ?? first));
  const tried: boolean[] = [];
  let now = 0;
  const availability = new Availability({
    clock: { now: () => now } as ConstructorParameters<typeof Availability>[0]['clock'],
    timers,
    log: { error: say, info: say } as unknown as FastifyBaseLogger,
  });
  const need = availability.add('saving', {
    title: 'database',
    probe: async (wasAway) => void tried.push(wasAway),
  });
  const advance = async (ms: number) => {
    now += ms;
    timers.advance(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  };
  return { availability, need, log, tried, advance };
}

test('what fails its users and not the tries is left alone for longer each time, and logged as rarely', async () => {
  const { availability, need, log, advance } = needThatSeemsWell();
  for (let second = 0; second < 60; second++) {
    if (!availability.isAway('saving')) need.failed(new Error('its disk is full'));
    await advance(1000);
  }
  // After 1, 2, 4, 8 and then every 16 seconds.
  assert.equal(log.filter((line) => line.includes('unavailable')).length, 7);
  assert.ok(availability.isAway('saving'));
});

test('each reason of an absence is logged once, and three at most', async () => {
  const { need, log, advance } = needThatSeemsWell();
  const told = () => log.splice(0);
  for (const reason of ['it does not answer', 'it takes no writes', 'it does not answer'])
    need.failed(new Error(reason));
  assert.deepEqual(told(), [
    'database unavailable: it does not answer',
    'database unavailable: it takes no writes',
  ]);
  for (const reason of ['its disk is full', 'something else']) need.failed(new Error(reason));
  assert.deepEqual(told(), ['database unavailable: its disk is full']);
  await advance(1000);
  assert.match(told().join(), /again after 1 s/);
  need.failed(new Error('it takes no writes'));
  assert.deepEqual(told(), ['database unavailable: it takes no writes']);
});

test('the reason of an absence is the last one', async () => {
  const { availability, need, advance } = needThatSeemsWell();
  for (const reason of ['a connection was ended', 'it takes no writes']) {
    need.failed(new Error(reason));
    assert.equal(availability.reason('saving'), reason);
  }
  await advance(1000);
  assert.equal(availability.reason('saving'), undefined);
});

test('what was well for a while is tried after a second again', async () => {
  const { availability, need, tried, advance } = needThatSeemsWell();
  await availability.look('saving');
  for (let time = 0; time < 3; time++) {
    need.failed(new Error('it does not answer'));
    assert.ok(availability.isAway('saving'));
    await advance(1000);
    assert.ok(!availability.isAway('saving'));
    await advance(60_000);
  }
  assert.deepEqual(tried, [false, true, true, true]);
});
