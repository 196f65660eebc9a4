import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INPUTS } from './support/plan/inputs.ts';
import { actsOfDay, check, plan } from './support/plan/reckon.ts';

const COST = { platformCpu: 500, databaseCpu: 400, rows: 3, commits: 1, walBytes: 4_000, databaseBytes: 500 };
const names = [...Object.keys(actsOfDay(1)), 'edit with a delivery'];
const costs = Object.fromEntries(names.map((name) => [name, COST]));

test('ten times the people need ten times as much', () => {
  const [few, many] = [plan(1e7, costs, 10_000), plan(1e8, costs, 10_000)];
  for (const part of ['acts', 'commits', 'walMb', 'stateTb', 'yearTb'] as const)
    assert.ok(Math.abs(many[part] / few[part] - 10) < 1e-6, part);
  assert.ok(many.primaries > few.primaries);
  assert.equal(few.stateTb, (1e7 * INPUTS.connectionsOfPerson * 10_000) / 1e12);
});

test('what is dearest for PostgreSQL ends first', () => {
  const firstWith = (more: Partial<typeof COST>) =>
    plan(1e7, Object.fromEntries(names.map((name) => [name, { ...COST, ...more }])), 1).first;
  assert.match(firstWith({ databaseCpu: 1e6 }), /^CPU of PostgreSQL/);
  assert.match(firstWith({ walBytes: 1e7 }), /^write-ahead log/);
  assert.match(firstWith({ commits: 1_000 }), /^transactions/);
  assert.match(plan(1e7, costs, 1e9).first, /^disk/);
});

test('an operation that grows with the service is told', () => {
  const run = (size: number, drain: number) => ({
    size,
    readings: { token: { ms: 1 }, 'drain 500 changes': { ms: drain } },
    bytes: { database: size * 10_000 },
  });
  const { operations, sizeError, bytesOfConnection } = check([run(1e3, 40), run(1e5, 390), run(1e6, 960)]);
  const holds = (name: string) => operations.find((operation) => operation.name === name)?.holds;
  assert.deepEqual([holds('token'), holds('drain 500 changes')], [true, false]);
  assert.deepEqual([sizeError, bytesOfConnection], [0, 10_000]);
});
