import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { type Probe, Readiness } from './probes.ts';

const fails = async () => {
  throw new Error('the disk is full');
};
const works = async () => undefined;

test('a process is not ready when a check that is needed fails, and degraded when another does', async () => {
  const statusOf = async (needed: readonly string[]) => {
    const probes: Probe[] = [
      { name: 'database', check: works },
      { name: 'mail', check: fails },
    ];
    return (await new Readiness(probes, new Set(needed), new FakeTimers()).answer()).status;
  };
  assert.equal(await statusOf(['database', 'mail']), 'not_ready');
  assert.equal(await statusOf(['database']), 'degraded');
});

test('each check has its state and its reason', async () => {
  const probes: Probe[] = [
    { name: 'database', check: async () => 'writes' },
    { name: 'mail', check: fails },
  ];
  const { checks } = await new Readiness(probes, new Set(['database']), new FakeTimers()).answer();
  assert.deepEqual(checks, {
    database: { state: 'ok', needed: true, detail: 'writes', age_seconds: 0 },
    mail: { state: 'failed', needed: false, detail: 'the disk is full', age_seconds: 0 },
  });
});

test('an answer does not wait for a check that hangs: what is needed is then not known, and what was known holds', async () => {
  const timers = new FakeTimers();
  let hang = Promise.withResolvers<undefined>();
  let asked = 0;
  const check = () => {
    asked++;
    return hang.promise;
  };
  const readiness = new Readiness([{ name: 'database', freshMs: 0, check }], new Set(['database']), timers);
  const answer = async () => {
    const answered = readiness.answer();
    await setImmediate();
    // A timer that fired late waits a moment more.
    timers.advance(500);
    timers.advance(1_000);
    return (await answered).status;
  };
  assert.equal(await answer(), 'not_ready');
  assert.equal(await answer(), 'not_ready');
  assert.equal(asked, 1, 'one try at a time');
  hang.resolve(undefined);
  await setImmediate();
  hang = Promise.withResolvers();
  assert.equal(readiness.last().status, 'ready');
  assert.equal(await answer(), 'ready');
  assert.equal(asked, 2);
});

test('an outcome that is fresh is not found out again', async () => {
  let asked = 0;
  const check = async () => {
    asked++;
    return undefined;
  };
  const readiness = new Readiness([{ name: 'seal', freshMs: 60_000, check }], new Set(), new FakeTimers());
  for (let call = 0; call < 5; call++) await readiness.answer();
  assert.equal(asked, 1);
});
