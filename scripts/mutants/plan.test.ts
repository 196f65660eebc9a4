import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutantsOf } from './mutable.ts';
import { type Reaching, reachingFiles, stepsFor } from './plan.ts';
import type { FileReach } from './settings.ts';

const DOMAINS = 'packages/server/src/domains';
const [mutant] = mutantsOf(`${DOMAINS}/services/keys/keys.ts`, 'if (a) throw error;');

test('the tests that reach a mutant: nearest first, then the cheapest', () => {
  assert.ok(mutant);
  const reaching = (cost: number): FileReach => ({
    outside: [],
    outsideCost: 1,
    tests: {
      some: { passed: true, cost, places: [3, 7] },
      after: { passed: true, cost: 99, places: [] },
    },
  });
  const around: FileReach = { outside: [7], outsideCost: 1, tests: {} };
  const reach = new Map<string, FileReach>([
    [`${DOMAINS}/flows/runs/runs.test.ts`, reaching(1)],
    [`${DOMAINS}/services/jobs/jobs.test.ts`, reaching(9)],
    [`${DOMAINS}/services/photos/photos.test.ts`, reaching(5)],
    [`${DOMAINS}/services/keys/other.test.ts`, around],
    [`${DOMAINS}/services/keys/keys.test.ts`, reaching(9)],
    [
      `${DOMAINS}/services/keys/broken.test.ts`,
      { ...around, outside: [], tests: { some: { passed: false, cost: 1, places: [7] } } },
    ],
  ]);
  assert.deepEqual(
    reachingFiles(mutant, 7, reach).map(({ file, tests, cost, distance }) => [
      file.slice(DOMAINS.length + 1),
      tests.length,
      cost,
      distance,
    ]),
    [
      ['services/keys/keys.test.ts', 1, 10, 0],
      ['services/keys/other.test.ts', 0, 1, 0],
      ['services/photos/photos.test.ts', 1, 6, 1],
      ['services/jobs/jobs.test.ts', 1, 10, 1],
      ['flows/runs/runs.test.ts', 1, 2, 2],
    ],
  );
  assert.deepEqual(reachingFiles(mutant, 4, reach), []);
});

test('cheap files share a process, and not all of what is dear is run', () => {
  const one = (cost: number, distance: 0 | 1 | 2): Reaching => ({
    file: `${distance} ${cost}`,
    tests: [],
    cost,
    distance,
  });
  const steps = (...all: Reaching[]) => stepsFor(all).map((step) => step.map(({ file }) => file));
  assert.deepEqual(steps(one(90_000, 0), one(1, 1)), [['0 90000']], 'the first is run however dear it is');
  assert.deepEqual(steps(one(3000, 0), one(4000, 1), one(2000, 1), one(1000, 2), one(2000, 2)), [
    ['0 3000', '1 4000'],
    ['1 2000'],
    ['2 1000', '2 2000'],
  ]);
  assert.deepEqual(steps(one(1, 2), one(10_000, 2), one(5000, 2), one(1000, 2)), [
    ['2 1'],
    ['2 10000'],
    ['2 1000'],
  ]);
});
