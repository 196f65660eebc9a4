import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestTally } from './request-tally.ts';

function createTally() {
  let now = 1_700_000_000_000;
  const tally = new RequestTally({ now: () => now });
  return { tally, advance: (ms: number) => (now += ms) };
}

test('requests are counted by their status over the last five minutes', () => {
  const { tally, advance } = createTally();
  assert.deepEqual(tally.read(), { seconds: 1, total: 0, refused: 0, errors: 0, p99: undefined });
  for (const status of [200, 404, 429, 500, 503]) tally.count(status, 3);
  advance(20_000);
  tally.count(200, 3);
  assert.deepEqual(tally.read(), { seconds: 20, total: 6, refused: 1, errors: 2, p99: 3 });
  advance(275_000);
  assert.deepEqual(tally.read(), { seconds: 295, total: 6, refused: 1, errors: 2, p99: 3 });
  advance(5_000);
  assert.deepEqual(tally.read(), { seconds: 290, total: 1, refused: 0, errors: 0, p99: 3 });
  advance(20_000);
  assert.equal(tally.read().total, 0);
  tally.count(200, 3);
  assert.equal(tally.read().total, 1, 'a slice that comes around begins at nothing');
});

test('the 99th percentile is the bound above it, or the slowest of all', () => {
  const { tally } = createTally();
  for (let n = 0; n < 98; n++) tally.count(200, 4);
  tally.count(200, 120);
  assert.equal(tally.read().p99, 120, 'no more than any took');
  tally.count(200, 90_000);
  assert.equal(tally.read().p99, 150, 'the 99th of a hundred');
  for (let n = 0; n < 3; n++) tally.count(200, 90_000);
  assert.equal(tally.read().p99, 90_000, 'beyond the last bound');
});

test('what was counted before the clock was put back is left out', () => {
  const { tally, advance } = createTally();
  tally.count(200, 1);
  advance(-3_600_000);
  assert.deepEqual(tally.read(), { seconds: 1, total: 0, refused: 0, errors: 0, p99: undefined });
});
