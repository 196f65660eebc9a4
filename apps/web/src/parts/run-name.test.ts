import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runName } from './run-name.ts';

test('a run has the name of its flow, its day, and what the company calls it', () => {
  const run = { created_at: '2026-11-23T12:00:00.000Z', reference: null };
  assert.equal(runName('Lease', run, 'en-GB'), 'Lease · 23 Nov 2026');
  assert.equal(runName('Lease', { ...run, reference: 'Flat 4' }, 'de'), 'Lease · 23.11.2026 · Flat 4');
});
