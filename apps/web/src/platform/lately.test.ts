import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Listed } from './document-list.ts';
import type { ListedRun } from './flows/run-list.ts';
import { happenedOf } from './lately.ts';

const company = { display_name: 'Acme' };
const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;
const between = { created_at: day(1), updated_at: day(5), company };
const signed = { action: 'signed', created_at: day(3) };
const document = (more: object) => [
  { id: 'd', name: 'Lease', signatures: [], status: 'active', ...between, ...more } as unknown as Listed,
];
const run = (status: string) => [
  { id: 'r', flow_name: 'Move in', status, ...between } as unknown as ListedRun,
];
const told = (known: Parameters<typeof happenedOf>[0]) =>
  happenedOf(known).map(({ kind, at }) => `${kind} ${at.slice(9, 10)}`);

test('a document tells that it came, was signed or accepted, and ends', () => {
  assert.deepEqual(told({ documents: document({}) }), ['document 1']);
  assert.deepEqual(
    told({
      documents: document({ status: 'ended', signatures: [signed, { ...signed, action: 'accepted' }] }),
    }),
    ['ended 5', 'signed 3', 'accepted 3', 'document 1'],
  );
  assert.deepEqual(told({ documents: document({ status: 'active_but_ending' }) }), [
    'ending 5',
    'document 1',
  ]);
});

test('a run tells where it stands, and how it ended', () => {
  assert.deepEqual(told({ runs: run('awaiting_customer') }), ['flow 5']);
  assert.deepEqual(told({ runs: run('completed') }), ['completed 5', 'flow 1']);
  assert.deepEqual(told({ runs: run('cancelled') }), ['cancelled 5', 'flow 1']);
});
